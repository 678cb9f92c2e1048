// Why a section is in the prompt, and everything that is not in it with the reason.
import type { Report, ReportSection } from "../../../src/core/read/report.ts"
import { outcomeOf } from "../../parts/outcome.ts"
import { visibleName } from "../../parts/visible-text.ts"
import type { MissingRow } from "./prompt-row.ts"

/** Why a section was sent: its priority, and who may see it. */
export function sentBecause({ priority, trust, by }: ReportSection): string {
  const audience =
    trust === "public"
      ? "open to everyone"
      : trust === "full"
        ? "only for full trust"
        : `open to ${trust} trust and above`
  const edits = by.length === 0 ? "" : `; edited by ${visibleName(by.join(", "))}`
  return `${priority === "required" ? "required" : `priority ${priority}`}, ${audience}${edits}`
}

const WHY_WITHHELD: Readonly<Record<Report["withheld"][number]["why"], (needs: string) => string>> = {
  trust: (needs) => `needs ${needs} trust`,
  situation: () => "for another situation",
  mode: () => "for another mode",
}

/** Everything that is not in the prompt: withheld first, then what had no room, then what has no text. */
export function missingRows(report: Report, sent: ReadonlySet<string>): readonly MissingRow[] {
  const files = report.withheld.map(({ path, why, needs }) => ({
    key: `withheld:${path}`,
    title: visibleName(path),
    outcome: {
      ...({ sign: "withheld", word: "withheld" } as const),
      reason: Object.hasOwn(WHY_WITHHELD, why) ? WHY_WITHHELD[why](needs) : visibleName(why),
    } as const,
  }))
  const sections = report.sections
    .filter(({ id, outcome: { kind } }) => !sent.has(id) && kind !== "included" && kind !== "truncated")
    .map(({ id, outcome }) => ({ key: `missing:${id}`, title: visibleName(id), outcome: outcomeOf(outcome) }))
  const tools = report.tools
    .filter(({ outcome: { kind } }) => kind === "withheld" || kind === "dropped")
    .map(({ name, outcome }) => ({
      key: `missing:tool:${name}`,
      title: visibleName(name),
      outcome: outcomeOf(outcome),
    }))
  const rank = ({ outcome: { sign } }: MissingRow) => ORDER.indexOf(sign)
  return [...files, ...sections, ...tools].sort((a, b) => rank(a) - rank(b))
}

const ORDER: readonly string[] = [
  "withheld",
  "dropped",
  "ended",
  "unchanged",
  "truncated",
  "included",
  "unused",
]
