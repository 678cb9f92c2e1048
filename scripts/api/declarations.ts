// The public names of the package with their declarations, from the .d.ts files that the compiler writes. Those have
// the inferred types too, so the reference shows what an editor shows.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { childrenOf, nameIn, nodesIn, parseSource, type SyntaxNode, specifierOf } from "./parse.ts"

/** One declared name: what it looks like, what its comment says, and which other names of ours it mentions. */
export interface Declared {
  /** Module and name, which tells two types with the same name apart. */
  readonly key: string
  readonly name: string
  readonly isType: boolean
  readonly signature: string
  /** The doc comment, without its marks. */
  readonly comment: string
  readonly mentions: readonly string[]
}

/** One entry of the package and what it exports, in the order of its file. */
export interface Entry {
  /** The file name without its ending. */
  readonly file: string
  /** The first comment of its file. */
  readonly intro: string
  readonly exported: readonly { readonly name: string; readonly key: string }[]
}

export interface Declarations {
  readonly entries: readonly Entry[]
  readonly declared: ReadonlyMap<string, Declared>
}

export function readDeclarations(): Declarations {
  const folder = mkdtempSync(join(tmpdir(), "incipit-types-"))
  try {
    emit(folder)
    const entries = readdirSync("src/public").map((name) => readEntry(basename(name, ".ts")))
    const modules = new Map<string, ReadonlyMap<string, Declared>>()
    const declared = new Map<string, Declared>()
    const wanted = new Set(entries.flatMap(({ exported }) => exported.map(({ key }) => key)))
    // The set grows while it is walked: what a declaration mentions is read too.
    for (const key of wanted) {
      const [module = "", name = ""] = key.split("#")
      const known = modules.get(module) ?? readModule(folder, module)
      modules.set(module, known)
      const found = known.get(name)
      if (found === undefined) continue
      declared.set(key, found)
      for (const mentioned of found.mentions) wanted.add(mentioned)
    }
    return { entries, declared }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Not checked, which the build does anyway. Formatted, because the compiler writes every signature on one line. */
function emit(folder: string): void {
  run("tsc", ["-p", "tsconfig.build.json", "--emitDeclarationOnly", "--noCheck", "--outDir", folder], ".")
  const javascript = { formatter: { semicolons: "asNeeded" } }
  const formatter = { indentStyle: "space", indentWidth: 2, lineWidth: 100 }
  writeFileSync(
    join(folder, "biome.json"),
    JSON.stringify({ formatter, javascript, files: { maxSize: 1e7 } }),
  )
  run("biome", ["format", "--write", "."], folder)
}

function run(command: string, args: readonly string[], cwd: string): void {
  const path = join(process.cwd(), "node_modules", ".bin", command)
  const { status, stdout, stderr } = spawnSync(path, args, { cwd, encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`)
}

function readEntry(file: string): Entry {
  const path = join("src", "public", `${file}.ts`)
  const { text, statements } = parseSource(readFileSync(path, "utf8"), path)
  const exported = new Map<string, string>()
  // What is exported by name replaces what `export *` brings, wherever it is.
  const starsFirst = statements.toSorted((a, b) => Number(isStar(b)) - Number(isStar(a)))
  for (const statement of starsFirst) {
    const from = specifierOf(statement)
    if (from === undefined) throw new Error(`${path}: a public file may only re-export`)
    const module = resolveModule(join("public", file), from)
    if (isStar(statement))
      for (const { name, key } of readEntry(basename(module)).exported) exported.set(name, key)
    for (const specifier of nodesIn(statement, "specifiers")) {
      const local = nameIn(specifier, "local") ?? ""
      exported.set(nameIn(specifier, "exported") ?? local, `${module}#${local}`)
    }
  }
  return { file, intro: introOf(text), exported: [...exported].map(([name, key]) => ({ name, key })) }
}

function isStar({ type }: SyntaxNode): boolean {
  return type === "ExportAllDeclaration"
}

/** The comment at the top of a public file, without the name of its entry. */
function introOf(text: string): string {
  const lines = /^(?:\/\/ .*\n)+/.exec(text)?.[0] ?? ""
  const intro = lines
    .trim()
    .replaceAll(/^\/\/ /gm, "")
    .replaceAll("\n", " ")
  const [, bare = intro] = /^(?:`[^`]+`|The root entry): (.*)$/.exec(intro) ?? []
  return bare.charAt(0).toUpperCase() + bare.slice(1)
}

function readModule(folder: string, module: string): ReadonlyMap<string, Declared> {
  const text = readFileSync(join(folder, `${module}.d.ts`), "utf8")
  const { statements } = parseSource(text, `${module}.d.ts`)
  const scope = new Map<string, string>()
  for (const statement of statements) {
    const from = specifierOf(statement)
    for (const specifier of statement.type === "ImportDeclaration" ? nodesIn(statement, "specifiers") : []) {
      const local = nameIn(specifier, "local") ?? ""
      if (from?.startsWith("."))
        scope.set(local, `${resolveModule(module, from)}#${nameIn(specifier, "imported")}`)
    }
  }
  const own = statements.flatMap((statement) =>
    declarationsIn(statement).map((node) => ({ statement, ...node })),
  )
  for (const { name } of own) scope.set(name, `${module}#${name}`)
  const declared = new Map<string, Declared>()
  for (const { name, node, statement } of own) {
    const key = `${module}#${name}`
    const before = declared.get(name)
    const mentions = namesUsed(node)
      .flatMap((used) => scope.get(used) ?? [])
      .filter((used) => used !== key)
    // Overloads are several declarations of one name.
    const signature = [before?.signature, signatureOf(text.slice(statement.start, statement.end))]
    declared.set(name, {
      key,
      name,
      isType: node.type === "TSInterfaceDeclaration" || node.type === "TSTypeAliasDeclaration",
      signature: signature.filter((part) => part !== undefined).join("\n"),
      comment: before?.comment || commentBefore(text, statement.start),
      mentions: [...new Set([...(before?.mentions ?? []), ...mentions])],
    })
  }
  return declared
}

function declarationsIn(
  statement: SyntaxNode,
): readonly { readonly name: string; readonly node: SyntaxNode }[] {
  const [node = statement] = childrenOf(statement).filter(({ type }) => /Declar/.test(type))
  const nodes = node.type === "VariableDeclaration" ? nodesIn(node, "declarations") : [node]
  return nodes.flatMap((one) => {
    const name = nameIn(one, "id")
    return name === undefined ? [] : [{ name, node: one }]
  })
}

/** Names in the place of a type or of a value; the names of members and parameters don't count. */
function namesUsed(node: SyntaxNode): readonly string[] {
  const named = nameIn(node, "typeName") ?? nameIn(node, "exprName") ?? nameIn(node, "expression")
  return [...(named === undefined ? [] : [named]), ...childrenOf(node).flatMap(namesUsed)]
}

function signatureOf(text: string): string {
  return text.replace(/^export (?:declare )?|^declare /, "").trimEnd()
}

/** The text of the doc comment that ends right before an offset, or "". */
function commentBefore(text: string, offset: number): string {
  const found = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, offset))
  const lines = (found?.[1] ?? "").split("\n").map((line) => line.replace(/^\s*\*? ?/, "").trimEnd())
  return lines
    .join("\n")
    .trim()
    .replaceAll(/(?<!\n)\n(?!\n)/g, " ")
}

function resolveModule(from: string, specifier: string): string {
  return join(dirname(from), specifier).replace(/\.(?:d\.)?(?:ts|js)$/, "")
}
