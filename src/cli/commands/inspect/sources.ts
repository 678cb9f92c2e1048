// What a word on the command line names: a file with a report or with calls, a session, or, without a word, the folder.
import { existsSync, statSync } from "node:fs"
import { basename, resolve } from "node:path"
import { sentence } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import type { Report } from "../../../core/read/report.ts"
import { parseReport } from "../../../serve/api/compile/report-schema.ts"
import { compiledSource } from "../../../serve/page/compiled-source.ts"
import type { PageSource } from "../../../serve/page/page-source.ts"
import { MOST_JSON_BYTES, readJson } from "../../command-line/inputs.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { type AgentRecord, openAgentRecord } from "./agent-record.ts"
import { type Captured, ofFile, ofThisMachine, openCaptured } from "./captured.ts"
import { folderSource } from "./folder.ts"

export interface InspectOptions {
  readonly word: string | undefined
  readonly flags: FlagsOf<"inspect">
  readonly terminal: Terminal
}

export interface Inspected {
  readonly title: string
  /** Those that there are now: calls of clients are found while the page is open. */
  readonly sources: () => readonly PageSource[]
  readonly captured?: Captured | undefined
  readonly agent?: AgentRecord | undefined
}

export function sourcesFor(options: InspectOptions): Promise<Inspected> {
  const { word, terminal } = options
  if (word === undefined) return sourcesOfFolder(options)
  const path = resolve(terminal.cwd, word)
  if (existsSync(path)) return sourceOfFile(path, terminal)
  if (/[/\\]|\.(?:json|jsonl|ndjson|db)$/i.test(word)) throw nothing(`there is no file ${path}`)
  return sourcesOfSession(word, options)
}

async function sourcesOfFolder({ flags, terminal }: InspectOptions): Promise<Inspected> {
  const root = workspaceFolder(flags, terminal)
  const { name, source: folder } = await folderSource(root, flags, terminal)
  const agent = await openAgentRecord({ flags, terminal })
  const captured = openCaptured(ofThisMachine(), terminal)
  await captured.index.first
  const sources = () => [...foundIn(agent, captured), folder]
  return { title: name, sources, captured, agent }
}

function foundIn(agent: AgentRecord | undefined, { index, source }: Captured): readonly PageSource[] {
  return [agent?.source ?? [], index.sessions().length === 0 ? [] : source].flat()
}

async function sourceOfFile(path: string, terminal: Terminal): Promise<Inspected> {
  const stat = statSync(path)
  if (stat.isDirectory())
    throw nothing(`${path} is a folder: run \`incipit inspect\` in it, or with --workspace`)
  if (!stat.isFile()) throw nothing(`${path} is not a regular file`)
  const title = basename(path)
  const report = stat.size > MOST_JSON_BYTES ? undefined : reportIn(path)
  if (report !== undefined) {
    const versions = [{ report, error: null, at: stat.mtimeMs, number: 1 }]
    const source = compiledSource({ id: "report", title, versions: async () => versions })
    return { title, sources: () => [source] }
  }
  const captured = openCaptured(ofFile(path, title), terminal)
  await captured.index.first
  if (captured.index.sessions().length === 0) throw nothing(noCallsIn(path, captured))
  return { title, sources: () => [captured.source], captured }
}

/** Undefined if the file holds something else. */
function reportIn(path: string): Report | undefined {
  try {
    return parseReport(readJson(path, "bad-prompt-file"))
  } catch (error) {
    if (error instanceof IncipitError && error.code === "bad-prompt-file") return undefined
    throw error
  }
}

function noCallsIn(path: string, { diagnostics }: Captured): string {
  const [first] = diagnostics
  // It begins with the path, which has been said.
  const why = first === undefined ? "" : `: ${sentence(first).replace(`${path}:`, "line ")}`
  return `${path} was not written by \`incipit build --json\`, and no calls can be read from it${why}`.replace(
    /\.$/,
    "",
  )
}

async function sourcesOfSession(session: string, { flags, terminal }: InspectOptions): Promise<Inspected> {
  const agent = await openAgentRecord({ session, flags, terminal })
  const captured = openCaptured(ofThisMachine(session), terminal)
  captured.followProgress(flags)
  await captured.index.first
  // It may be older than the files that are read first.
  if (foundIn(agent, captured).length === 0) await captured.index.whole
  if (foundIn(agent, captured).length === 0)
    throw nothing(
      `there is no session ${session}, neither of an agent in ${workspaceFolder(flags, terminal)} nor of your coding agents`,
    )
  return { title: session, sources: () => foundIn(agent, captured), captured, agent }
}

function nothing(why: string): IncipitError {
  return new IncipitError("nothing-to-inspect", why)
}
