// Builds `dist/`: packs the rank table, compiles the library, and bundles the command line, which would otherwise
// spend most of its start on finding and reading the small files of its packages.
import { spawnSync } from "node:child_process"
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "rolldown"
import { packRanks } from "./pack-ranks.ts"

/** Packages whose code is in the bundle, and whose licences go with it. */
const BUNDLED = ["@noble/hashes", "commander", "diff", "yaml", "zod"]

await packRanks("src/tokens/o200k-ranks.js")
rmSync("dist", { recursive: true, force: true })
const compiled = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" })
if (compiled.status !== 0) process.exit(compiled.status ?? 1)
cpSync("src/tokens/o200k-ranks.js", "dist/tokens/o200k-ranks.js")
cpSync("src/tokens/o200k-ranks.d.ts", "dist/tokens/o200k-ranks.d.ts")

await build({
  input: "dist/cli/main.js",
  platform: "node",
  // A megabyte of table is not worth a second copy.
  external: [/o200k-ranks\.js$/],
  output: { dir: "dist/bin", format: "esm", chunkFileNames: "[name].js" },
  logLevel: "warn",
})
rmSync("dist/cli", { recursive: true })
writeFileSync("dist/bin/LICENSES.txt", BUNDLED.map(licenceOf).join("\n\n"))

function licenceOf(name: string): string {
  const folder = join("node_modules", name)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`the package ${name} has no licence file`)
  return `${name}\n${"=".repeat(name.length)}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`
}
