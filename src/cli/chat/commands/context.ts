// `/context`: what fills the window. Shows the sections of the plan as a bar and a table, then what was left out and
// why, and the room that is left.

import { percent, plural, thousands } from "../../../base/text/figures.ts"
import { inModelTokens } from "../../../core/fit/budget.ts"
import { type Entry, isSeen, type Outcome, type Plan } from "../../../core/model/plan.ts"
import { outcomeText } from "../../commands/prompt/explain.ts"
import { PACE_LOOK, PACE_WORDS } from "../../views/build-view.ts"
import { type Paint, painter, type Style } from "../../views/colour.ts"
import { isNarrow, type Page } from "../../views/page.ts"
import { cells, fitCell, wrap } from "../../views/widths.ts"
import { visible } from "../screen/visible.ts"

export interface ContextOptions extends Page {
  /** Whether the provider caches prefixes at all. */
  readonly hasCache: boolean
}

export function contextView(plan: Plan, options: ContextOptions): readonly string[] {
  const paint = painter(options)
  const shown = parts(plan).filter(({ tokens }) => tokens > 0)
  return [
    ...headingLines(plan, options.columns, paint),
    "",
    ...sectionBar(shown, options, paint),
    "",
    ...sectionTable(plan, options, paint),
    ...omittedLines(plan, options.columns, paint),
    ...waitingLines(plan, options.columns, paint),
    "",
    ...roomLines(plan, options.columns, paint),
  ].map((line) => line.trimEnd())
}

function usedTokens({ budget }: Plan): number {
  return budget.tools + budget.head.used + budget.tail.used + budget.conversation
}

function headingLines(plan: Plan, columns: number, paint: Paint): readonly string[] {
  const { audience, profile, model, budget } = plan
  const used = usedTokens(plan)
  const share = percent(used, budget.window)
  const title = `${thousands(used)} of ${thousands(budget.window)} tokens, ${share}`
  const facts = `${audience.trust} trust in ${audience.situation}, profile ${profile}${model === undefined ? "" : `, ${model}`}`
  return [paint("bold", title), ...wrap(facts, columns).map((line) => paint("dim", line))]
}

interface Part extends Pick<Entry, "tokens" | "pace" | "outcome" | "spans" | "sent" | "current"> {
  readonly name: string
  readonly kind: PartKind
}

/** Two of each letter, to tell neighbours apart. */
const LETTERS = { tools: "Tt", stable: "Ss", session: "Ee", turn: "Uu" } as const
const PART_KINDS = ["tools", "stable", "session", "turn"] as const
type PartKind = (typeof PART_KINDS)[number]

/** All tools as one, since `/tools` lists each; then everything that is in the prompt, or whose absence is news. */
function parts(plan: Plan): readonly Part[] {
  const tools = plan.entries.filter(({ kind, outcome }) => kind === "tool" && outcome.kind !== "withheld")
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0)
  const [first] = tools
  const sections = plan.entries.filter(
    (entry) => entry.kind !== "tool" && (isSeen(entry) || isNoteworthy(entry.outcome)),
  )
  return [
    ...(first === undefined
      ? []
      : [{ ...first, name: `(${plural(tools.length, "tool")})`, kind: "tools" as const, tokens }]),
    ...sections.map((entry) => ({
      ...entry,
      name: entry.kind === "envelope" ? "(frame)" : entry.id,
      kind: entry.pace,
    })),
  ]
}

function sectionBar(
  entries: readonly Part[],
  { columns, colour }: ContextOptions,
  paint: Paint,
): readonly string[] {
  const total = entries.reduce((sum, { tokens }) => sum + tokens, 0)
  if (total === 0) return [paint("dim", "the prompt is empty")]
  const sizes = shares(
    entries.map(({ tokens }) => tokens),
    columns,
  )
  const bar = entries.map(({ kind }, at) => {
    const mark = colour ? "█▓"[at % 2] : LETTERS[kind][at % 2]
    return paint(styleOf(kind), (mark ?? "").repeat(sizes[at] ?? 0))
  })
  const sums = PART_KINDS.flatMap((kind) => {
    const own = entries.filter((entry) => entry.kind === kind)
    if (own.length === 0) return []
    const text = `${kind} ${thousands(own.reduce((sum, { tokens }) => sum + tokens, 0))}`
    return [
      { text: `${colour ? paint(styleOf(kind), "█") : LETTERS[kind][0]} ${text}`, size: 2 + text.length },
    ]
  })
  const isWide = sums.reduce((sum, { size }) => sum + size + 2, 0) <= columns
  return [
    bar.join(""),
    ...(isWide ? [sums.map(({ text }) => text).join("  ")] : sums.map(({ text }) => text)),
  ]
}

function styleOf(kind: PartKind): Style {
  return kind === "tools" ? "green" : PACE_LOOK[kind].style
}

/** Distributes exactly `room` cells if there are enough; even the smallest part gets one. */
export function shares(tokens: readonly number[], room: number): readonly number[] {
  const total = tokens.reduce((sum, size) => sum + size, 0)
  if (tokens.length >= room) return tokens.map((_, at) => (at < room ? 1 : 0))
  const free = room - tokens.length
  let seen = 0
  let given = 0
  return tokens.map((size) => {
    seen += size
    const upTo = Math.round((seen / total) * free)
    const own = upTo - given
    given = upTo
    return 1 + own
  })
}

const HEADS = ["section", "tokens", "changes", "cached", "outcome"]

function sectionTable(plan: Plan, options: ContextOptions, paint: Paint): readonly string[] {
  const { columns } = options
  // A mark at the tokens then shows which sections are cached.
  const isTight = isNarrow(options)
  const rows = parts(plan).map((part) => ({
    part,
    cells: partRow(part, isCached(part, plan, options), isTight),
  }))
  const heads = isTight ? HEADS.with(1, "tokens ") : HEADS
  const isShown = (at: number) => !(isTight && HEADS[at] === "cached")
  const sizes = heads.map((head, at) =>
    Math.max(cells(head), ...rows.map((row) => cells(row.cells[at] ?? ""))),
  )
  const fixed = sizes.slice(1).reduce((sum, size, at) => sum + (isShown(at + 1) ? size + 2 : 0), 0)
  const widths = [Math.min(sizes[0] ?? 0, Math.max(8, columns - fixed)), ...sizes.slice(1)]
  const line = (texts: readonly string[]) =>
    texts
      .flatMap((text, at) =>
        isShown(at) ? [fitCell(text, widths[at] ?? 0, at === 1 ? "right" : "left")] : [],
      )
      .join("  ")
      .trimEnd()
  return [
    paint("dim", line(heads)),
    ...rows.map(({ part, cells: texts }) => (isPlain(part) ? line(texts) : paint("yellow", line(texts)))),
    ...(isTight ? [paint("dim", "* cached")] : []),
  ]
}

function partRow(part: Part, isRead: boolean, isTight: boolean): readonly string[] {
  const { name, tokens, pace } = part
  const count = tokens > 0 ? thousands(tokens) : ""
  const cached = tokens === 0 ? "" : isRead ? "yes" : "no"
  return [
    name,
    isTight ? `${count}${isRead ? "*" : " "}` : count,
    isTight ? PACE_WORDS[pace].replace(/^per /, "") : PACE_WORDS[pace],
    cached,
    outcomeWord(part),
  ]
}

function outcomeWord(part: Part): string {
  const { kind, outcome } = part
  // A tool counts as unused only when its definition is part of the prompt's text.
  if (kind === "tools") return outcome.kind === "unused" ? "as text" : outcome.kind
  return outcome.kind === "included" && isWaiting(part) ? "waiting" : outcome.kind
}

/** Up to the last breakpoint; the whole head if the provider caches prefixes without breakpoints. */
function isCached({ kind, tokens, spans }: Part, { blocks }: Plan, { hasCache }: ContextOptions): boolean {
  if (!hasCache || tokens === 0) return false
  const marked = blocks.findLastIndex(({ breakpoint }) => breakpoint !== undefined)
  const heads = blocks.findLastIndex(({ placement }) => placement === "head")
  const last = marked === -1 ? heads : marked
  if (kind === "tools") return last >= 0
  return spans.length > 0 && spans.every(({ block }) => block <= last)
}

function isNoteworthy({ kind }: Outcome): boolean {
  return kind === "withheld" || kind === "dropped"
}

function isPlain(part: Part): boolean {
  return ["included", "unchanged"].includes(outcomeWord(part))
}

function omittedLines(plan: Plan, columns: number, paint: Paint): readonly string[] {
  const cut = plan.entries
    .filter(({ outcome }) => outcome.kind === "truncated" || outcome.kind === "dropped")
    .map((entry) => `${entry.id}: ${outcomeText(entry.outcome, true)}`)
  const all = [...cut, ...withheldReasons(plan)]
  const unused = plan.entries
    .filter((entry) => entry.kind === "section" && entry.outcome.kind === "unused" && !isSeen(entry))
    .map(({ id }) => id)
  return [
    ...(all.length === 0 ? [] : ["", paint("bold", "Left out or truncated")]),
    ...all.flatMap((text) => wrap(text, columns - 2).map((line) => paint("yellow", `  ${line}`))),
    ...(unused.length === 0 ? [] : [""]),
    ...(unused.length === 0
      ? []
      : wrap(`not used: ${unused.join(", ")}`, columns).map((line) => paint("dim", line))),
  ]
}

/** The source has changed, and the model still has the old text. */
function isWaiting({ pace, sent, current }: Pick<Entry, "pace" | "sent" | "current">): boolean {
  return pace !== "turn" && sent !== undefined && current !== sent
}

function waitingLines({ entries }: Plan, columns: number, paint: Paint): readonly string[] {
  const ids = entries.filter(isWaiting).map(({ id }) => id)
  if (ids.length === 0) return []
  const text = `changed since it was sent: ${ids.join(", ")}; sent when the prompt is rebuilt, or after /reload`
  return ["", ...wrap(text, columns).map((line) => paint("yellow", line))]
}

/** Sections, then files, by the trust they need. */
function withheldReasons({ entries, hidden, audience }: Plan): readonly string[] {
  const reasons = [
    ...entries.flatMap(({ id, outcome }) =>
      outcome.kind === "withheld" ? [{ name: id, why: trustText(outcome.needs) }] : [],
    ),
    ...hidden.map(({ path, why, needs }) => ({
      name: visible(path),
      why: why === "trust" ? trustText(needs) : `not for this ${why}`,
    })),
  ]
  return [...Map.groupBy(reasons, ({ why }) => why)].map(
    ([why, items]) =>
      `withheld from ${audience.trust} trust, ${why}: ${items.map(({ name }) => name).join(", ")}`,
  )
}

function trustText(needs: string): string {
  return `needs ${needs}`
}

function roomLines(plan: Plan, columns: number, paint: Paint): readonly string[] {
  const { budget } = plan
  const free = Math.max(0, budget.window - budget.reserve - usedTokens(plan))
  const rows: readonly (readonly [string, number])[] = [
    ["tools", budget.tools],
    ["cached prefix", budget.head.used],
    ["turn context", budget.tail.used],
    ["conversation", budget.conversation],
    ["reserved for the answer", budget.reserve],
    ["free", free],
  ]
  const name = Math.max(...rows.map(([text]) => text.length))
  const size = Math.max(...rows.map(([, tokens]) => thousands(tokens).length))
  const isEstimate = inModelTokens(1_000, budget) !== 1_000
  return [
    ...rows.map(([text, tokens]) => {
      const line = `${fitCell(text, name)}  ${fitCell(thousands(tokens), size, "right")}  ${fitCell(percent(tokens, budget.window), 8, "right")}`
      return text === "free" ? paint("green", line) : line
    }),
    ...(isEstimate
      ? wrap(
          `sections are counted with ${budget.counter}; the sums are multiplied by ${budget.factor} for this model`,
          columns,
        ).map((line) => paint("dim", line))
      : []),
  ]
}
