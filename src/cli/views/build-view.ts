// The readable report: the audience, a table of sections, and a bar of the blocks with their cache boundaries.
import type { Pace } from "../../base/pace.ts"
import { plural, thousands } from "../../base/text/figures.ts"
import { type Block, type Entry, isSeen, type Outcome, type Plan } from "../../core/model/plan.ts"
import { unusedText } from "../../core/read/unused-text.ts"
import { isChannelName } from "../../sources/config/policy.ts"
import type { Compiled } from "../commands/prompt/resolve.ts"
import { sumLines, toolTokens } from "./build-sum.ts"
import { type Paint, painter, type Style } from "./colour.ts"
import { isNarrow, type Page } from "./page.ts"
import { cells, fitCell, oneLine, wrap } from "./widths.ts"

export function buildView(compiled: Compiled, page: Page): string {
  const { prompt, input } = compiled
  const paint = painter(page)
  // Those of a file are what the reader asks about; those of an agent are always the same.
  const areToolsFolded = input.toolsFrom === "agent"
  const lines = [
    ...headingLines(compiled, paint),
    "",
    ...planView(prompt.plan, page, { areToolsFolded, areToolsNamed: areToolsFolded }),
    ...aboutTools(compiled, page.columns, paint),
  ]
  return `${lines.map((line) => oneLine(line.trimEnd())).join("\n")}\n`
}

export interface PlanViewOptions {
  /** Shows all tools as one row. */
  readonly areToolsFolded?: boolean
  /** Names the tools of that row, each with its tokens. */
  readonly areToolsNamed?: boolean
}

export function planView(
  plan: Plan,
  page: Page,
  { areToolsFolded = false, areToolsNamed = false }: PlanViewOptions = {},
): readonly string[] {
  const paint = painter(page)
  return [
    ...sectionTable(areToolsFolded ? withFoldedTools(plan) : plan, page.columns, paint),
    ...(areToolsNamed ? namedTools(plan, page.columns, paint) : []),
    ...omitted(plan, page.columns, paint),
    ...withheld(plan, page.columns, paint),
    "",
    ...blockBar(plan, page.columns, paint),
    "",
    ...sumLines(plan, page.columns, paint),
  ].map((line) => line.trimEnd())
}

const isOfTool = ({ kind }: Entry) => kind === "tool"

/** One row for the tools that are sent. */
function withFoldedTools(plan: Plan): Plan {
  const sent = plan.entries.filter((entry) => isOfTool(entry) && entry.outcome.kind !== "withheld")
  const others = plan.entries.filter((entry) => !isOfTool(entry))
  const [first] = sent
  if (first === undefined) return { ...plan, entries: others }
  const tokens = sent.reduce((sum, tool) => sum + tool.tokens, 0)
  const all: Entry = { ...first, kind: "section", id: plural(sent.length, "tool"), tokens }
  return { ...plan, entries: [all, ...others] }
}

/** What the one row stands for, and the tools that this audience does not get. */
function namedTools({ entries }: Plan, width: number, paint: Paint): string[] {
  const tools = entries.filter(isOfTool)
  const sent = tools.filter(({ outcome }) => outcome.kind !== "withheld")
  const figures = sent.map(({ id, tokens }) => `${id} ${thousands(tokens)}`)
  const refused = new Map<string, string[]>()
  for (const { id, outcome } of tools) {
    if (outcome.kind !== "withheld") continue
    refused.set(outcome.needs, [...(refused.get(outcome.needs) ?? []), id])
  }
  const lines = (text: string, style: Style) => wrap(text, width - 2).map((line) => paint(style, `  ${line}`))
  return [
    ...(sent.length === 0 ? [] : lines(`tools: ${figures.join(", ")}`, "dim")),
    ...[...refused].flatMap(([needs, ids]) =>
      lines(`withheld tools: ${ids.join(", ")} (need ${needs})`, "yellow"),
    ),
  ]
}

/** Tools that a running agent has besides the ones that are shown. */
function aboutTools({ input }: Compiled, width: number, paint: Paint): readonly string[] {
  const note = toolsNote(input)
  return note === undefined ? [] : wrap(note, width - 2).map((line) => paint("dim", `  ${line}`))
}

function toolsNote({ toolsFrom, agent, workspace }: Compiled["input"]): string | undefined {
  if (toolsFrom === "agent") {
    const servers = Object.keys(workspace.config.mcp ?? {})
    if (servers.length === 0) return undefined
    return `without the tools of the MCP ${servers.length === 1 ? "server" : "servers"} ${servers.join(", ")}: only a running agent asks for them`
  }
  return agent.tools.length === 0 ? "no tools; add those of a running agent with `--tools agent`" : undefined
}

function headingLines({ name, input, prompt }: Compiled, paint: Paint): string[] {
  const { audience, profile, model } = prompt.plan
  const mode = audience.mode === "full" ? "" : `, mode ${audience.mode}`
  const { person, room, isOwner, channel } = input.session
  const nobody = isOwner === true ? "the owner" : "a stranger"
  const who = person ?? (room === undefined ? nobody : `the room ${room}`)
  const where = channel !== undefined && isChannelName(channel) ? ` over ${channel}` : ""
  return [
    `${paint("bold", name)} for ${who}${where}: ${paint("bold", audience.trust)} trust in ${audience.situation}${mode}`,
    paint("dim", `profile ${profile}${model === undefined ? "" : `, model ${model}`}`),
  ]
}

interface Row {
  readonly cells: readonly string[]
  readonly style: Style | undefined
}

const COLUMNS = ["section", "changes", "tokens", "outcome", "source"]

function sectionTable(plan: Plan, width: number, paint: Paint): string[] {
  const shown = plan.entries.filter(
    (entry) => entry.kind === "tool" || isSeen(entry) || isNoteworthy(entry.outcome),
  )
  // The blocks below the table show when a section changes, too.
  const isShown = (at: number) => !isNarrow({ columns: width }) || COLUMNS[at] !== "changes"
  const rows = shown.map(entryRow)
  const sizes = COLUMNS.map((title, at) =>
    Math.max(cells(title), ...rows.map((row) => cells(row.cells[at] ?? ""))),
  )
  const fixed = sizes.slice(1, -1).reduce((sum, size, at) => sum + (isShown(at + 1) ? size + 2 : 0), 2)
  const first = Math.min(sizes[0] ?? 0, Math.max(8, width - fixed - 12))
  const widths = [first, ...sizes.slice(1, -1), Math.max(8, width - fixed - first - 2)]
  const line = (texts: readonly string[]) =>
    `  ${texts.flatMap((text, at) => (isShown(at) ? [fitCell(text, widths[at] ?? 0, at === 2 ? "right" : "left")] : [])).join("  ")}`
  return [
    paint("dim", line(COLUMNS)),
    ...rows.map(({ cells: texts, style }) => (style ? paint(style, line(texts)) : line(texts))),
  ]
}

function entryRow(entry: Entry): Row {
  const { outcome } = entry
  const name = entry.kind === "tool" ? `tool ${entry.id}` : entry.id
  const tokens = entry.tokens > 0 ? thousands(entry.tokens) : ""
  const style = outcome.kind === "included" || outcome.kind === "unchanged" ? undefined : "yellow"
  const source = entry.kind === "envelope" ? "around the turn context" : sourceOf(entry)
  // A tool counts as unused only when its definition is part of the prompt's text.
  const kind = entry.kind === "tool" && outcome.kind === "unused" ? "as text" : outcome.kind
  return { cells: [name, PACE_WORDS[entry.pace], tokens, kind, outcomeReason(outcome) ?? source], style }
}

/** An outcome worth showing although nothing is in the prompt. */
function isNoteworthy({ kind }: Outcome): boolean {
  return kind === "withheld" || kind === "dropped"
}

function outcomeReason(outcome: Outcome): string | undefined {
  if (outcome.kind === "truncated")
    return `${thousands(outcome.from)} to ${thousands(outcome.to)} tokens, by ${outcome.how}`
  if (outcome.kind === "withheld") return `needs ${outcome.needs}, has ${outcome.has}`
  if (outcome.kind === "dropped") return `${plural(outcome.overBy, "token")} more than was left`
  if (outcome.kind === "unused") return unusedText(outcome.why)
  return undefined
}

/** The files of an entry, each with its lines. */
function sourceOf({ spans }: Pick<Entry, "spans">): string {
  const ranges = new Map<string, readonly [number, number]>()
  const others = new Set<string>()
  for (const { from } of spans) {
    if (from?.kind === "bundled") others.add(`bundled ${from.name}`)
    if (from?.kind === "edit") others.add(`edit by ${from.by}`)
    if (from?.kind !== "file") continue
    const known = ranges.get(from.path) ?? from.lines
    ranges.set(from.path, [Math.min(known[0], from.lines[0]), Math.max(known[1], from.lines[1])])
  }
  const files = [...ranges].map(([path, [first, last]]) =>
    first === last ? `${path}:${first}` : `${path}:${first}-${last}`,
  )
  const known = [...files, ...others]
  return known.length === 0 && spans.length > 0 ? "(computed)" : known.join(", ")
}

/** The names of unused sections. */
function omitted(plan: Plan, width: number, paint: Paint): string[] {
  const names = plan.entries
    .filter((entry) => entry.kind !== "tool" && entry.outcome.kind === "unused" && !isSeen(entry))
    .map(({ id }) => id)
  if (names.length === 0) return []
  return wrap(`not used: ${names.join(", ")}`, width - 2).map((line) => paint("dim", `  ${line}`))
}

/** Files that this audience may not see, in any section. */
function withheld({ hidden }: Plan, width: number, paint: Paint): string[] {
  if (hidden.length === 0) return []
  const names = hidden.map(
    ({ path, why, needs }) => `${path} (${why === "trust" ? `needs ${needs}` : `not for this ${why}`})`,
  )
  return wrap(`withheld: ${names.join(", ")}`, width - 2).map((line) => paint("yellow", `  ${line}`))
}

interface Segment {
  readonly label: string
  readonly tokens: number
  readonly style: Style
  readonly mark: string
  readonly note: string
}

/** How often text of each pace changes, in a word for people. */
export const PACE_WORDS: Readonly<Record<Pace, string>> = {
  stable: "rarely",
  session: "per session",
  turn: "per turn",
}

/** How text of each pace is drawn. */
export const PACE_LOOK: Readonly<Record<Pace, { readonly style: Style; readonly mark: string }>> = {
  stable: { style: "blue", mark: "█" },
  session: { style: "cyan", mark: "▓" },
  turn: { style: "magenta", mark: "░" },
}

function blockBar(plan: Plan, width: number, paint: Paint): string[] {
  const segments = segmentsOf(plan)
  const total = segments.reduce((sum, { tokens }) => sum + tokens, 0)
  if (total === 0) return [paint("dim", "  the prompt is empty")]
  const room = width - 4 - segments.length
  const bar = segments
    .map(({ tokens, mark, style }) =>
      paint(style, mark.repeat(Math.max(1, Math.round((tokens / total) * room)))),
    )
    .join(paint("dim", "│"))
  const size = Math.max(...segments.map(({ tokens }) => thousands(tokens).length))
  const name = Math.max(...segments.map(({ label }) => label.length))
  const legend = segments.map(({ label, tokens, mark, style, note }) => {
    const figures = `  ${paint(style, mark)} ${fitCell(label, name)}  ${fitCell(thousands(tokens), size, "right")}`
    return isNarrow({ columns: width }) ? figures : `${figures}  ${paint("dim", note)}`
  })
  return [`  ${bar}`, ...legend]
}

function segmentsOf(plan: Plan): Segment[] {
  const tools = toolTokens(plan)
  const blocks = plan.blocks.map(({ placement, pace, tokens, breakpoint }): Segment => {
    const label = placement === "tail" ? "turn context" : `${pace} prefix`
    return {
      label,
      tokens,
      ...PACE_LOOK[pace],
      note: blockNote(placement, breakpoint),
    }
  })
  if (tools === 0) return blocks
  return [
    { label: "tools", tokens: tools, style: "green", mark: "▒", note: "the first bytes of every request" },
    ...blocks,
  ]
}

function blockNote(placement: Block["placement"], breakpoint: Block["breakpoint"]): string {
  if (placement === "tail") return "in the message that opens the turn"
  return breakpoint === undefined
    ? "changes with every turn, so it is never cached"
    : `ends with a breakpoint, cached for ${breakpoint.ttl}`
}
