// Finds where the example programs use a public name. A program in examples/api/ is written in paragraphs; the reference
// shows the first paragraph that uses a name.
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { childrenOf, nameIn, nodesIn, parseSource, type SyntaxNode, specifierOf } from "./parse.ts"

export interface Usage {
  readonly path: string
  readonly code: string
}

const FOLDER = join("examples", "api")

/** For each entry (`incipit/render`) and name, its first use: in the entry's own program if it is used there. */
export function readUsages(): ReadonlyMap<string, Usage> {
  const found = new Map<string, Usage>()
  for (const path of readdirSync(FOLDER).map((name) => join(FOLDER, name))) {
    const { text, statements } = parseSource(readFileSync(path, "utf8"), path)
    const imported = new Map(statements.flatMap(importedNames))
    for (const { name, start } of statements.filter(isProgram).flatMap(identifiers)) {
      const key = imported.get(name)
      const known = key === undefined ? undefined : found.get(key)
      const isBetter = known === undefined || (known.path !== path && isOwnProgram(path, key))
      if (key !== undefined && isBetter) found.set(key, { path, code: paragraphAt(text, start) })
    }
  }
  return found
}

export function usageKey(entry: string, name: string): string {
  return `${entry} ${name}`
}

function isOwnProgram(path: string, key = ""): boolean {
  const [entry = ""] = key.split(" ")
  return basename(path, ".ts") === basename(entry)
}

function importedNames(statement: SyntaxNode): readonly (readonly [string, string])[] {
  const from = specifierOf(statement)
  if (from === undefined || statement.type !== "ImportDeclaration") return []
  return nodesIn(statement, "specifiers").map((specifier) => {
    const local = nameIn(specifier, "local") ?? ""
    return [local, usageKey(from, nameIn(specifier, "imported") ?? local)] as const
  })
}

function isProgram({ type }: SyntaxNode): boolean {
  return type !== "ImportDeclaration"
}

/** Names that stand for something imported: members and keys of objects have names of their own. */
function identifiers(node: SyntaxNode): readonly { readonly name: string; readonly start: number }[] {
  const own =
    node.type === "Identifier" && typeof node.name === "string"
      ? [{ name: node.name, start: node.start }]
      : []
  const isPlain = node.computed !== true && node.shorthand !== true
  const hidden = isPlain ? [node.property, node.key] : []
  const below = childrenOf(node).filter((child) => !hidden.includes(child))
  // The type of a name is below the name itself.
  return [...own, ...below.flatMap(identifiers)]
}

/** The lines around an offset, up to the nearest blank lines. */
function paragraphAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n\n", offset) + 2
  const end = text.indexOf("\n\n", offset)
  return text.slice(start, end === -1 ? undefined : end).trimEnd()
}
