// Measures gathering a large workspace: 2,000 files and 300 skills, cold, and again after one file changed. Cold is a
// fresh process. Prints a table; exits with 1 if a target is missed.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gatherAgent } from "../src/sources/systems/gather-agent.ts"
import { openWorkspace } from "../src/sources/workspace.ts"
import { machine } from "./measure/measure.ts"

const FILES = 2_000
const SKILLS = 300
const ROUNDS = 7

if (process.argv[2] === undefined) await main()
else gatherOnce(process.argv[2])

async function main(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "incipit-load-"))
  try {
    fill(root)
    const cold = median(
      rounds(() => Number(spawnSync("node", [import.meta.filename, root], { encoding: "utf8" }).stdout)),
    )
    const changed = median(rounds(reloads(root)))
    const rows = [
      { what: "cold, in a fresh process", ms: cold, target: 1_000 },
      { what: "again, after one file changed", ms: changed, target: 50 },
    ]
    console.log(
      `## Gathering ${FILES.toLocaleString("en")} files and ${SKILLS} skills: ${machine()}, medians of ${ROUNDS}\n`,
    )
    console.log("| gathering | median ms | target ms |\n| --- | --- | --- |")
    for (const { what, ms, target } of rows) console.log(`| ${what} | ${ms.toFixed(1)} | ≤ ${target} |`)
    const missed = rows.filter(({ ms, target }) => ms > target)
    console.log(
      missed.length === 0 ? "\nAll targets hold." : `\nMISSED: ${missed.map(({ what }) => what).join(", ")}`,
    )
    process.exitCode = missed.length === 0 ? 0 : 1
  } finally {
    rmSync(root, { recursive: true })
  }
}

function gatherOnce(root: string): void {
  const start = performance.now()
  const { value } = gatherAgent(openWorkspace(root))
  const took = performance.now() - start
  if (value.files.length + (value.memory?.length ?? 0) < FILES || value.skills?.length !== SKILLS)
    throw new Error("not everything was gathered")
  process.stdout.write(String(took))
}

/** Gathers with the previous cache, each time after another file was changed. */
function reloads(root: string): () => number {
  let workspace = openWorkspace(root)
  gatherAgent(workspace)
  let count = 0
  return () => {
    count += 1
    writeFileSync(join(root, "rules", `rule-${count}.md`), `Changed ${count} times.\n`)
    const start = performance.now()
    workspace = openWorkspace(root, { cache: workspace.cache })
    gatherAgent(workspace)
    return performance.now() - start
  }
}

function fill(root: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const body = "A sentence that says something about the matter at hand, and another one after it.\n".repeat(
    12,
  )
  for (let at = 0; at < FILES / 2; at += 1) write(`rules/rule-${at}.md`, `## Rule ${at}\n\n${body}`)
  for (let at = 0; at < FILES / 2; at += 1)
    write(`memory/shared/${at % 20}/note-${at}.md`, `---\ndescription: Note ${at}\n---\n${body}`)
  for (let at = 0; at < SKILLS; at += 1)
    write(`skills/skill-${at}/SKILL.md`, `---\nname: skill-${at}\ndescription: Does ${at}.\n---\n${body}`)
}

function rounds(measure: () => number): readonly number[] {
  return Array.from({ length: ROUNDS }, measure)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
