// What would bring an unused section into the prompt: a flag of the command, or a setting. Undefined if the reason says
// it already, or if nothing is wrong.
import type { MissingFact, UnusedReason } from "../../core/view/unused.ts"

/** `hasTools`: the command has tools already. */
export function unusedFix(why: UnusedReason, hasTools: boolean): string | undefined {
  switch (why.kind) {
    case "no-fact":
      return FACT_FLAGS[why.fact]
    case "other-audience":
      return why.of === "situation" ? `Try --in ${why.only[0]}.` : `Try --mode ${why.only[0]}.`
    case "other-channel":
      return `Try --channel ${why.only[0]}.`
    case "mode":
      return "Try --mode full."
    case "no-tools":
    case "needs-tools":
      return hasTools ? undefined : "A running agent has tools: try --tools agent."
    case "not-fed":
      return "To see it here, give it with --scope."
    default:
      return undefined
  }
}

const FACT_FLAGS: Readonly<Partial<Record<MissingFact, string>>> = {
  background: "Try --background.",
  channel: "Try --channel.",
  message: "Try --message.",
  person: "Try --as.",
  "plan-mode": "Try --plan.",
  task: "Try --task.",
}
