// Builds `dist/`: packs the rank table, then compiles the sources.
import { spawnSync } from "node:child_process"
import { cpSync, rmSync } from "node:fs"
import { packRanks } from "./pack-ranks.ts"

await packRanks("src/tokens/o200k-ranks.js")
rmSync("dist", { recursive: true, force: true })
const compiled = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" })
if (compiled.status !== 0) process.exit(compiled.status ?? 1)
cpSync("src/tokens/o200k-ranks.js", "dist/tokens/o200k-ranks.js")
cpSync("src/tokens/o200k-ranks.d.ts", "dist/tokens/o200k-ranks.d.ts")
