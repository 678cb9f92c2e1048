// The source map for prompts that we did not compile: for each part of a call, whose text it is. What is not shown to be
// somebody's is the client's own. Reads files, and only reads; a part is looked at once for all calls.
import { dirname, isAbsolute, join, resolve } from "node:path"
import type { Counter } from "../../core/model/counter.ts"
import { refOf } from "../../database/text-ref.ts"
import { isInside } from "../../files/inside.ts"
import { readRegular } from "../../files/read-regular.ts"
import type { CapturedCall, SeenFile } from "../call.ts"
import type { OwnedSpan } from "../owner.ts"
import type { CallPart } from "../split/part.ts"
import type { SplitCall } from "../split/splitter.ts"
import { type Candidate, type CandidateOptions, candidatesOf } from "./candidates.ts"
import { quotedFiles } from "./envelopes.ts"
import { type Field, fieldOf, matchFields } from "./fields.ts"
import { createLineIndex, type FileVersion, type LineIndex, sourceFile } from "./line-index.ts"
import { type LineOwners, spansOf } from "./line-owners.ts"
import { quoteLines } from "./quoted-lines.ts"
import { type TextLines, textLines } from "./text-lines.ts"
import { type Zone, zonesOf } from "./zones.ts"

export interface SourceMap {
  /** For each part the stretches of its text, in order and without gaps. */
  owners(call: CapturedCall, split: SplitCall): Promise<readonly (readonly OwnedSpan[])[]>
}

export interface SourceMapOptions {
  /** The home folder of the person who used the client. */
  readonly home: string
  readonly counter: Counter
}

export function createSourceMap({ home, counter }: SourceMapOptions): SourceMap {
  const sources = new Map<string, ProjectSources>()
  const sourcesFor = ({ client, project }: CapturedCall) => {
    const key = `${client} ${project ?? ""}`
    const known = sources.get(key) ?? openSources({ client, project, home })
    sources.set(key, known)
    return known
  }
  return {
    async owners(call, split) {
      const known = sourcesFor(call)
      for (const file of call.files) known.see(file)
      return split.parts.map((part) => {
        const key = part.kind === "tool-result" ? `${part.digest} ${part.input ?? ""}` : part.digest
        const spans = known.spans.get(key) ?? partSpans(part, known, counter)
        known.spans.set(key, spans)
        return spans
      })
    },
  }
}

/** What is known of one client's files in one project. */
interface ProjectSources {
  readonly home: string
  readonly project: string | undefined
  readonly index: LineIndex
  readonly fields: ReadonlyMap<string, readonly Field[]>
  /** By digest of the part. */
  readonly spans: Map<string, readonly OwnedSpan[]>
  /** A file as the client read it. */
  see(file: SeenFile): void
  /** A file that a request names; read once. */
  read(path: string): void
  /** The text of a file in the project that a tool has read. */
  textOf(path: string): string | undefined
}

/** Larger files are not quoted whole. */
const MOST_BYTES = 1 << 20

function openSources(options: CandidateOptions): ProjectSources {
  const { home, project } = options
  const index = createLineIndex()
  const fields = new Map<string, Field[]>()
  const known = new Set<string>()
  const add = (path: string, text: string, version: FileVersion, order?: number) => {
    const key = `${path} ${refOf(text)}`
    if (!known.has(key)) index.add(sourceFile({ path, text, version, order }))
    known.add(key)
  }
  const addField = (candidate: Candidate, text: string) => {
    const field = candidate.kind === "instructions" ? undefined : fieldOf(candidate, text)
    if (field !== undefined) fields.set(field.name, [...(fields.get(field.name) ?? []), field])
  }
  const orders = new Map<string, number>()
  for (const [order, candidate] of candidatesOf(options).entries()) {
    orders.set(candidate.path, order)
    const text = readText(candidate.path)
    if (text === undefined) continue
    add(candidate.path, text, "current", order)
    addField(candidate, text)
  }
  const read = new Set<string>(orders.keys())
  return {
    ...{ home, project, index, fields, spans: new Map() },
    see: ({ path, text }) => add(path, text, "seen", orders.get(path) ?? orders.size),
    read(path) {
      if (read.has(path) || !isReadable(path, home, project)) return
      read.add(path)
      const text = readText(path)
      if (text !== undefined) add(path, text, "current", orders.size)
    },
    textOf: (path) => (project !== undefined && isInside(path, project) ? readText(path) : undefined),
  }
}

/** What a client may quote: files of the project, of the home folder, and of the folders above the project. */
function isReadable(path: string, home: string, project: string | undefined): boolean {
  if (isInside(path, home)) return true
  return project !== undefined && (isInside(path, project) || isInside(project, dirname(path)))
}

function readText(path: string): string | undefined {
  const file = readRegular(path, MOST_BYTES)
  return file.kind === "read" ? file.bytes.toString("utf8") : undefined
}

function partSpans(part: CallPart, known: ProjectSources, counter: Counter): readonly OwnedSpan[] {
  const lines = textLines(part.text, { numbered: part.kind === "tool-result" })
  const zones = zonesOf(part, lines)
  const owners: LineOwners = new Array(lines.keys.length).fill(undefined)
  for (const zone of zones) ownZone({ zone, part, lines, owners, known })
  const base = (line: number) => (zones.find(({ to }) => line < to) ?? zones.at(-1) ?? NO_ZONE).owner
  return spansOf({ part, lines, owners, base, counter })
}

const NO_ZONE = { owner: { kind: "client", match: "exact" } } as const

interface ZoneWork {
  readonly zone: Zone
  readonly part: CallPart
  readonly lines: TextLines
  readonly owners: LineOwners
  readonly known: ProjectSources
}

function ownZone({ zone, part, lines, owners, known }: ZoneWork): void {
  const { index, fields, home, project } = known
  const names = { home, project }
  if (zone.kind === "said") return
  if (zone.kind === "client" || zone.kind === "tool")
    for (const { field, from, to } of matchFields(lines, zone, fields, names)) {
      const { path, name } = field
      const owner = { kind: "field", path, name, lines: field.lines, match: "exact" } as const
      for (let at = from; at < to; at++) owners[at] ??= { kind: "owner", owner }
    }
  if (zone.kind === "tool") return
  for (const { path } of quotedFiles(lines, zone)) if (isAbsolute(path)) known.read(path)
  const own = zone.kind === "result" ? indexOfInput(part, known) : index
  if (own !== undefined) quoteLines({ index: own, text: lines, zone, owners, ...names })
}

/** The files of the project that a tool's input names: the path of a read tool, or words of a command. */
function indexOfInput({ input = "" }: CallPart, known: ProjectSources): LineIndex | undefined {
  const { project } = known
  if (project === undefined || input === "") return undefined
  const words = input.split(/[\s'"`;|&<>()]+/).filter((word) => /[./]/.test(word))
  const paths = [input, ...words.slice(0, MOST_WORDS)].map((word) => resolve(project, word))
  const files = [...new Set(paths)].flatMap((path) => {
    const text = known.textOf(path)
    return text === undefined ? [] : [sourceFile({ path: join(path), text, version: "current", order: 0 })]
  })
  if (files.length === 0) return undefined
  const index = createLineIndex()
  for (const file of files) index.add(file)
  return index
}

const MOST_WORDS = 10
