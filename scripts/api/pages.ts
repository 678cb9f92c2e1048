// The API reference: a page for each entry of the package, from its types and from the programs in examples/api/. Fails
// if a name has no sentence, or if no program shows how it is used.
import { join } from "node:path"
import { type Declarations, type Declared, type Entry, readDeclarations } from "./declarations.ts"
import { readUsages, type Usage, usageKey } from "./usages.ts"

const FOLDER = "docs/reference/api"
/** Where a reader starts. A name that several entries export is explained on the first of these pages that has it. */
const FIRST = ["incipit", "compiler", "sources", "render", "cache", "profiles"]

interface Book extends Declarations {
  readonly usages: ReadonlyMap<string, Usage>
  /** Where each declaration is explained: page and anchor. */
  readonly places: ReadonlyMap<string, Place>
}

interface Place {
  readonly file: string
  readonly name: string
  readonly anchor: string
}

interface Item {
  readonly name: string
  readonly about: Declared
}

/** The path and content of every page. */
export function apiPages(): ReadonlyMap<string, string> {
  return pagesOf(readDeclarations(), readUsages())
}

export function pagesOf(
  { entries, declared }: Declarations,
  usages: ReadonlyMap<string, Usage>,
): ReadonlyMap<string, string> {
  const ordered = entries.toSorted((a, b) => rank(a) - rank(b))
  const book = { entries: ordered, declared, usages, places: placesOf(ordered, declared) }
  const problems = ordered.flatMap((entry) => problemsOf(entry, book))
  if (problems.length > 0) throw new Error(`The API reference is incomplete:\n${problems.join("\n")}`)
  const pages = ordered.map((entry) => [join(FOLDER, `${entry.file}.md`), pageOf(entry, book)] as const)
  return new Map([[join(FOLDER, "README.md"), indexPage(ordered)], ...pages])
}

function rank({ file }: Entry): number {
  const at = FIRST.indexOf(file)
  return at === -1 ? FIRST.length : at
}

function placesOf(entries: readonly Entry[], declared: Declarations["declared"]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  for (const entry of entries) {
    const seen = new Map<string, number>()
    for (const { name, about } of itemsOf(entry, declared)) {
      if (places.has(about.key)) continue
      // Headings that differ only in case get a number, as GitHub gives it.
      const before = seen.get(name.toLowerCase()) ?? 0
      seen.set(name.toLowerCase(), before + 1)
      const anchor = `${name.toLowerCase()}${before === 0 ? "" : `-${before}`}`
      places.set(about.key, { file: entry.file, name, anchor })
    }
  }
  return places
}

/** Values first, then types, each by name. */
function itemsOf({ exported, file }: Entry, declared: Declarations["declared"]): readonly Item[] {
  const items = exported.map(({ name, key }) => {
    const about = declared.get(key)
    if (about === undefined)
      throw new Error(`src/public/${file}.ts exports ${name}, which ${key} doesn't declare`)
    return { name, about }
  })
  const byName = items.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
  return [...byName.filter(({ about }) => !about.isType), ...byName.filter(({ about }) => about.isType)]
}

function explainedHere(entry: Entry, { declared, places }: Book): readonly Item[] {
  return itemsOf(entry, declared).filter(({ about }) => places.get(about.key)?.file === entry.file)
}

function problemsOf(entry: Entry, book: Book): readonly string[] {
  return explainedHere(entry, book).flatMap(({ name, about }) => {
    const where = `${importName(entry)}: ${name}`
    const silent =
      about.comment === "" ? [`${where} has no doc comment; write one sentence that says what it is for`] : []
    const shown = exampleOf({ name, about }, entry, book)
    const unused =
      shown === undefined
        ? [`${where} is in no example; use it in examples/api/${entry.file}.ts, or stop exporting it`]
        : []
    return [...silent, ...unused]
  })
}

function importName({ file }: Entry): string {
  return file === "incipit" ? file : `incipit/${file}`
}

function pageOf(entry: Entry, book: Book): string {
  const here = explainedHere(entry, book)
  const elsewhere = itemsOf(entry, book.declared).filter(
    ({ about }) => book.places.get(about.key)?.file !== entry.file,
  )
  const parts = [
    `# ${importName(entry)}`,
    entry.intro,
    ...tableOf(
      "function or value",
      here.filter(({ about }) => !about.isType),
      entry,
      book,
    ),
    ...tableOf(
      "type",
      here.filter(({ about }) => about.isType),
      entry,
      book,
    ),
    ...alsoExported(elsewhere, entry, book),
    ...here.map((item) => sectionOf(item, entry, book)),
    ...innerTypes(here, entry, book),
  ]
  return `${parts.join("\n\n")}\n`
}

/** More names than this from one page are a link to the page. */
const MOST_LINKS = 20

function alsoExported(items: readonly Item[], entry: Entry, book: Book): readonly string[] {
  const pages = Map.groupBy(items, ({ about }) => book.places.get(about.key)?.file ?? "")
  return [...pages].map(([file, names]) =>
    names.length > MOST_LINKS
      ? `Also exported here: ${names.length} names that are explained with [${file}](${file}.md).`
      : `Also exported here: ${names.map(({ about }) => linkTo(about.key, entry, book)).join(", ")}.`,
  )
}

function tableOf(head: string, items: readonly Item[], entry: Entry, book: Book): readonly string[] {
  if (items.length === 0) return []
  const rows = items.map(
    ({ about }) => `| ${linkTo(about.key, entry, book)} | ${firstSentence(about.comment)} |`,
  )
  return [`| ${head} | |\n|---|---|\n${rows.join("\n")}`]
}

function firstSentence(comment: string): string {
  const [, first = comment] = /^([\s\S]*?\.)(?:\s|$)/.exec(comment) ?? []
  return first.replaceAll("|", "\\|").replaceAll("\n", " ")
}

function linkTo(key: string, from: Entry, { places }: Book): string {
  const place = places.get(key)
  if (place === undefined) return `\`${key.slice(key.indexOf("#") + 1)}\``
  const page = place.file === from.file ? "" : `${place.file}.md`
  return `[\`${place.name}\`](${page}#${place.anchor})`
}

function sectionOf(item: Item, entry: Entry, book: Book): string {
  const { name, about } = item
  const links = about.mentions.filter((key) => book.places.has(key)).map((key) => linkTo(key, entry, book))
  const parts = [
    `## ${name}`,
    about.comment,
    fenced(about.signature),
    ...(links.length === 0 ? [] : [`Types: ${links.join(", ")}.`]),
    ...exampleText(exampleOf(item, entry, book), entry, book),
  ]
  return parts.join("\n\n")
}

type Example =
  | { readonly kind: "code"; readonly usage: Usage }
  /** A type is shown where a value that takes or returns it is used. */
  | { readonly kind: "see"; readonly key: string }

function exampleOf({ name, about }: Item, entry: Entry, book: Book): Example | undefined {
  const usage = book.usages.get(usageKey(importName(entry), name))
  if (usage !== undefined) return { kind: "code", usage }
  return about.isType ? seenIn(about.key, book) : undefined
}

/**
 * The nearest exported name with an example that mentions this one, directly or by way of other types. One on the same
 * page is preferred.
 */
function seenIn(key: string, book: Book): Example | undefined {
  const page = book.places.get(key)?.file
  const near = new Set([key])
  for (const next of near) {
    const users = [...book.declared.values()].filter(({ mentions }) => mentions.includes(next))
    const shown = users.map((user) => user.key).filter((user) => isUsed(user, book))
    const best = shown.find((user) => book.places.get(user)?.file === page) ?? shown[0]
    if (best !== undefined) return { kind: "see", key: best }
    for (const user of users) near.add(user.key)
  }
  return undefined
}

function isUsed(key: string, { entries, places, usages }: Book): boolean {
  const place = places.get(key)
  const entry = entries.find(({ file }) => file === place?.file)
  return place !== undefined && entry !== undefined && usages.has(usageKey(importName(entry), place.name))
}

function exampleText(example: Example | undefined, entry: Entry, book: Book): readonly string[] {
  if (example === undefined) return []
  if (example.kind === "see") return [`Example: see ${linkTo(example.key, entry, book)}.`]
  const { path, code } = example.usage
  return [`Example, from [${path}](../../../${path}):`, fenced(code)]
}

/** Not `ts`: those are programs, which a test runs. */
function fenced(code: string): string {
  return `\`\`\`typescript\n${code}\n\`\`\``
}

/** Longer tables of values, such as that of all diagnostics, have pages of their own. */
const LONGEST_VALUE_LINES = 12

/** Types that signatures mention but no entry exports. */
function innerTypes(here: readonly Item[], entry: Entry, book: Book): readonly string[] {
  const keys = new Set(here.flatMap(({ about }) => about.mentions))
  const inner = [...keys]
    .flatMap((key) => (book.places.has(key) ? [] : (book.declared.get(key) ?? [])))
    .filter(({ isType, signature }) => isType || signature.split("\n").length <= LONGEST_VALUE_LINES)
  if (inner.length === 0) return []
  const types = inner
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ comment, signature }) => {
      return fenced(`${comment === "" ? "" : `/** ${comment} */\n`}${signature}`)
    })
  return [
    `## Other types`,
    `Mentioned above, and not exported by name from ${importName(entry)} or another entry.`,
    ...types,
  ]
}

function indexPage(entries: readonly Entry[]): string {
  const rows = entries.map((entry) => `| [\`${importName(entry)}\`](${entry.file}.md) | ${entry.intro} |`)
  return `# API reference\n\nGenerated from the types. Each name has a signature, a sentence and an example; the programs in [examples/api](../../../examples/api) are complete and run without a key.\n\n| import from | |\n|---|---|\n${rows.join("\n")}\n`
}
