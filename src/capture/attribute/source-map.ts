// The source map for prompts that we did not compile: for each part of a call, whose text it is. What is not shown to be
// somebody's is the client's own. Reads files, and only reads; a part is looked at once for all calls.
import { isAbsolute } from "node:path"
import type { Counter } from "../../core/model/counter.ts"
import type { CapturedCall } from "../call.ts"
import type { OwnedSpan } from "../owner.ts"
import type { CallPart } from "../split/part.ts"
import type { SplitCall } from "../split/splitter.ts"
import { quotedFiles } from "./envelopes.ts"
import { matchFields } from "./fields.ts"
import { type LineOwners, spansOf } from "./line-owners.ts"
import { openSources, type ProjectSources } from "./project-sources.ts"
import { leftovers, quoteLeftovers, quoteLines } from "./quoted-lines.ts"
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

/** What is known of one client in one project. */
interface Known {
  readonly sources: ProjectSources
  /** By digest of the part. */
  readonly spans: Map<string, readonly OwnedSpan[]>
}

export function createSourceMap({ home, counter }: SourceMapOptions): SourceMap {
  const known = new Map<string, Known>()
  const knownFor = ({ client, project: named }: CapturedCall): Known => {
    const project = named !== undefined && canBeFolder(named) ? named : undefined
    const key = `${client} ${project ?? ""}`
    const found = known.get(key) ?? { sources: openSources({ client, project, home }), spans: new Map() }
    known.set(key, found)
    return found
  }
  return {
    async owners(call, split) {
      const { sources, spans } = knownFor(call)
      for (const file of call.files) sources.see(file)
      const all: (readonly OwnedSpan[])[] = []
      for (const part of split.parts) {
        const key = part.kind === "tool-result" ? `${part.digest} ${part.input ?? ""}` : part.digest
        const found = spans.get(key) ?? (await partSpans(part, sources, counter))
        spans.set(key, found)
        all.push(found)
      }
      return all
    },
  }
}

/** Longer paths are refused by every system. */
const LONGEST_PATH = 4096

/** A client's file may name anything as the folder that it worked in. */
function canBeFolder(path: string): boolean {
  return isAbsolute(path) && path.length <= LONGEST_PATH && !path.includes("\0")
}

async function partSpans(
  part: CallPart,
  sources: ProjectSources,
  counter: Counter,
): Promise<readonly OwnedSpan[]> {
  const lines = textLines(part.text, { numbered: part.kind === "tool-result" })
  const zones = zonesOf(part, lines, sources.servers)
  const owners: LineOwners = new Array(lines.keys.length).fill(undefined)
  for (const zone of zones) await ownZone({ zone, part, lines, owners, sources })
  const base = baseOf(zones)
  return spansOf({ part, lines, owners, base, counter })
}

/** The owner of the zone that a line is in. Asked line by line, in order. */
function baseOf(zones: readonly Zone[]): (line: number) => Zone["owner"] {
  let at = 0
  return (line) => {
    while (at < zones.length - 1 && line >= (zones[at]?.to ?? 0)) at += 1
    return zones[at]?.owner ?? { kind: "client", match: "exact" }
  }
}

interface ZoneWork {
  readonly zone: Zone
  readonly part: CallPart
  readonly lines: TextLines
  readonly owners: LineOwners
  readonly sources: ProjectSources
}

async function ownZone(work: ZoneWork): Promise<void> {
  const { zone, part, sources } = work
  if (zone.kind === "said") return
  if (zone.kind === "client" || zone.kind === "tool") ownFields(work)
  if (zone.kind === "result") ownFiles(work, sources.inInput(part.input ?? ""))
  if (zone.kind === "client" || zone.kind === "person") await ownQuotes(work)
}

function ownFields({ zone, lines, owners, sources }: ZoneWork): void {
  for (const { field, from, to } of matchFields(lines, zone, sources.fields, sources)) {
    const { path, name } = field
    const owner = { kind: "field", path, name, lines: field.lines, match: "exact" } as const
    for (let at = from; at < to; at++) owners[at] ??= { kind: "owner", owner }
  }
}

function ownFiles(work: ZoneWork, index: ProjectSources["index"] | undefined): void {
  const { zone, lines: text, owners, sources } = work
  const { home, project } = sources
  if (index !== undefined) quoteLines({ index, text, zone, owners, home, project })
}

async function ownQuotes(work: ZoneWork): Promise<void> {
  const { zone, lines, owners, sources } = work
  const { home, project, index } = sources
  for (const { path } of quotedFiles(lines, zone)) if (isAbsolute(path)) sources.read(path)
  const before = owners.slice(zone.from, zone.to)
  ownFiles(work, index)
  if (await readPast(zone, owners, sources)) {
    for (const [at, owner] of before.entries()) owners[zone.from + at] = owner
    ownFiles(work, index)
  }
  if (zone.kind !== "client" || leftovers(zone, owners).length === 0) return
  const tracked = await sources.tracked()
  if (tracked !== undefined) quoteLeftovers({ index: tracked, text: lines, zone, owners, home, project })
}

/** Looks for the lines that a file does not have now in what it was before. */
async function readPast({ from, to }: Zone, owners: LineOwners, sources: ProjectSources): Promise<boolean> {
  const paths = new Set<string>()
  for (let at = from; at < to; at++) {
    const owner = owners[at]
    if (owner?.kind === "file" && owner.file.match === "inferred") paths.add(owner.file.path)
  }
  let hasMore = false
  for (const path of paths) if (await sources.readPast(path)) hasMore = true
  return hasMore
}
