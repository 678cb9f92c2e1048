// What became of a section, in a sign, a word and a reason.
import { plural } from "../../../src/base/text/figures.ts"
import type { Outcome } from "../../../src/core/model/plan.ts"
import type { Report, ReportSection } from "../../../src/core/read/report.ts"
import { unusedText } from "../../../src/core/read/unused-text.ts"
import { count } from "../../parts/figures.ts"
import { visibleName } from "../../parts/visible-text.ts"
import type { MissingRow, RowOutcome } from "./prompt-row.ts"

export function outcomeOf(outcome: Outcome): RowOutcome {
  const { kind } = outcome
  return { sign: kind, word: kind === "unused" ? "not used" : kind, reason: reasonOf(outcome) }
}

function reasonOf(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case "truncated":
      return `${count(outcome.from)} to ${count(outcome.to)} tokens, by ${outcome.how}`
    case "unchanged":
      return "sent earlier, and the same since"
    case "ended":
      return "sent earlier; one line says that it no longer holds"
    case "withheld":
      return `needs ${outcome.needs} trust, has ${outcome.has}`
    case "dropped":
      return `${plural(outcome.overBy, "token")} more than was left`
    case "unused":
      return unusedWords(outcome.why)
    default:
      return undefined
  }
}

/** A saved report may be of another version, or edited: then its reason has another kind, or lacks a part. */
function unusedWords(why: Extract<Outcome, { readonly kind: "unused" }>["why"]): string {
  const kind = visibleName(why.kind.replaceAll("-", " "))
  try {
    const text: string | undefined = unusedText(why)
    return text === undefined ? kind : visibleName(text)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return kind
  }
}

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
