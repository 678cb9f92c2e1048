// `incipit sandbox check`: what holds on this machine, each line proved by an attempt.
import { homedir } from "node:os"
import { sentence } from "../../../base/diagnostic.ts"
import { type Proof, proofs } from "../../../sandbox/check/proofs.ts"
import { protections } from "../../../sandbox/check/protections.ts"
import type { Sandbox } from "../../../sandbox/sandbox-state.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import type { Terminal } from "../../terminal.ts"
import { painter } from "../../views/colour.ts"
import { fitCell } from "../../views/widths.ts"
import { type LookedAt, lookAtSandbox } from "./open-sandbox.ts"

/** Columns for what was tried, on a narrow terminal too. */
const MIN_TRIED = 20

interface Report {
  /** As configured. */
  readonly mode: string
  readonly holds: boolean
  /** Why there is none. */
  readonly missing?: string
  readonly warnings: readonly string[]
  readonly proofs: readonly (Proof & { readonly holds: boolean })[]
}

export async function check({ flags, terminal }: Invocation<"sandbox check">): Promise<number> {
  const looked = lookAtSandbox(flags, terminal)
  try {
    const report = await reportOn(looked)
    print({ flags, terminal }, report, () => lines(report, terminal))
    return report.holds ? 0 : 1
  } finally {
    await looked.boxes.close()
  }
}

async function reportOn(looked: LookedAt): Promise<Report> {
  const { settings, workspace, home } = looked
  const own = await looked.of("check")
  const { mode } = settings
  const about = workspace.diagnostics.map(sentence)
  const warnings = () => [...about, ...looked.warnings]
  if (own.kind !== "on") {
    const missing = own.kind === "missing" ? own.why : "it is off"
    return { mode, holds: false, missing, warnings: about, proofs: [] }
  }
  const others = await othersOf(looked)
  const all = [
    ...(await proofs({ sandbox: own, others, directory: looked.directory })),
    ...(await protections(own, home ?? homedir())),
  ].map((proof) => ({ ...proof, holds: proof.said === proof.found }))
  return { mode, holds: all.every(({ holds }) => holds), warnings: warnings(), proofs: all }
}

async function othersOf({ of }: LookedAt): Promise<{ session: Sandbox; agent: Sandbox } | undefined> {
  const [session, agent] = [await of("another"), await of("third", "another agent")]
  return session.kind === "on" && agent.kind === "on" ? { session, agent } : undefined
}

function lines({ mode, missing, warnings, proofs: all }: Report, terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  const warned = warnings.map((text) => paint("yellow", `warning: ${text}`))
  if (missing !== undefined) return [...warned, `No sandbox can be set up here: ${missing}.`]
  const [factWidth, saidWidth] = [widest(all.map(({ fact }) => fact)), widest(all.map(({ said }) => said))]
  const failed = all.filter(({ holds }) => !holds).length
  return [
    ...warned,
    `mode: ${mode}${mode === "off" ? " (this is what would hold if it were on)" : ""}`,
    ...all.map(({ fact, said, found, holds, how }) => {
      const line = `  ${fact.padEnd(factWidth)}  ${said.padEnd(saidWidth)}`
      // What was tried is whole in JSON, and where something doesn't hold.
      const room = terminal.columns - line.length - 2
      return holds
        ? `${line}  ${paint("dim", fitCell(how, Math.max(room, MIN_TRIED)).trimEnd())}`
        : paint("red", `${line.trimEnd()}, but found ${found}  ${how}`)
    }),
    failed === 0 ? `All ${all.length} lines hold.` : `${failed} of ${all.length} lines do not hold.`,
  ]
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length))
}
