// The files of long-term memory as the menu lists them: path, trust of their store, token count and a one-line
// description.
import { dirname, join } from "node:path"
import type { Diagnostic } from "../base/diagnostic.ts"
import { oncePerObject } from "../base/memo/once.ts"
import { atLeast, isTrust, mostOf, type Trust } from "../base/trust.ts"
import type { MemoryFile } from "../core/model/inputs.ts"
import type { SourceFile } from "../core/model/source.ts"
import { authorText, unsignedLines } from "../core/view/authorship.ts"
import { pathBelow } from "../files/files-below.ts"
import { statOf } from "../files/gate/hard-links.ts"
import { asTrust } from "../files/gate/requirement.ts"
import { stampOf } from "../files/identity.ts"
import { atOnce, inSlices, type Sliceable } from "../files/in-slices.ts"
import { markdownFiles } from "../files/markdown-files.ts"
import { existingPathOf } from "../files/real-path.ts"
import { o200k } from "../tokens/o200k.ts"
import { configuredTrust } from "./config/configured-trust.ts"
import { memoryStores } from "./config/memory-stores.ts"
import { documentsFolder } from "./documents.ts"
import { type Convention, type FileReader, fileReader } from "./file-reader.ts"
import type { KnownMemory, MemoryOutcome } from "./memory-cache.ts"
import type { Gathered, Workspace } from "./workspace.ts"

const MAIN = "MEMORY.md"

export function gatherMemory(workspace: Workspace): Gathered<readonly MemoryFile[]> {
  return atOnce(listedFiles(workspace, () => openLook(workspace)))
}

/** The same for a server: thousands of files keep others waiting only for as long as a slice takes. */
export function gatherMemoryInSlices(workspace: Workspace): Promise<Gathered<readonly MemoryFile[]>> {
  return inSlices(listedFiles(workspace, () => openLook(workspace)))
}

/** The text of each memory file once, for callers that search them. */
export function memoryTexts(workspace: Workspace): readonly SourceFile[] {
  const texts = new Map<string, SourceFile>()
  const note = (file: SourceFile) => void texts.set(file.identity, file)
  // Without what was listed before: every file is needed.
  const fresh = { ...workspace, cache: { ...workspace.cache, memory: new Map() } }
  atOnce(listedFiles(fresh, () => openLook(fresh, note)))
  return [...texts.values()]
}

/** What decides on files, as long as nothing waits. After a pause, all of it is looked at again. */
interface Look {
  readonly read: FileReader
  /** Undefined for a folder that is no longer what it was walked as, such as a link. */
  readonly groundsOf: (folder: string) => string | undefined
}

function openLook(workspace: Workspace, note: (file: SourceFile) => void = () => {}): Look {
  const read = readingMemory(workspace, note)
  const known = new Map<string, string | undefined>()
  const grounds = (folder: string) =>
    existingPathOf(folder) === folder ? read.gate.groundsFor([folder]) : undefined
  return {
    read,
    groundsOf(folder) {
      if (!known.has(folder)) known.set(folder, grounds(folder))
      return known.get(folder)
    },
  }
}

function* listedFiles(workspace: Workspace, open: () => Look): Sliceable<Gathered<readonly MemoryFile[]>> {
  const { value: stores, diagnostics } = memoryStores(workspace)
  const looking = { workspace, open, look: open() }
  const found: MemoryOutcome[] = []
  for (const store of stores) found.push(...(yield* storeFiles(looking, store)))
  const main = mainFile(workspace, stores.get("private") ?? "full", looking.look.read)
  return {
    value: [main, ...found].flatMap(({ listed }) => listed ?? []),
    diagnostics: [...diagnostics, ...[...found, main].flatMap((outcome) => outcome.diagnostics)],
  }
}

/** Reports files that declare less trust than their store requires. */
function readingMemory(workspace: Workspace, note: (file: SourceFile) => void): FileReader {
  const read = fileReader(workspace)
  const checked = (path: string, convention: Convention) => {
    const file = read(path, convention)
    if (file !== undefined) note(file)
    const { least = "public" } = convention
    const asked = file?.fields.trust ?? configuredTrust(path, workspace)?.trust
    if (file !== undefined && isTrust(asked) && !atLeast(asked, least))
      read.diagnostics.push({
        ...{ code: "trust-below-store", path: file.path, asked, least },
        needs: asTrust(file),
      })
    return file
  }
  return Object.assign(checked, { diagnostics: read.diagnostics, absent: read.absent, gate: read.gate })
}

const LEFT_OUT: MemoryOutcome = { listed: undefined, diagnostics: [] }

function mainFile({ folder, documents }: Workspace, trust: Trust, read: FileReader): MemoryOutcome {
  const path = join(folder, MAIN)
  const isFile = documents === undefined
  if (isFile && isLink(path)) return linkOutcome(MAIN, trust)
  return readOutcome({ full: path, listedAs: `private/${MAIN}`, store: "private", trust, isFile }, read)
}

interface Looking {
  readonly workspace: Workspace
  readonly open: () => Look
  look: Look
}

/**
 * Only files that are really in the store: memory follows no links, and a hard link to a more trusted file counts as
 * that file. An unchanged file takes one system call.
 */
function* storeFiles(
  looking: Looking,
  [store, trust]: readonly [string, Trust],
): Sliceable<readonly MemoryOutcome[]> {
  const { workspace } = looking
  const isFile = workspace.documents === undefined
  const at = join(workspace.folder, "memory", store)
  const root = join(documentsFolder(workspace), "memory", store)
  const { paths, links } = markdownFiles(root, { skipsHidden: true })
  const outcomes: MemoryOutcome[] = isFile ? linksIn(workspace, { store, trust, links }) : []
  const { memory: cache } = workspace.cache
  const key = JSON.stringify([root, trust])
  const known = cache.get(key)
  const next = new Map<string, KnownMemory>()
  for (const path of paths) {
    if (yield) looking.look = looking.open()
    const place = pathBelow(root, path)
    const state = stateOf(place)
    const grounds = looking.look.groundsOf(dirname(place))
    const before = known?.get(path)
    const isSame = before !== undefined && before.state === state && before.grounds === grounds
    const file = { full: pathBelow(at, path), listedAs: `${store}/${path}`, store, trust, isFile }
    const outcome = isSame ? before : readOutcome(file, looking.look.read)
    outcomes.push(outcome)
    if (isSame) next.set(path, before)
    else if (state !== undefined && grounds !== undefined && !("isUnavailable" in outcome))
      next.set(path, { ...outcome, state, grounds })
  }
  cache.set(key, next)
  return outcomes
}

/** Returns undefined for what must be looked at each time: links, and files with several names. */
function stateOf(path: string): string | undefined {
  const stat = statOf(path)
  return stat?.isFile() === true && stat.nlink === 1n ? stampOf(stat) : undefined
}

interface Listable {
  readonly full: string
  readonly listedAs: string
  readonly store: string
  readonly trust: Trust
  /** It is not a copy of what is in a database. */
  readonly isFile: boolean
}

/** `isUnavailable`: it cannot be read now, and its last text stays. */
function readOutcome(
  { full, listedAs, store, trust, isFile }: Listable,
  read: FileReader,
): MemoryOutcome & { readonly isUnavailable?: true } {
  if (isFile && !isOfStore(full, trust, read.gate)) return LEFT_OUT
  const file = read(full, { role: "memory", trust, least: trust })
  const diagnostics = read.diagnostics.splice(0)
  if (file === undefined) return { listed: undefined, diagnostics }
  const listed = listing(listedAs, store, trust, file)
  return { listed, diagnostics, ...(file.unavailable !== undefined && { isUnavailable: true }) }
}

function linksIn(
  { folder }: Workspace,
  {
    store,
    trust,
    links,
  }: { readonly store: string; readonly trust: Trust; readonly links: readonly string[] },
): MemoryOutcome[] {
  const memory = join(folder, "memory")
  const linked =
    isLink(join(memory, store)) || isLink(memory)
      ? [""]
      : links.filter((path) => path.endsWith(".md")).map((path) => `/${path}`)
  return linked.map((path) => linkOutcome(`memory/${store}${path}`, trust))
}

function linkOutcome(path: string, needs: Trust): MemoryOutcome {
  const diagnostic: Diagnostic = { code: "memory-link", path, needs }
  return { listed: undefined, diagnostics: [diagnostic] }
}

/** True for broken links, too: whether the target exists may be hidden from this audience. */
function isLink(path: string): boolean {
  return statOf(path)?.isSymbolicLink() === true
}

function isOfStore(path: string, trust: Trust, gate: FileReader["gate"]): boolean {
  return atLeast(trust, asTrust(gate.guardElsewhere(path)))
}

/** A memory file can require more trust than its store, never less. */
function listing(path: string, store: string, least: Trust, file: SourceFile): MemoryFile {
  const { identity } = file
  return { path, store, identity, trust: mostOf(least, asTrust(file)), ...factsOf(file) }
}

type Facts = Pick<MemoryFile, "tokens" | "description">

/** An unchanged file is the same object and is not parsed again. */
const factsOf = oncePerObject(
  (file: SourceFile): Facts => ({ tokens: o200k.count(file.text), description: descriptionOf(file) }),
)

/** Comments hold metadata, such as who wrote an entry. An unclosed one extends to the end of the file. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g

/**
 * The frontmatter's description, or the first line with words, without markup. Text that other people wrote through the
 * agent is not used, because the menu would not show that it is theirs. For a file with nothing else, says who began
 * it.
 */
function descriptionOf({ fields, text }: SourceFile): string {
  const { lines, first } = unsignedLines(text.split("\n"))
  const line = lines
    .join("\n")
    .replaceAll(COMMENT, "")
    .split("\n")
    .find((one) => /\p{L}/u.test(one))
  const begun = first === undefined ? "" : `entries by ${authorText(first)} and perhaps others`
  const own = typeof fields.description === "string" ? fields.description : (line ?? begun)
  return own
    .replace(/^[\s#>*-]+/, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 120)
}
