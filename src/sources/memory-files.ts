// The files of long-term memory as the menu lists them: path, trust of their store, token count and a one-line
// description.
import { join } from "node:path"
import { oncePerObject } from "../base/memo/once.ts"
import { atLeast, isTrust, mostOf, type Trust } from "../base/trust.ts"
import type { MemoryFile } from "../core/model/inputs.ts"
import type { SourceFile } from "../core/model/source.ts"
import { authorText, unsignedLines } from "../core/view/authorship.ts"
import { pathBelow } from "../files/files-below.ts"
import { statOf } from "../files/gate/hard-links.ts"
import { asTrust } from "../files/gate/requirement.ts"
import { markdownFiles } from "../files/markdown-files.ts"
import { o200k } from "../tokens/o200k.ts"
import { configuredTrust } from "./config/configured-trust.ts"
import { memoryStores } from "./config/memory-stores.ts"
import { documentsFolder } from "./documents.ts"
import { type Convention, type FileReader, fileReader } from "./file-reader.ts"
import type { Gathered, Workspace } from "./workspace.ts"

const MAIN = "MEMORY.md"

export function gatherMemory(workspace: Workspace): Gathered<readonly MemoryFile[]> {
  const read = fileReader(workspace)
  const { value, diagnostics } = listedFiles(workspace, read)
  return { value, diagnostics: [...diagnostics, ...read.diagnostics] }
}

function listedFiles(workspace: Workspace, read: FileReader): Gathered<readonly MemoryFile[]> {
  const { value: stores, diagnostics } = memoryStores(workspace)
  const reading = readingMemory(workspace, read)
  const listed = [...stores].flatMap((store) => storeFiles(workspace, store, reading))
  return { value: [...mainFile(workspace, stores.get("private") ?? "full", reading), ...listed], diagnostics }
}

/** Reports files that declare less trust than their store requires. */
function readingMemory(workspace: Workspace, read: FileReader): FileReader {
  const checked = (path: string, convention: Convention) => {
    const file = read(path, convention)
    const { least = "public" } = convention
    const asked = file?.fields.trust ?? configuredTrust(path, workspace)?.trust
    if (file !== undefined && isTrust(asked) && !atLeast(asked, least))
      read.diagnostics.push({
        ...{ code: "trust-below-store", path: file.path, asked, least },
        needs: asTrust(file),
      })
    return file
  }
  return Object.assign(checked, { diagnostics: read.diagnostics, gate: read.gate })
}

/** The text of each memory file once, for callers that search them. */
export function memoryTexts(workspace: Workspace): readonly SourceFile[] {
  const texts = new Map<string, SourceFile>()
  const read = fileReader(workspace)
  const noting: FileReader = Object.assign(
    (path: string, convention: Convention) => {
      const file = read(path, convention)
      if (file !== undefined) texts.set(file.identity, file)
      return file
    },
    { diagnostics: read.diagnostics, gate: read.gate },
  )
  listedFiles(workspace, noting)
  return [...texts.values()]
}

function mainFile({ folder, documents }: Workspace, trust: Trust, read: FileReader): readonly MemoryFile[] {
  const path = join(folder, MAIN)
  const isFile = documents === undefined
  if (isFile && isLink(path)) {
    read.diagnostics.push({ code: "memory-link", path: MAIN, needs: trust })
    return []
  }
  if (isFile && !isOfStore(path, trust, read.gate)) return []
  const file = read(path, { role: "memory", trust, least: trust })
  return file === undefined ? [] : [listing(`private/${MAIN}`, "private", trust, file)]
}

/**
 * Only files that are really in the store: memory follows no links, and a hard link to a more trusted file counts as
 * that file.
 */
function storeFiles(
  workspace: Workspace,
  [store, trust]: readonly [string, Trust],
  read: FileReader,
): readonly MemoryFile[] {
  const listed = (path: string) => {
    const file = read(pathBelow(at, path), { role: "memory", trust, least: trust })
    return file === undefined ? [] : [listing(`${store}/${path}`, store, trust, file)]
  }
  const folder = join(workspace.folder, "memory")
  const at = join(folder, store)
  if (workspace.documents !== undefined)
    return markdownFiles(join(documentsFolder(workspace), "memory", store), {
      skipsHidden: true,
    }).paths.flatMap(listed)
  const { paths, links } = markdownFiles(at, { skipsHidden: true })
  const linked =
    isLink(at) || isLink(folder)
      ? [""]
      : links.filter((path) => path.endsWith(".md")).map((path) => `/${path}`)
  for (const path of linked)
    read.diagnostics.push({ code: "memory-link", path: `memory/${store}${path}`, needs: trust })
  return paths.flatMap((path) => (isOfStore(pathBelow(at, path), trust, read.gate) ? listed(path) : []))
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
