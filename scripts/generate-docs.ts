// Generates docs: the reference from the tables in the code, the schema of `build --json`, and the sample in the
// guide to workspaces. `node scripts/generate-docs.ts` writes them; a test compares them.
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { z } from "zod"
import { SIZE_HEADS, sizeCells, sizeRows } from "../bench/measure/size-table.ts"
import { CODES, type Code, type Diagnostic, levelOf, sentence } from "../src/base/diagnostic.ts"
import { ERROR_HELP } from "../src/base/diagnostics/error-help.ts"
import { billSchema } from "../src/capture/bill/bill-schema.ts"
import { VARIABLES } from "../src/cli/command-line/variables.ts"
import { MCP_CLIENTS } from "../src/cli/commands/mcp/mcp-clients.ts"
import { compileFromFlags } from "../src/cli/commands/prompt/resolve.ts"
import type { Terminal } from "../src/cli/terminal.ts"
import { buildView } from "../src/cli/views/build-view.ts"
import { reportSchema } from "../src/serve/api/compile/report-schema.ts"
import { openApiDocument } from "../src/serve/api/openapi/openapi.ts"
import { API_ROUTES } from "../src/serve/api/routes.ts"
import { configSchema } from "../src/sources/config/config-schema.ts"
import { apiPages } from "./api/pages.ts"
import { cacheRulesPage, layoutsPicture, layoutsTable, sampleLayouts } from "./cache-pages.ts"
import { keysTable, slashTable } from "./chat-tables.ts"
import { cliPage, commandPages } from "./command-pages.ts"
import { compatiblePage } from "./compatible-page.ts"
import { mcpCosts, mcpSnippet } from "./mcp-pages.ts"
import { toolsPage } from "./tools-page.ts"

/** Fixed, so that the docs are the same on every machine. */
const TERMINAL: Terminal = {
  out: () => {},
  exact: () => {},
  err: () => {},
  drained: async () => {},
  columns: 80,
  colour: false,
  cwd: process.cwd(),
  home: undefined,
  env: {},
  timeZone: "UTC",
  now: () => Date.UTC(2026, 5, 15, 7),
  stopped: async () => {},
}

/** The path and content of every generated file. */
export async function generateDocs(): Promise<ReadonlyMap<string, string>> {
  const workspace = readFileSync("docs/guide/workspace.md", "utf8")
  const profile = readFileSync("docs/profiles/incipit.md", "utf8")
  const caching = readFileSync("docs/guide/caching.md", "utf8")
  const chat = readFileSync("docs/guide/chat.md", "utf8")
  const compare = readFileSync("docs/guide/compare.md", "utf8")
  const mcp = readFileSync("docs/guide/mcp-server.md", "utf8")
  const clientPages = MCP_CLIENTS.map((client) => {
    const path = `docs/clients/${client}.md`
    return [path, replaceRegion(readFileSync(path, "utf8"), "mcp", mcpSnippet(client))] as const
  })
  const layouts = await sampleLayouts(TERMINAL)
  return new Map([
    ["docs/reference/cli.md", cliPage()],
    ...(await commandPages(TERMINAL)),
    ["docs/reference/configuration.md", configurationPage()],
    ["docs/reference/errors.md", errorsPage()],
    ["docs/reference/diagnostics.md", diagnosticsPage()],
    ["docs/reference/cache-rules.md", cacheRulesPage()],
    ["docs/reference/tools.md", toolsPage()],
    ["docs/reference/compatible-apis.md", compatiblePage()],
    ...apiPages(),
    ["docs/reference/openapi.json", `${JSON.stringify(openApiDocument(API_ROUTES), null, 2)}\n`],
    ["docs/guide/pictures/layouts.svg", layoutsPicture(layouts)],
    ["docs/profiles/incipit.md", replaceRegion(profile, "size", sizeTable())],
    ["docs/guide/compare.md", replaceRegion(compare, "compare", comparison())],
    ["docs/guide/mcp-server.md", replaceRegion(mcp, "cost", mcpCosts())],
    ...clientPages,
    ["docs/guide/caching.md", replaceRegion(caching, "layouts", layoutsTable(layouts))],
    ["docs/guide/chat.md", replaceRegion(replaceRegion(chat, "keys", keysTable()), "commands", slashTable())],
    ["schema/build.json", schemaOf(reportSchema)],
    ["schema/bill.json", schemaOf(billSchema)],
    ["schema/incipit.json", schemaOf(configSchema)],
    ["docs/guide/workspace.md", replaceRegion(workspace, "sample", `\`\`\`text\n${await sample()}\`\`\``)],
  ])
}

function schemaOf(type: z.ZodType): string {
  return `${JSON.stringify(z.toJSONSchema(type, { target: "draft-2020-12", io: "input" }), null, 2)}\n`
}

export function replaceRegion(page: string, name: string, content: string): string {
  const [start, end] = [`<!-- start: ${name} -->`, `<!-- end: ${name} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`the page has no region "${name}"`)
  return `${page.slice(0, from + start.length)}\n${content}\n${page.slice(to)}`
}

function configurationPage(): string {
  const schema = z.toJSONSchema(configSchema, { target: "draft-2020-12", io: "input" }) as JsonSchema
  const rows = keysOf(schema, "").map(([key, type, help]) => `| \`${key}\` | ${type} | ${help} |`)
  const intro = `\`incipit.yaml\` is in the workspace folder. Every key is optional. Editors that know JSON Schema can use [schema/incipit.json](../../schema/incipit.json): put \`# yaml-language-server: $schema=…/schema/incipit.json\` on its first line. A value of the wrong type is an error that points at its line; an unknown key is an error that names the nearest known one, and is ignored.`
  const variables = Object.entries(VARIABLES).map(([flag, variable]) => `| \`${variable}\` | \`--${flag}\` |`)
  const machine = `## Variables\n\nSettings that depend on the machine. A flag overrides its variable, and a variable overrides the file.\n\n| variable | flag |\n|---|---|\n${variables.join("\n")}`
  return `# Configuration\n\n${intro}\n\n| key | value | meaning |\n|---|---|---|\n${rows.join("\n")}\n\n${machine}\n`
}

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

/** Every key with its type and meaning; `<name>` is any name, `[]` the items of a list. */
function keysOf(schema: JsonSchema, at: string): readonly (readonly [string, string, string])[] {
  const own = Object.entries(schema.properties ?? {})
  const any =
    typeof schema.additionalProperties === "object" ? [["<name>", schema.additionalProperties] as const] : []
  return [...own, ...any].flatMap(([name, child]) => {
    const key = at === "" ? name : `${at}.${name}`
    const [one, place] = child.items ? [child.items, `${key}[]`] : [child, key]
    const inside = [one, ...(one.anyOf ?? [])].flatMap((form) => keysOf(form, place))
    return [[key, typeOf(child), child.description ?? ""] as const, ...inside]
  })
}

function typeOf({ type, enum: values, const: only, anyOf, items }: JsonSchema): string {
  if (values !== undefined) return values.map(String).join(", ")
  if (only !== undefined) return String(only)
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ")
  return items === undefined
    ? type === "object"
      ? "map"
      : [type ?? "any"].flat().join(" or ")
    : `list of ${typeOf(items)}`
}

function errorsPage(): string {
  const rows = Object.entries(ERROR_HELP).map(([code, help]) => `| \`${code}\` | ${help} |`)
  const intro =
    "Errors stop the work: one line on stderr, exit status 2. In the library they are `IncipitError` with a `code`."
  return `# Errors\n\n${intro}\n\n| code | what to do |\n|---|---|\n${rows.sort().join("\n")}\n`
}

function diagnosticsPage(): string {
  const rows = CODES.map((code) => {
    const diagnostic = example(code)
    return `| \`${code}\` | ${levelOf(diagnostic)} | ${sentence(diagnostic).replaceAll("|", "\\|")} |`
  })
  const intro =
    "Diagnostics never stop the work. They come back with the result. `incipit check` exits with 1 if there are errors; `--strict` makes warnings and hints count too, except `waits-for-approval`."
  return `# Diagnostics\n\n${intro}\n\n| code | level | what it says |\n|---|---|---|\n${rows.join("\n")}\n`
}

/** A diagnostic in which every value is the name of its field. */
function example(code: Code): Diagnostic {
  const get = (_target: object, key: string | symbol) => {
    if (key === "code") return code
    // Any diagnostic about a file may stand for several; the table shows the sentence about one.
    if (key === "others") return undefined
    return key === "known" ? ["<known>"] : `<${String(key)}>`
  }
  // Only the sentence is built from it, and that needs only strings.
  return new Proxy({}, { get }) as Diagnostic
}

function sizeTable(): string {
  const rows = [SIZE_HEADS, SIZE_HEADS.map(() => "---"), ...sizeRows().map(sizeCells)]
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

/** The same agent in four libraries. A process of its own, because Node needs a hook for TSX. */
function comparison(): string {
  return execFileSync("node", ["examples/compare/run.ts"], { encoding: "utf8" }).trimEnd()
}

/** The report of the sample workspace, as shown in the guide to workspaces. */
async function sample(): Promise<string> {
  const flags = { workspace: "examples/lighthouse", cwd: "/island" }
  return buildView(await compileFromFlags(flags, TERMINAL), TERMINAL)
}

if (import.meta.main) {
  for (const [path, content] of await generateDocs()) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}
