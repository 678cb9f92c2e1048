// Code of other packages in ours. What several of our bundles need, and only at times, is bundled once, in
// `dist/vendor`; the rest is a part of the bundle that needs it. Every package is named with its version and licence.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { build, type OutputChunk, type Plugin, type RolldownOutput } from "rolldown"

/** Packages in `dist/vendor`, each loaded when it is used. */
const SHARED = [
  "@ai-sdk/amazon-bedrock",
  "@ai-sdk/anthropic",
  "@ai-sdk/google",
  "@ai-sdk/openai",
  "@ai-sdk/openai-compatible",
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/server/ext/skills",
  "@modelcontextprotocol/server/stdio",
  "@pydantic/genai-prices",
  "ai",
  "chokidar",
]

/** Parts of packages that only functions use which are never called here. */
const UNUSED: Readonly<Record<string, string>> = {
  // A third of the MCP client is a schema validator.
  "@modelcontextprotocol/client/_shims":
    "export const CORS_IS_POSSIBLE = false\nexport class DefaultJsonSchemaValidator {}\n",
  "@modelcontextprotocol/server/_shims":
    'export { default as process } from "node:process"\nexport class DefaultJsonSchemaValidator {}\n',
  // Vercel's gateway opens models that are named by a string; ours are objects.
  "@ai-sdk/gateway": `export class GatewayError extends Error {}
export class GatewayAuthenticationError extends GatewayError {}
export const gateway = undefined
export const createGateway = () => undefined
`,
}

export const withoutUnused: Plugin = {
  name: "without-unused",
  resolveId: (id) => (id in UNUSED ? `\0${id}` : undefined),
  load: (id) => (id.startsWith("\0") ? UNUSED[id.slice(1)] : undefined),
}

/** The command line runs on Node, whose own SHA-256 is several times as fast as one in JavaScript, and needs no loading. */
export const nativeSha256: Plugin = {
  name: "native-sha256",
  resolveId: (id) => (id === "@noble/hashes/sha2.js" ? "\0native-sha256" : undefined),
  load: (id) =>
    id === "\0native-sha256"
      ? 'import { createHash } from "node:crypto"\nexport const sha256 = (bytes) => createHash("sha256").update(bytes).digest()\n'
      : undefined,
}

/** Our code imports the shared packages from `dist/vendor`. */
export const fromVendor: Plugin = {
  name: "from-vendor",
  resolveId: (id) => (SHARED.includes(id) ? { id: fileOf(id), external: "relative" } : undefined),
}

export async function buildVendor(options: {
  readonly plugins: readonly Plugin[]
  readonly minify: object
}): Promise<RolldownOutput> {
  const used = usedNames()
  const entries: Plugin = {
    name: "vendor-entries",
    resolveId: (id) => (id.startsWith("vendor:") ? `\0${id}` : undefined),
    load(id) {
      const name = id.slice("\0vendor:".length)
      const names = id.startsWith("\0vendor:") && used.get(name)
      return names ? `export { ${[...names].join(", ")} } from "${name}"\n` : undefined
    },
  }
  return await build({
    platform: "node",
    logLevel: "warn",
    input: Object.fromEntries([...used.keys()].map((name) => [slugOf(name), `vendor:${name}`])),
    plugins: [entries, ...options.plugins],
    output: { dir: "dist/vendor", format: "esm", chunkFileNames: "shared-[name].js", minify: options.minify },
  })
}

/** The names that our code imports from each shared package. */
function usedNames(): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map(SHARED.map((name) => [name, new Set<string>()]))
  const ours = /^(?!bin|lib|vendor).*\.js$/
  for (const path of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
    if (!ours.test(path)) continue
    const text = readFileSync(join("dist", path), "utf8")
    for (const [, names = "", name = ""] of text.matchAll(
      /\{([^{}]*)\}\s*(?:from|= await import\()\s*"([^"]+)"/g,
    ))
      for (const one of names.split(",")) {
        const [imported = ""] = one.trim().split(/\s+as\s+|\s*:\s*/)
        if (imported !== "") used.get(name)?.add(imported)
      }
  }
  return used
}

function fileOf(name: string): string {
  return resolve("dist/vendor", `${slugOf(name)}.js`)
}

function slugOf(name: string): string {
  return name.replace(/^@/, "").replaceAll("/", "-")
}

/** What Vite has built, as the bundler beneath it says it. Only a build that watches has no output. */
export function outputsOf(built: RolldownOutput | RolldownOutput[] | object): readonly RolldownOutput[] {
  return [built].flat().filter((one): one is RolldownOutput => "output" in one)
}

/** Lists the packages whose code is in these bundles, with their licences. */
export function writeLicences(outputs: readonly RolldownOutput[]): void {
  const chunks = outputs.flatMap(({ output }) =>
    output.filter((part): part is OutputChunk => part.type === "chunk"),
  )
  const folders = new Set(
    chunks.flatMap(({ moduleIds }) =>
      moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []),
    ),
  )
  // A package that was inlined twice, in two places of the tree, has one licence.
  const licences = new Set([...folders].map(licenceOf))
  const head = "Incipit contains code of these packages, each under its own licence.\n"
  writeFileSync("dist/THIRD_PARTY.txt", [head, ...[...licences].toSorted()].join("\n\n"))
}

/** The licence of bundled code; if there is no licence text, its name. */
function licenceOf(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Readonly<
    Record<string, string>
  >
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? about.license : readFileSync(join(folder, file), "utf8").trim()
  if (text === undefined) throw new Error(`the package ${about.name} has no licence`)
  const title = `${about.name} ${about.version}`
  return `${title}\n${"=".repeat(title.length)}\n\n${text}\n`
}
