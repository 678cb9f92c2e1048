// `incipit diff`: two prompts side by side, each a folder, a saved `build --json`, or a recorded step.
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { plural } from "../../../base/text/figures.ts"
import { diffHunks } from "../../../base/text/unified-diff.ts"
import { type Difference, diff, type FirstDifference, type Owner, texts } from "../../../core/read/diff.ts"
import { type Report, report } from "../../../core/read/report.ts"
import { bare } from "../../../record/ask/log.ts"
import { reportOf } from "../../../record/ask/replay.ts"
import { namedReceipt, type TurnDifference, turnDiff } from "../../../record/ask/turn-diff.ts"
import { parseReport } from "../../../serve/api/compile/report-schema.ts"
import { readJson } from "../../command-line/inputs.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { exitStatus, printDiagnostics } from "../../command-line/print-diagnostics.ts"
import type { Terminal } from "../../terminal.ts"
import { type Paint, painter } from "../../views/colour.ts"
import { oneLine } from "../../views/widths.ts"
import { hasRecord, recordFile, withRecord } from "../record/record-file.ts"
import { compileFromFlags } from "./resolve.ts"

interface Side {
  readonly report: Report
  readonly diagnostics: readonly Diagnostic[]
  readonly isRecorded?: true
}

/** What differs outside of the prompt. */
type RequestDifference = Pick<TurnDifference, "fields" | "conversation">

export async function run({ words, flags, terminal }: Invocation<"diff">): Promise<number> {
  const [a = "", b = ""] = words
  const load = async (word: string): Promise<Side> => {
    const path = resolve(terminal.cwd, word)
    if (existsSync(path) && statSync(path).isDirectory()) {
      const { prompt, diagnostics } = await compileFromFlags(flags, terminal, { folder: path })
      return { report: report(prompt), diagnostics }
    }
    if (!existsSync(path)) {
      const recorded = await recordedReport(word, flags, terminal)
      return { report: recorded, diagnostics: [], isRecorded: true }
    }
    const parsed = parseReport(readJson(path, "bad-prompt-file"))
    if (parsed === undefined)
      throw new IncipitError("bad-prompt-file", `${word} was not written by \`incipit build --json\``)
    return { report: parsed, diagnostics: [] }
  }
  const before = await load(a)
  const after = await load(b)
  const difference = diff(before.report, after.report)
  const request =
    before.isRecorded && after.isRecorded ? await requestDiff(words, flags, terminal) : undefined
  print({ flags, terminal }, { ...difference, first: difference.first ?? null, request }, () => [
    ...differenceView(difference, before.report, after.report, painter(terminal)),
    ...requestLines(request),
  ])
  for (const [word, { diagnostics }] of [[a, before] as const, [b, after] as const]) {
    if (diagnostics.length > 0) terminal.err(`in ${oneLine(word)}:\n`)
    printDiagnostics(diagnostics, terminal)
  }
  return exitStatus([...before.diagnostics, ...after.diagnostics], flags)
}

/** A word that names neither a folder nor a file is looked up in the record. */
async function recordedReport(word: string, flags: FlagsOf<"diff">, terminal: Terminal): Promise<Report> {
  const missing = new IncipitError(
    "unreadable-file",
    `cannot read ${word}: there is no such file and no such recorded turn`,
  )
  if (!hasRecord(recordFile(flags, terminal))) throw missing
  return withRecord(flags, terminal, async (store) => {
    const receipt = await namedReceipt(store, word)
    const found = receipt && (await reportOf(store, receipt))
    if (found === undefined) throw missing
    return found.report
  })
}

async function requestDiff(
  [before = "", after = ""]: readonly string[],
  flags: FlagsOf<"diff">,
  terminal: Terminal,
): Promise<RequestDifference | undefined> {
  return withRecord(flags, terminal, async (store) => {
    const found = await turnDiff(store, before, after)
    return found && { fields: found.fields, conversation: found.conversation }
  })
}

export function requestLines(request: RequestDifference | undefined): readonly string[] {
  if (request === undefined) return []
  const { fields, conversation } = request
  const { shared, before, after } = conversation
  const isSame = shared === before && shared === after
  return [
    ...(fields.length === 0 ? [] : [`request fields that differ: ${fields.map(bare).join(", ")}`]),
    isSame
      ? `conversation: the same ${plural(before, "message")}`
      : `conversation: ${plural(shared, "message")} in common, then ${before - shared} before and ${after - shared} after`,
  ]
}

export function differenceView(
  difference: Difference,
  before: Report,
  after: Report,
  paint: Paint,
): readonly string[] {
  const { added, removed, changed, moved, tools, first } = difference
  if (first === undefined) return ["The two prompts are the same."]
  const list = (verb: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${verb}: ${names.join(", ")}`]
  return [
    ...list("added", added),
    ...list("removed", removed),
    ...list("changed", changed),
    ...list("moved", moved),
    ...list("tools added", tools.added),
    ...list("tools removed", tools.removed),
    ...list("tools changed", tools.changed),
    firstText(first),
    ...changed.flatMap((id) => ["", ...patch(id, before, after, paint)]),
  ]
}

function firstText(first: FirstDifference): string {
  if (first.kind === "tool")
    return `first difference: the tool ${first.name}, so nothing can be read from the cache`
  const owner = first.after ?? first.before
  const cost = `${plural(first.tokensAfter, "token")} from its block on cannot be read from the cache`
  return `first difference: ${owner === undefined ? "the end" : ownerText(owner)}; ${cost}`
}

function ownerText({ section, path, line }: Owner): string {
  return path === undefined ? section : `${section}, ${path}:${line}`
}

function patch(id: string, before: Report, after: Report, paint: Paint): readonly string[] {
  const [was, is] = [texts(before).get(id) ?? "", texts(after).get(id) ?? ""]
  const coloured = diffHunks(was, is, 1)
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines.filter((line) => !line.startsWith("\\")),
    ])
    .map((line) => {
      if (line.startsWith("+")) return paint("green", line)
      return line.startsWith("-") ? paint("red", line) : paint("dim", line)
    })
  return [paint("bold", id), ...coloured]
}
