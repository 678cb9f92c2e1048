// `incipit explain`: why something is or isn't in the prompt.
import { existsSync, lstatSync, readlinkSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { IncipitError } from "../../../base/error.ts"
import { misspelled } from "../../../base/nearest.ts"
import { errorCode, reasonOf } from "../../../base/system-error.ts"
import { plural, thousands } from "../../../base/text/figures.ts"
import { inModelTokens } from "../../../core/fit/budget.ts"
import type { Outcome } from "../../../core/model/plan.ts"
import { type Explanation, explain, type FileFate, type FileUse } from "../../../core/read/explain.ts"
import {
  type Report,
  type ReportOrigin,
  type ReportSection,
  type ReportSpan,
  report,
} from "../../../core/read/report.ts"
import { unreadText } from "../../../core/read/unread-text.ts"
import { unusedText } from "../../../core/read/unused-text.ts"
import type { UnusedReason } from "../../../core/view/unused.ts"
import { statAt } from "../../../files/identity.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { exitStatus, printDiagnostics } from "../../command-line/print-diagnostics.ts"
import type { Terminal } from "../../terminal.ts"
import { PACE_WORDS } from "../../views/build-view.ts"
import { type Paint, painter } from "../../views/colour.ts"
import { unusedFix } from "../../views/unused-fix.ts"
import { printChannelNote } from "./channel-note.ts"
import { explainPath, refined } from "./explain-path.ts"
import { type Compiled, compileFromFlags } from "./resolve.ts"

export async function run({ words, flags, terminal }: Invocation<"explain">): Promise<number> {
  const compiled = await compileFromFlags(flags, terminal)
  const { prompt, diagnostics } = compiled
  const whole = report(prompt)
  const query = words[0] ?? ""
  const found = explained(query, compiled, whole, terminal)
  if (found.length === 0) throw notInPrompt(query, whole, terminal)
  print({ flags, terminal }, found, () =>
    found.flatMap((item) => explanationView(item, whole, painter(terminal))),
  )
  printChannelNote(compiled.input, terminal)
  printDiagnostics(diagnostics, terminal)
  return exitStatus(diagnostics, flags)
}

function notInPrompt(
  query: string,
  { sections, tools }: Report,
  { cwd }: Pick<Terminal, "cwd">,
): IncipitError {
  const path = resolve(cwd, query)
  if (statAt(path)?.isDirectory() === true)
    return new IncipitError(
      "not-found",
      `nothing in the folder "${query}" is in this prompt. Name one of its files to see why`,
    )
  const problem = whyNoFile(path)
  if (problem !== undefined) return new IncipitError("unreadable-file", `cannot read ${query}: ${problem}`)
  const paths = sections.flatMap(({ spans }) =>
    spans.flatMap(({ from }) => (from !== undefined && "path" in from ? from.path : [])),
  )
  const names = [...sections.map(({ id }) => id), ...tools.map(({ name }) => name), ...new Set(paths)]
  const meant = misspelled(query, names)
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`
  return new IncipitError(
    "not-found",
    `"${query}" isn't a section, a tool, a file or a piece of text in this prompt${hint}`,
  )
}

/** Returns undefined if there is nothing at the path: then it isn't meant as one. */
function whyNoFile(path: string): string | undefined {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined
    statSync(path)
    return undefined
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    if (code === "ENOENT") return `it is a link to ${readlinkSync(path)}, which does not exist`
    return code === "EACCES" || code === "ELOOP" ? reasonOf(code) : undefined
  }
}

/** A section or tool wins over an existing path, and a path over a piece of text. */
export function explained(
  word: string,
  compiled: Compiled,
  whole: Report,
  { cwd }: Pick<Terminal, "cwd">,
): readonly Explanation[] {
  const found = explain(whole, word, compiled.files).map((item) =>
    item.kind === "file" ? refined(item, { ...compiled, whole }) : item,
  )
  if (word === "" || found.some(({ kind }) => kind === "section" || kind === "tool")) return found
  const { directory = cwd } = compiled.input.session
  const places = [resolve(cwd, word), resolve(directory, word), resolve(compiled.input.workspace.root, word)]
  const path = places.find((place) => existsSync(place))
  if (path === undefined) return found
  const here = explainPath(path, { ...compiled, whole, directory })
  if (here === undefined) return found
  // A bare name may also mean further files of that name.
  const paths = new Set(here.map((item) => (item.kind === "file" ? item.path : "")))
  return [
    ...here,
    ...found.filter((item) => item.kind === "file" && item.path.endsWith(word) && !paths.has(item.path)),
  ]
}

export function explanationView(item: Explanation, whole: Report, paint: Paint): readonly string[] {
  if (item.kind === "section") return sectionView(item.section, whole, paint)
  if (item.kind === "tool") {
    return [
      `${paint("bold", `tool ${item.name}`)}: ${outcomeText(item.outcome, whole.tools.length > 0)}, ${plural(item.tokens, "token")}, sent before everything else`,
    ]
  }
  if (item.kind === "text") {
    const source = item.path === undefined ? "" : `, from ${item.path}:${item.line}`
    return [
      `in ${paint("bold", item.section)}${source} (block ${item.block + 1}, character ${thousands(item.offset)})`,
    ]
  }
  return fileView(item, whole, paint)
}

function sectionView(section: ReportSection, whole: Report, paint: Paint): readonly string[] {
  const { id, outcome, tokens, pace, priority, trust, spans, by } = section
  return [
    `${paint("bold", id)}: ${outcomeText(outcome, whole.tools.length > 0)}`,
    `  changes ${PACE_WORDS[pace]}, priority ${priority}, for ${trust} trust and above`,
    ...(tokens > 0 ? [`  costs ${costText(tokens, whole)}`] : []),
    ...placeTexts(spans, whole).map((line) => `  ${line}`),
    ...(by.length > 0 ? [`  edited by ${by.join(", ")}`] : []),
    ...(section.sent !== section.current && section.sent !== null
      ? ["  its source has changed since it was sent"]
      : []),
  ]
}

function fileView(
  item: Extract<Explanation, { kind: "file" }>,
  whole: Report,
  paint: Paint,
): readonly string[] {
  const { path, uses, fate, asked } = item
  if (asked !== undefined) {
    const { asked: _, ...same } = item
    return [`${paint("bold", asked)}: the same file as ${path}`, ...fileView(same, whole, paint)]
  }
  if (fate.kind === "withheld") {
    const reason =
      fate.why === "trust"
        ? `it needs ${fate.needs} trust and this session has ${fate.has}`
        : `it is not for this ${fate.why}`
    return [`${paint("bold", path)}: withheld, ${reason}`]
  }
  if (fate.kind === "unread") return [`${paint("bold", path)}: not in the prompt. ${unreadText(fate.why)}`]
  if (fate.kind === "unused") {
    return [`${paint("bold", path)}: not in the prompt. ${unusedFile(fate, whole)}`]
  }
  const sections = [...new Set(uses.map(({ section }) => section))]
  return [
    `${paint("bold", path)}: in the prompt`,
    ...sections.flatMap((section) =>
      useView(
        section,
        uses.filter((use) => use.section === section),
        whole,
      ),
    ),
  ]
}

/** Everything that one section has of the file, and the section's cost; the cost of a part is not known. */
function useView(section: string, uses: readonly FileUse[], whole: Report): readonly string[] {
  const characters = uses.reduce((sum, use) => sum + use.characters, 0)
  const ranges = joined(uses.map(({ lines }) => lines)).map(([from, to]) =>
    from === to ? `${from}` : `${from} to ${to}`,
  )
  const noun = ranges.length === 1 && !ranges[0]?.includes(" ") ? "line" : "lines"
  const owner = whole.sections.find(({ id }) => id === section)
  return [
    `  ${noun} ${ranges.join(", ")} in ${section}, ${plural(characters, "character")}`,
    ...(owner === undefined ? [] : [`  ${section} costs ${costText(owner.tokens, whole)}`]),
  ]
}

/** Ranges of lines that overlap or follow each other are one. They are in the order of the text that was sent. */
function joined(ranges: readonly FileUse["lines"][]): readonly FileUse["lines"][] {
  const found: FileUse["lines"][] = []
  for (const [from, to] of ranges) {
    const last = found.at(-1)
    if (last !== undefined && from >= last[0] && from <= last[1] + 1)
      found[found.length - 1] = [last[0], Math.max(last[1], to)]
    else if (!found.some((one) => one[0] === from && one[1] === to)) found.push([from, to])
  }
  return found
}

/** `hasTools`: tools are registered, so that `--tools` is not the answer. */
export function outcomeText(outcome: Outcome, hasTools: boolean): string {
  if (outcome.kind === "truncated")
    return `truncated from ${thousands(outcome.from)} to ${plural(outcome.to, "token")}, by ${outcome.how}`
  if (outcome.kind === "withheld")
    return `withheld: it needs ${outcome.needs} trust and this session has ${outcome.has}`
  if (outcome.kind === "dropped")
    return `dropped: ${plural(outcome.overBy, "token")} over the budget that was left`
  if (outcome.kind === "unused") return whyUnused(outcome.why, hasTools)
  if (outcome.kind === "unchanged") return "unchanged: sent earlier in this conversation"
  return outcome.kind
}

/** In terms of the section that reads it. */
function unusedFile({ section, outcome }: Extract<FileFate, { kind: "unused" }>, whole: Report): string {
  if (outcome === undefined || section === undefined)
    return "It was given to the prompt, and no section uses it."
  return `The section ${section} is ${outcomeText(outcome, whole.tools.length > 0)}`
}

function whyUnused(why: UnusedReason, hasTools: boolean): string {
  return ["not used.", unusedText(why), unusedFix(why, hasTools)]
    .filter((part) => part !== undefined)
    .join(" ")
}

function costText(tokens: number, { budget, model }: Report): string {
  const counted = `${plural(tokens, "token")} (${budget.counter})`
  if (budget.exact && budget.factor === 1) return counted
  if (model === null && budget.factor === 1) return `${counted}, an estimate for other models`
  return `${counted}, about ${thousands(inModelTokens(tokens, budget))} of ${model ?? "the model"}`
}

/** Where it is, block by block, and the sources of its text in each. */
function placeTexts(spans: readonly ReportSpan[], whole: Report): readonly string[] {
  return [...new Set(spans.map(({ block }) => block))].flatMap((block) => {
    const here = spans.filter((span) => span.block === block)
    const place = `in block ${block + 1} (${whole.blocks[block]?.placement}), characters ${thousands(here[0]?.start ?? 0)} to ${thousands(here.at(-1)?.end ?? 0)}`
    return [place, ...new Set(here.flatMap(({ from }) => (from === undefined ? [] : [originText(from)])))]
  })
}

function originText(from: ReportOrigin): string {
  if ("bundled" in from) return `from the bundled text "${from.bundled}"`
  if ("by" in from) return `written by ${from.by}`
  return `from ${from.path}, lines ${from.lines[0]} to ${from.lines[1]}`
}
