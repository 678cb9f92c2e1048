// The files of long-term memory as the menu lists them: path, trust of their store, price and one line about them.

import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Diagnostic } from "../core/diagnostic.ts"
import { byCodePoint } from "../core/order.ts"
import type { MemoryFile } from "../core/scope.ts"
import type { SourceFile } from "../core/source.ts"
import { errorCode } from "../core/system-error.ts"
import { isTrust, type Trust } from "../core/trust.ts"
import { o200k } from "../tokens/o200k.ts"
import { type FileReader, fileReader, type Gathered, type Workspace } from "./workspace.ts"

const STORES: Readonly<Record<string, Trust>> = { private: "full", shared: "inner", social: "familiar" }

export function gatherMemory(workspace: Workspace): Gathered<readonly MemoryFile[]> {
  const read = fileReader(workspace)
  const { value: stores, diagnostics } = memoryStores(workspace)
  const folder = join(workspace.folder, "memory")
  const main = read(join(workspace.folder, "MEMORY.md"), {
    role: "memory",
    trust: stores.get("private") ?? "full",
  })
  const listed = [...stores].flatMap(([store, trust]) => storeFiles(folder, store, trust, read))
  const value = [...(main === undefined ? [] : [listing("private/MEMORY.md", "private", main)]), ...listed]
  return { value, diagnostics: [...diagnostics, ...read.diagnostics] }
}

/** Known stores, configured ones, and any folder that is there: that one nobody vouched for, so it is the owner's. */
export function memoryStores({ config, folder }: Workspace): Gathered<ReadonlyMap<string, Trust>> {
  const diagnostics: Diagnostic[] = []
  const names = new Set([
    ...Object.keys(STORES),
    ...Object.keys(config.memory?.stores ?? {}),
    ...foldersIn(join(folder, "memory")),
  ])
  const value = new Map(
    [...names].sort(byCodePoint).map((name): readonly [string, Trust] => {
      const configured = config.memory?.stores?.[name]
      if (configured === undefined)
        return [name, Object.hasOwn(STORES, name) ? (STORES[name] ?? "full") : "full"]
      if (isTrust(configured)) return [name, configured]
      diagnostics.push({ code: "unknown-trust", path: "incipit.yaml", value: configured, used: "full" })
      return [name, "full"]
    }),
  )
  return { value, diagnostics }
}

function storeFiles(folder: string, store: string, trust: Trust, read: FileReader): readonly MemoryFile[] {
  return markdownIn(join(folder, store)).flatMap((name) => {
    const file = read(join(folder, store, name), { role: "memory", trust })
    return file === undefined ? [] : [listing(`${store}/${name.replaceAll("\\", "/")}`, store, file)]
  })
}

function listing(path: string, store: string, file: SourceFile): MemoryFile {
  const { identity, trust } = file
  return { path, store, identity, trust, ...factsOf(file) }
}

type Facts = Pick<MemoryFile, "tokens" | "description">

const FACTS = new WeakMap<SourceFile, Facts>()

/** A file that was not read again is not looked through again. */
function factsOf(file: SourceFile): Facts {
  const known = FACTS.get(file) ?? { tokens: o200k.count(file.text), description: descriptionOf(file) }
  FACTS.set(file, known)
  return known
}

/** What is for nobody to read, such as who wrote an entry. One without an end goes on to the end of the file. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g

/** The frontmatter's description, else the first line with words, without its marks. */
function descriptionOf({ fields, text }: SourceFile): string {
  const own =
    typeof fields.description === "string"
      ? fields.description
      : (text
          .replaceAll(COMMENT, "")
          .split("\n")
          .find((line) => /\p{L}/u.test(line)) ?? "")
  return own
    .replace(/^[\s#>*-]+/, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 120)
}

function foldersIn(folder: string): readonly string[] {
  return entriesOf(folder, (path) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
  )
}

function markdownIn(folder: string): readonly string[] {
  const list = (path: string) =>
    readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"))
  return entriesOf(folder, list)
}

function entriesOf(folder: string, list: (path: string) => readonly string[]): readonly string[] {
  try {
    return list(folder).toSorted(byCodePoint)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
