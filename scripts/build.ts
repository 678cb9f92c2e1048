// Builds `dist/`: packs the rank table, generates the types, and bundles the library, the command line and the page.
// Without bundling, they would spend most of their start finding and reading small files, and users would install 40 packages.
import { spawnSync } from "node:child_process"
import { cpSync, readdirSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import process from "node:process"
import { build } from "rolldown"
import { build as buildPage } from "vite"
import { chunkGroups } from "./build/chunks.ts"
import { compressPage } from "./build/compressed-page.ts"
import { trimTypes } from "./build/public-types.ts"
import { RANKS, ranksAsData } from "./build/ranks.ts"
import { importsByFunction } from "./build/scripts.ts"
import { createSteps } from "./build/steps.ts"
import {
  buildVendor,
  fromVendor,
  nativeSha256,
  outputsOf,
  withoutUnused,
  writeLicences,
} from "./build/third-party.ts"
import { packRanks } from "./pack-ranks.ts"

/** Names are kept for stack traces; white space and comments are most of what has to be read at the start. */
const MINIFY = { compress: true, mangle: false, codegen: { removeWhitespace: true } } as const

const common = {
  platform: "node" as const,
  logLevel: "warn" as const,
  // Optional peers: those who use PostgreSQL or an adapter install them.
  external: [RANKS, "pg", "langchain"],
  // What one entry loads late, another may need at once.
  checks: { ineffectiveDynamicImport: false },
}

const step = createSteps(process.stderr, 6)

step("table of tokens")
await packRanks("src/tokens/o200k-ranks.js")
rmSync("dist", { recursive: true, force: true })

step("types")
const compiled = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" })
if (compiled.status !== 0) process.exit(compiled.status ?? 1)
cpSync("src/tokens/o200k-ranks.js", "dist/tokens/o200k-ranks.js")
cpSync("src/tokens/o200k-ranks.d.ts", "dist/tokens/o200k-ranks.d.ts")

step("packages of others")
const vendor = await buildVendor({ plugins: [withoutUnused], minify: MINIFY })

step("library")
const entries = readdirSync("src/public").map((name) => basename(name, ".ts"))
const library = await build({
  ...common,
  plugins: [fromVendor],
  input: Object.fromEntries(entries.map((name) => [name, `dist/public/${name}.js`])),
  output: { dir: "dist/lib", format: "esm", chunkFileNames: "[name].js" },
})

step("command line")
const commandLine = await build({
  ...common,
  external: ["pg"],
  plugins: [fromVendor, nativeSha256, ranksAsData, importsByFunction],
  input: "dist/cli/main.js",
  preserveEntrySignatures: "allow-extension",
  output: {
    dir: "dist/bin",
    // `bin/bundles.js` runs scripts: what V8 compiled of a script can be kept after it ran, of a module only before.
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name].cjs",
    // One character outside of Latin-1 would double the memory of a whole file, and the time to read it.
    charset: "ascii",
    codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups() },
    minify: MINIFY,
  },
})
step("page")
const page = await buildPage({ configFile: "page/vite.config.ts" })
await compressPage("dist/page/page")
writeLicences([vendor, library, commandLine, ...outputsOf(page)])
// A worker thread starts from a separate file beside the chunk that starts it. This one imports none of our modules.
for (const folder of ["lib", "bin"])
  cpSync("dist/files/watch/folder-watch-thread.js", `dist/${folder}/folder-watch-thread.js`)
await trimTypes()
removeUnbundled()
step.end()

/** What the bundles were made of. */
function removeUnbundled(): void {
  const bundled = /^(?:lib|bin|vendor|page)\b/
  for (const path of readdirSync("dist", { recursive: true, encoding: "utf8" }))
    if (path.endsWith(".js") && !bundled.test(path) && !RANKS.test(path)) rmSync(join("dist", path))
}
