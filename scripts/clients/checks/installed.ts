// Whether a client takes what `incipit mcp --install` writes: it lists the server, starts it where it starts servers to list
// them, and has its own settings back when the server is removed.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { SCOPES, type Scope } from "../../../src/cli/commands/mcp/mcp-clients.ts"
import type { Check } from "../check.ts"
import type { Place, RealClient } from "../real-client.ts"
import { baseVariables } from "../run-client.ts"

const BIN = fileURLToPath(new URL("../../../bin/incipit.js", import.meta.url))

interface Listing {
  readonly args: readonly string[]
  /** What it prints of a server that it takes, for each scope. */
  readonly taken: Readonly<Record<Scope, RegExp>>
  /** Settings that somebody has already, in the file of each scope. */
  readonly before: Readonly<Record<Scope, string>>
  /** Other files that it needs. */
  readonly beside?: (place: Place) => Readonly<Record<string, string>>
}

const OTHER_JSON = '{\n  "mcpServers": {\n    "other": { "command": "true", "args": [] }\n  }\n}\n'
const OTHER_GEMINI =
  '{\n  // mine\n  "security": { "auth": { "selectedType": "gemini-api-key" } }, // a key\n  "mcpServers": {}\n}\n'
const OTHER_OPENCODE =
  '{\n  // mine\n  "$schema": "https://opencode.ai/config.json",\n  "share": "disabled", /* always */\n}\n'
const OTHER_CODEX = '# mine\nmodel = "gpt-5.5" # the big one\n\n[analytics]\nenabled = false # [no]\n'

/** Those that can list their servers. */
const LISTINGS: Readonly<Record<string, Listing>> = {
  "claude-code": {
    args: ["mcp", "list"],
    // It starts a server of a project only after somebody has approved it.
    taken: { project: /^incipit: .* mcp - \S+ Pending approval/m, user: /^incipit: .* mcp - \S+ Connected/m },
    before: { project: OTHER_JSON, user: OTHER_JSON },
  },
  codex: {
    args: ["mcp", "list", "--json"],
    taken: { project: /"name": "incipit",\s+"enabled": true/, user: /"name": "incipit",\s+"enabled": true/ },
    before: { project: OTHER_CODEX, user: OTHER_CODEX },
    beside: ({ home, tree }) => ({
      [join(home, ".codex", "config.toml")]: `[projects.${JSON.stringify(tree)}]\ntrust_level = "trusted"\n`,
    }),
  },
  opencode: {
    args: ["mcp", "list"],
    taken: { project: /✓ incipit .*connected/, user: /✓ incipit .*connected/ },
    before: { project: OTHER_OPENCODE, user: OTHER_OPENCODE },
  },
  "gemini-cli": {
    args: ["mcp", "list"],
    taken: { project: /✓ incipit: .* - Connected/, user: /✓ incipit: .* - Connected/ },
    before: { project: OTHER_GEMINI, user: OTHER_GEMINI },
  },
}

export interface InstalledOptions {
  readonly client: RealClient
  readonly modules: string
  /** Where everything of this check is kept. */
  readonly folder: string
}

export function checkInstalled({ client, modules, folder }: InstalledOptions): readonly Check[] {
  const listing = LISTINGS[client.name]
  if (listing === undefined) return []
  return SCOPES.map((scope) => {
    const own = join(folder, scope)
    const [tree, home, bodies] = [join(own, "tree"), join(own, "home"), join(own, "bodies")]
    for (const path of [tree, home, bodies]) mkdirSync(path, { recursive: true })
    const place = { tree, home, bodies, modules, url: "http://127.0.0.1:9" }
    const problem = problemOf({ client, listing, scope, place })
    const about = { name: "installed", client: client.name, from: "mcp", what: `${scope} settings` } as const
    return { ...about, holds: problem === undefined, result: problem ?? "listed, then as before" }
  })
}

interface Trying {
  readonly client: RealClient
  readonly listing: Listing
  readonly scope: Scope
  readonly place: Place
}

/** Undefined if all is as it should be. */
function problemOf(trying: Trying): string | undefined {
  const { client, listing, scope, place } = trying
  const incipit = (...args: readonly string[]) =>
    printed([process.execPath, BIN, "mcp", ...args, "--scope", scope], trying)
  // What the person has is written where the client keeps it.
  const { path } = JSON.parse(incipit("--print", client.name, "--json").text)
  const files: Record<string, string> = { ...listing.beside?.(place), [path]: listing.before[scope] }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(name), { recursive: true })
    writeFileSync(name, text)
  }
  const added = incipit("--install", client.name, "--yes")
  if (added.status !== 0) return `not installed: ${added.text.slice(-200)}`
  const after = readFileSync(path, "utf8")
  const command = join(place.modules, ".bin", client.bin)
  const list = () => printed([command, ...listing.args], trying)
  const listed = list()
  if (!listing.taken[scope].test(listed.text)) return `not listed: ${listed.text.slice(-300)}`
  const isOwn = readFileSync(path, "utf8") === after
  incipit("--remove", client.name, "--yes")
  // Some clients write into their own file when they run.
  if (isOwn && withoutEmpty(readFileSync(path, "utf8")) !== withoutEmpty(listing.before[scope]))
    return `not as before: ${readFileSync(path, "utf8").slice(0, 200)}`
  return /\bincipit\b.*\bmcp\b/.test(list().text) ? "still listed" : undefined
}

/** An object that was made for the server stays, without it. */
function withoutEmpty(text: string): string {
  return text.replace(/,?\s*"mcp": \{\},?/, "").replaceAll(/,(?=\s*\})/g, "")
}

function printed([command = "", ...args]: readonly string[], { client, place }: Trying) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: place.tree,
    env: { ...baseVariables(place.home, "UTC"), ...client.variables(place) },
    encoding: "utf8",
    timeout: 180_000,
  })
  return { status, text: `${stdout}${stderr}` }
}

/** The server is started as it is installed. */
export function isBuilt(): boolean {
  return existsSync(fileURLToPath(new URL("../../../dist/bin/main.cjs", import.meta.url)))
}
