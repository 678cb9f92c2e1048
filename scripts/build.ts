// Builds `dist/`: packs the rank table, generates the types, and bundles the library and the command line. Without
// bundling, they would spend most of their start finding and reading small files.
import { spawnSync } from "node:child_process"
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { build, type ChunkingContext, type Plugin } from "rolldown"
import { packRanks } from "./pack-ranks.ts"

/** A megabyte of table is not worth a second copy. */
const RANKS = /o200k-ranks\.js$/

await packRanks("src/tokens/o200k-ranks.js")
rmSync("dist", { recursive: true, force: true })
const compiled = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" })
if (compiled.status !== 0) process.exit(compiled.status ?? 1)
cpSync("src/tokens/o200k-ranks.js", "dist/tokens/o200k-ranks.js")
cpSync("src/tokens/o200k-ranks.d.ts", "dist/tokens/o200k-ranks.d.ts")

// The file has the shape of a package.json.
const { dependencies: declared } = JSON.parse(readFileSync("package.json", "utf8")) as {
  dependencies: Readonly<Record<string, string>>
}
const dependencies = Object.keys(declared).map((name) => new RegExp(`^${name}(/|$)`))
const entries = readdirSync("src/public").map((name) => basename(name, ".ts"))
// What one entry loads late, another may need at once.
const checks = { ineffectiveDynamicImport: false }
/** A third of the MCP client is a schema validator, which only methods use that are never called here. */
const withoutValidator: Plugin = {
  name: "without-validator",
  resolveId: (id) => (id === "@modelcontextprotocol/client/_shims" ? "\0without-validator" : undefined),
  load: (id) =>
    id === "\0without-validator"
      ? "export const CORS_IS_POSSIBLE = false\nexport class DefaultJsonSchemaValidator {}\n"
      : undefined,
}
const common = { platform: "node" as const, logLevel: "warn" as const, checks, plugins: [withoutValidator] }
await build({
  ...common,
  input: Object.fromEntries(entries.map((name) => [name, `dist/public/${name}.js`])),
  external: [RANKS, ...dependencies],
  output: { dir: "dist/lib", format: "esm", chunkFileNames: "[name].js" },
})
const { output } = await build({
  ...common,
  input: "dist/cli/main.js",
  preserveEntrySignatures: "allow-extension",
  // Providers are loaded on demand. What they share is in the bundle: finding and reading it took longer than
  // everything else.
  external: [RANKS, /^@ai-sdk\/(amazon-bedrock|anthropic|google|openai|openai-compatible)$/],
  // Names are kept for stack traces; white space and comments are most of what has to be read at the start.
  output: {
    dir: "dist/bin",
    format: "esm",
    chunkFileNames: "[name].js",
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: startName, debugName: "start", minShareCount: 2 },
        { name: basisName, debugName: "basis", minShareCount: 8 },
      ],
    },
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  },
})
const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []))
const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []))
writeFileSync("dist/bin/LICENSES.txt", [...packages].map(licenceOf).toSorted().join("\n\n"))
// A worker thread starts from a separate file beside the chunk that starts it. This one imports none of our modules.
for (const folder of ["lib", "bin"])
  cpSync("dist/files/watch/folder-watch-thread.js", `dist/${folder}/folder-watch-thread.js`)
removeUnbundled()

/** What runs before a command, and is also used by one, is one file. */
function startName(id: string, graph: ChunkingContext): string | null {
  return startModules(graph).has(id) ? "start" : null
}

/** What most commands share is one file: finding and reading forty took a fifth of a short run. */
function basisName(id: string, graph: ChunkingContext): string | null {
  return startModules(graph).has(id) ? null : "basis"
}

/** What the program loads before it knows the command. */
function startModules(graph: ChunkingContext): ReadonlySet<string> {
  const start = new Set<string>([resolve("dist/cli/main.js")])
  for (const module of start)
    for (const needed of graph.getModuleInfo(module)?.importedIds ?? []) start.add(needed)
  return start
}

/** The unbundled output is only needed for its types. */
function removeUnbundled(): void {
  rmSync("dist/cli", { recursive: true })
  for (const path of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
    const isBundle = path.startsWith("lib") || path.startsWith("bin") || RANKS.test(path)
    if (path.endsWith(".js") && !isBundle) rmSync(join("dist", path))
  }
}

/** The licence of bundled code; if there is no licence text, its name. */
function licenceOf(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Readonly<
    Record<string, string>
  >
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? about.license : readFileSync(join(folder, file), "utf8").trim()
  if (text === undefined) throw new Error(`the package ${about.name} has no licence`)
  return `${about.name}\n${"=".repeat(about.name?.length ?? 0)}\n\n${text}\n`
}
