// Reads TypeScript into statements and names, with the parser that the bundler brings: the compiler itself has no
// stable programming interface. Positions are offsets into the text.
import { parseAst } from "rolldown/parseAst"

export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface Source {
  readonly text: string
  readonly statements: readonly SyntaxNode[]
}

export function parseSource(text: string, path: string): Source {
  const program = parseAst(text, { lang: path.endsWith(".d.ts") ? "dts" : "ts" }, path)
  // The parser's own types name every kind of node; here only a few fields are read, each after a check.
  return { text, statements: program.body as unknown as readonly SyntaxNode[] }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value
}

/** The nodes directly below a node, in the order of its fields. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))
}

/** The name that a node has in one of its fields, such as `id`, `local` or `imported`. */
export function nameIn(node: SyntaxNode, field: string): string | undefined {
  const named = node[field]
  return isNode(named) && typeof named.name === "string" ? named.name : undefined
}

/** The text of a module specifier, if the statement imports or re-exports something. */
export function specifierOf(statement: SyntaxNode): string | undefined {
  const { source } = statement
  return isNode(source) && typeof source.value === "string" ? source.value : undefined
}

export function nodesIn(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const list = node[field]
  return Array.isArray(list) ? list.filter(isNode) : []
}
