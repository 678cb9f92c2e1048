// The import table of the architecture: who may import whom, and which packages. Anything else fails.
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { parseAst } from "rolldown/parseAst"
import { expect, test } from "vitest"

interface Rule {
  readonly imports: readonly string[]
  /** Names: only those files. */
  readonly node: boolean | readonly string[]
  readonly packages: readonly string[]
  /** Files that alone may import a package. */
  readonly only?: Readonly<Record<string, string>>
}

const PURE = ["base", "core", "tokens", "signal", "profiles", "render", "prompt", "lint", "testing"]
const EFFECTS = [
  ...[
    "files",
    "database",
    "sources",
    "approval",
    "workspace",
    "memory",
    "record",
    "capture",
    "hooks",
    "tools",
    "sandbox",
  ],
]

const TABLE: Readonly<Record<string, Rule>> = {
  base: { imports: [], node: false, packages: ["@noble/hashes"], only: { "@noble/hashes": "digest.ts" } },
  core: { imports: ["base"], node: false, packages: [] },
  tokens: { imports: ["core"], node: false, packages: [] },
  signal: { imports: [], node: false, packages: [] },
  profiles: { imports: ["base", "core", "signal"], node: false, packages: [] },
  render: { imports: ["base", "core"], node: false, packages: [] },
  prompt: { imports: ["base", "core", "tokens", "render"], node: false, packages: [] },
  lint: { imports: ["base", "core"], node: false, packages: [] },
  testing: { imports: ["base", "core", "prompt"], node: false, packages: [] },
  files: { imports: ["base", "core"], node: true, packages: [] },
  database: { imports: ["base", "core", "render", "files"], node: true, packages: ["pg"] },
  sources: {
    imports: ["base", "core", "tokens", "profiles", "prompt", "files"],
    node: true,
    packages: ["yaml", "zod", "ignore", "chokidar", "croner"],
    only: { croner: "cron.ts" },
  },
  hooks: {
    imports: ["base", "core", "files"],
    node: ["code-module.ts", "import-module.ts", "module-files.ts", "module-names.ts"],
    packages: [],
  },
  approval: { imports: ["base", "files", "database", "sources", "hooks"], node: true, packages: [] },
  workspace: {
    imports: ["base", "core", "profiles", "files", "database", "sources", "hooks", "approval"],
    node: true,
    packages: [],
  },
  memory: { imports: ["base", "core", "files", "database"], node: true, packages: [] },
  record: {
    imports: ["base", "core", "render", "database"],
    node: true,
    packages: ["@pydantic/genai-prices"],
    only: { "@pydantic/genai-prices": "prices.ts" },
  },
  capture: {
    imports: ["base", "core", "tokens", "render", "files", "database", "sources", "record"],
    node: true,
    packages: ["zod", "yaml"],
  },
  tools: {
    imports: ["base", "core", "profiles", "files", "database", "memory", "record"],
    node: true,
    packages: ["zod", "ignore"],
  },
  sandbox: {
    imports: ["base", "core", "profiles", "files", "sources", "approval", "workspace", "tools"],
    node: true,
    packages: [],
  },
  agent: {
    imports: [...PURE, ...EFFECTS],
    node: true,
    packages: [
      "ai",
      "@ai-sdk/amazon-bedrock",
      "@ai-sdk/anthropic",
      "@ai-sdk/google",
      "@ai-sdk/openai",
      "@ai-sdk/openai-compatible",
      "@ai-sdk/provider",
      "@modelcontextprotocol/client",
      "zod",
    ],
  },
  // A program loads an adapter with its host and nothing else.
  adapters: {
    imports: ["base", "core", "render", "prompt", "record"],
    node: false,
    packages: ["langchain"],
  },
  serve: {
    imports: [...PURE, ...EFFECTS, "agent"],
    node: true,
    packages: ["hono", "@hono/node-server", "@modelcontextprotocol/server", "zod", "yaml"],
    only: { yaml: "yaml-edit.ts" },
  },
  // For whoever shows texts to people.
  markdown: { imports: [], node: false, packages: [] },
  cli: {
    imports: [...PURE, ...EFFECTS, "agent", "serve", "markdown"],
    node: true,
    packages: ["commander", "zod", "get-east-asian-width", "smol-toml", "@modelcontextprotocol/server"],
    only: { "get-east-asian-width": "widths.ts" },
  },
  public: {
    imports: [
      ...["base", "core", "tokens", "signal", "profiles", "render", "prompt"],
      ...["database", "sources", "memory", "record", "hooks", "tools", "agent"],
      ...["adapters", "capture", "serve", "testing"],
    ],
    node: false,
    packages: [],
  },
}

const MAX_LINES = 400

interface Import {
  readonly file: string
  readonly target: string
  readonly isReexport: boolean
}

interface SyntaxNode {
  readonly type: string
  readonly [field: string]: unknown
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => join("src", name))
/** Of each file, the nodes of its syntax tree that name a source or take parameters. */
const nodes = new Map(files.map((file) => [file, nodesIn(file)]))
const imports = files.flatMap(importsOf)

/** Parsed, so that an import within a comment is none. */
function nodesIn(file: string): readonly SyntaxNode[] {
  const found: SyntaxNode[] = []
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if (isNode(value) && ("source" in value || "params" in value)) found.push(value)
    for (const child of Object.values(value)) walk(child)
  }
  walk(parseAst(readFileSync(file, "utf8"), { lang: "ts" }, file))
  return found
}

function isNode(value: object): value is SyntaxNode {
  return "type" in value && typeof value.type === "string"
}

/** Imports and re-exports, of types too, and `import()` of a module or of a type. */
function importsOf(file: string): readonly Import[] {
  return (nodes.get(file) ?? []).flatMap(({ type, source }) =>
    typeof source === "object" && source !== null && "value" in source && typeof source.value === "string"
      ? [{ file, target: source.value, isReexport: type.startsWith("Export") }]
      : [],
  )
}

function folderOf(file: string): string {
  return relative("src", file).split(sep)[0] ?? ""
}

function problem({ file, target }: Import): string | undefined {
  const folder = folderOf(file)
  const rule = TABLE[folder]
  if (rule === undefined) return `${file}: the folder ${folder} is not in the table`
  if (target.startsWith("node:")) {
    const may =
      typeof rule.node === "boolean" ? rule.node : rule.node.some((name) => file.endsWith(`${sep}${name}`))
    return may ? undefined : `${file} imports ${target}`
  }
  if (target.startsWith(".")) {
    const to = folderOf(relative(process.cwd(), resolve(dirname(file), target)))
    return to === folder || rule.imports.includes(to) ? undefined : `${file} imports ${to}`
  }
  const name = target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/")
  const only = rule.only?.[name]
  if (only !== undefined && !file.endsWith(`${sep}${only}`))
    return `${file} imports ${name}, which only ${only} may`
  return rule.packages.includes(name) ? undefined : `${file} imports ${name}`
}

test("imports go one way, and only to the packages that the table allows", () => {
  expect(imports.length).toBeGreaterThan(100)
  expect(imports.flatMap((item) => problem(item) ?? [])).toEqual([])
})

const KNOWS_DRIVER = /\/(sqlite|postgres)\/agent\/|\/open-agent-store\.ts$/
/** The only files outside of `database/` that know which database the agent's store is in. */
const STORE_OPENERS: readonly string[] = [
  "src/agent/adopt/adopt.ts",
  "src/agent/setup/open-parts.ts",
  "src/cli/commands/agent/schedule.ts",
  "src/cli/commands/record/prune-store.ts",
  "src/cli/commands/serve/serve-store.ts",
  "src/public/agent.ts",
  // In memory, for its tokens.
  "src/serve/page/open-inspector.ts",
]

test("an adapter needs nothing of the record, except where calls are kept", () => {
  const found = imports
    .filter(({ file, target }) => folderOf(file) === "adapters" && target.includes("/record/"))
    .map(({ file }) => file.split(sep).join("/"))
  expect([...new Set(found)]).toEqual(["src/adapters/host/record-calls.ts"])
})

test("the agent's store is used through its contract, and only a few files open it", () => {
  const found = imports
    .filter(({ file, target }) => folderOf(file) !== "database" && KNOWS_DRIVER.test(target))
    .map(({ file }) => file.split(sep).join("/"))
  expect([...new Set(found)].sort()).toEqual(STORE_OPENERS)
})

/** The same for the record. */
const RECORD_OPENERS: readonly string[] = [
  "src/agent/adopt/adopt.ts",
  "src/agent/storage/event-sinks.ts",
  "src/capture/clients/incipit-record.ts",
  "src/cli/commands/record/record-file.ts",
  "src/record/keep/upkeep.ts",
  "src/record/write/record.ts",
]

test("the record is used through its contract, and only a few files open it", () => {
  const found = imports
    .filter(
      ({ file, target }) =>
        folderOf(file) !== "database" &&
        /\/(?:sqlite|postgres)\/record\/|\/open-record-store\.ts$/.test(target),
    )
    .map(({ file }) => file.split(sep).join("/"))
  expect([...new Set(found)].sort()).toEqual(RECORD_OPENERS)
})

test("no file imports itself by way of others, types and dynamic imports included", () => {
  const targets = new Map<string, string[]>(files.map((file) => [file, []]))
  for (const { file, target } of imports)
    if (target.startsWith("."))
      targets.get(file)?.push(relative(process.cwd(), resolve(dirname(file), target)))
  const next = (file: string) => targets.get(file) ?? []
  expect(files.filter((file) => reaches(file, next))).toEqual([])
})

/** Whether a way leads from a file back to it. */
function reaches(start: string, next: (file: string) => readonly string[]): boolean {
  const seen = new Set<string>()
  const waiting = [...next(start)]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (file === start) return true
    if (seen.has(file)) continue
    seen.add(file)
    waiting.push(...next(file))
  }
  return false
}

test("only src/public re-exports", () => {
  expect(imports.filter(({ file, isReexport }) => isReexport && folderOf(file) !== "public")).toEqual([])
})

test("no file is longer than the limit, unless its first line says that it is a table", () => {
  const long = files.filter((file) => {
    const lines = readFileSync(file, "utf8").split("\n")
    return lines.length - 1 > MAX_LINES && !lines[0]?.includes("exempt")
  })
  expect(long).toEqual([])
})

/** With more, a call does not show which value is which: use one options object. */
const MAX_PARAMETERS = 4

test("no function takes more parameters than a reader can tell apart in a call", () => {
  const long = files.flatMap((file) =>
    (nodes.get(file) ?? [])
      .filter(({ type, params }) => !type.startsWith("TSTypeParameter") && lengthOf(params) > MAX_PARAMETERS)
      .map(({ start }) => `${file}:${lineAt(file, Number(start))}`),
  )
  expect(long).toEqual([])
})

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

function lineAt(file: string, offset: number): number {
  return readFileSync(file, "utf8").slice(0, offset).split("\n").length
}

/** A folder that a reader takes in at one glance. */
const MAX_FILES_SIDE_BY_SIDE = 20

test("no folder has more files side by side than a reader takes in", () => {
  // One for each entry of the package, as its `exports` list them.
  const counts = Map.groupBy(
    files.filter((file) => folderOf(file) !== "public"),
    dirname,
  )
  expect([...counts].filter(([, inside]) => inside.length > MAX_FILES_SIDE_BY_SIDE)).toEqual([])
})

test("no file has a name that explains nothing", () => {
  expect(
    files.filter((file) => /(^|[/\\])(utils?|helpers?|common|misc|types|index)(\.ts$|[/\\])/.test(file)),
  ).toEqual([])
})

test("file names are kebab-case", () => {
  expect(
    files.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.ts$/.test(file.split(sep).at(-1) ?? "")),
  ).toEqual([])
})

test("the pure part asks for no clock and no randomness", () => {
  const pure = files.filter((file) => [...PURE, "markdown"].includes(folderOf(file)))
  const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.|\bprocess\.|\bfetch\(/
  expect(pure.filter((file) => impure.test(readFileSync(file, "utf8")))).toEqual([])
})

/** The only modules with state of their own, and why it belongs to the process or thread and to nothing smaller. */
const STATE_OF_A_PROCESS: Readonly<Record<string, string>> = {
  "src/hooks/import-module.ts": "what Node may import: its table of modules is one for the process",
  "src/agent/inbox/owner.ts": "which agents are open in this process, for other agents that ask",
  "src/sandbox/turns.ts": "which folders commands write right now, also for agents with boxes of their own",
  "src/sources/git/ends-with-us.ts": "which programs a signal to this process ends as well",
  "src/files/watch/folder-watch-thread.ts": "the main file of a thread",
}

test("no module keeps state in a collection: caches belong to an owner with a lifetime", () => {
  const found = files.filter((file) => topLevel(file).some(isMutableCollection))
  expect(found.map((file) => file.split(sep).join("/")).sort()).toEqual(
    Object.keys(STATE_OF_A_PROCESS).sort(),
  )
})

/** The variables that a module declares outside of functions. */
function topLevel(file: string): readonly Declarator[] {
  const { body } = parseAst(readFileSync(file, "utf8"), { lang: "ts" }, file)
  return body.flatMap((node) => {
    const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node
    return declaration?.type === "VariableDeclaration" ? declaration.declarations : []
  })
}

interface Declarator {
  readonly id: object
  readonly init: object | null
}

/** A table that never changes is typed as `ReadonlyMap` or `ReadonlySet`. */
function isMutableCollection({ id, init }: Declarator): boolean {
  return init !== null && isCollection(init) && !/"name":"Readonly(?:Map|Set)"/.test(JSON.stringify(id))
}

/** A new one, or a literal with one in it. What a function creates has the lifetime of its caller. */
function isCollection(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !isNode(value)) return false
  const { type, callee, elements, properties } = value
  if (type === "NewExpression") return /"name":"(?:Weak)?(?:Map|Set)"/.test(JSON.stringify(callee))
  if (type === "Property") return isCollection(value.value)
  const inside = type === "ArrayExpression" ? elements : type === "ObjectExpression" ? properties : []
  return Array.isArray(inside) && inside.some(isCollection)
}

/** What opens a file by its path: with these, the gate and the checks on the handle could be gone round. */
const OPENING =
  /\b(openSync|open|readFileSync|readFile|createReadStream|openAsBlob|readv?Sync|opendirSync|cpSync|copyFileSync)\b/

/** The only files of `src` that open files, and what each of them opens. */
const OPENERS: Readonly<Record<string, string>> = {
  "src/files/safe-file.ts": "every file that somebody else may have put there",
  "src/files/replace-file.ts": "the file that is about to be replaced",
  "src/files/watch/folder-watch.ts":
    "a file without a name that only it uses, and the length of the kernel's queue",
  "src/files/lines-of.ts": "files of other clients, which may be gigabytes long and growing",
  "src/files/read-bounded.ts": "text with a limit, from a handle that safe-file.ts has opened",
  "src/tools/files/line-scan.ts": "reads on from a handle that safe-file.ts has opened",
  "src/sources/config/config.ts": "incipit.yaml, before there is a gate",
  "src/agent/inbox/owner.ts": "/proc, to see whether a process is still there",
  "src/database/sqlite/foreign-copy.ts": "makes a private copy of a database that safe-file.ts has opened",
  "src/database/sqlite/open-database.ts": "databases of the agent itself",
  "src/database/sqlite/journal.ts": "journals of these databases",
  "src/serve/auth/own-user.ts": "/proc, to see whose process has connected",
  "src/serve/page/page-files.ts": "the page that comes with the package",
  "src/cli/command-line/hidden-secrets.ts": "a pipe between two runs of the same program",
  "src/cli/command-line/inputs.ts": "files that somebody names on the command line",
  "src/cli/command-line/output-file.ts": "files that somebody names for results",
  "src/cli/commands/prompt/trace-file.ts": "files that somebody names on the command line",
  "src/cli/commands/serve/serve.ts": "the certificate and key that incipit.yaml names",
  "src/cli/commands/workspace/init-import.ts":
    "settings of other agents in the folder that init was given; links out of it are refused",
  "src/cli/tour/place.ts": "the sample that comes with the package",
  "src/cli/chat/screen/history.ts": "what was typed in chats",
}

test("nothing but the audited files opens files", () => {
  const found = files.filter((file) => {
    const source = readFileSync(file, "utf8")
    if (source.includes('/files/read-bounded.ts"')) return true
    const imports = source.matchAll(/^import\s+(?!type\b)([^"]*?)\s+from\s+"node:fs(?:\/promises)?"/gm)
    // A default or a namespace has everything in it.
    return [...imports].some(([, names = ""]) => !names.startsWith("{") || OPENING.test(names))
  })
  expect(found.map((file) => file.split(sep).join("/")).sort()).toEqual(Object.keys(OPENERS).sort())
})

/** What resolves links, puts files in place, makes them durable or tells them apart: once, in `src/files`. */
const FILE_WORK = {
  "resolves links": /\brealpath(?:Sync)?\b/,
  "puts a file in the place of another": /\brename(?:Sync)?\b/,
  "makes a file durable": /\bf(?:data)?sync(?:Sync)?\b/,
  "tells files apart": /\.(?:dev|ino)\b|[{,]\s*(?:dev|ino)\s*[,}]/,
} as const

/** The files outside of `src/files` that do such work, and why each has to. */
const FILE_WORK_ELSEWHERE: Readonly<Record<string, string>> = {
  "src/database/sqlite/damaged.ts puts a file in the place of another":
    "moves a damaged database aside, with its log; nothing is replaced, and the content stays as it is",
  "src/memory/shelf/store.ts tells files apart": "the inode is a column of the index, as a number",
}

test("only src/files resolves links, replaces files, makes them durable and tells them apart", () => {
  const found = files
    .filter((file) => folderOf(file) !== "files")
    .flatMap((file) => {
      const code = codeOf(file)
      return Object.entries(FILE_WORK).flatMap(([what, pattern]) =>
        pattern.test(code) ? [`${file.split(sep).join("/")} ${what}`] : [],
      )
    })
  expect(found.sort()).toEqual(Object.keys(FILE_WORK_ELSEWHERE).sort())
})

/** Without comments and texts. */
function codeOf(file: string): string {
  return withoutComments(file).replaceAll(/"[^"\n]*"/g, '""')
}

function withoutComments(file: string): string {
  return readFileSync(file, "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/(^|\s)\/\/.*$/gm, "")
}

/** Values that apply where the configuration sets none, as code would spell them a second time. */
const DEFAULT_AGAIN = /(?:\?\?|[^=!]=) "(?:5m|first|incipit|main)"/

test("a default is defined once", () => {
  const found = files.filter((file) => DEFAULT_AGAIN.test(withoutComments(file)))
  expect(found.map((file) => file.split(sep).join("/")).sort()).toEqual([
    // The name of our section in pi's prompt,
    "src/adapters/pi/open-chat.ts",
    // the names of a server in a client's settings,
    "src/cli/commands/mcp/install/client-settings.ts",
    "src/core/model/cache-ttl.ts",
    // of a schema, of a service, of a session, and of another system's agent.
    "src/database/postgres/database-url.ts",
    "src/files/paths.ts",
    "src/record/otel/otel.ts",
    "src/sources/config/defaults.ts",
    "src/sources/systems/gather-session.ts",
    "src/sources/systems/nova.ts",
  ])
})
