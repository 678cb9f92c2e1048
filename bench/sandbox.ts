// Measures what the sandbox adds to a command: the same commands on the host and inside, alternately, in one run.
// Medians, Markdown on stdout. Needs bubblewrap.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createBoxes } from "../src/sandbox/boxes.ts"
import { createSandboxes } from "../src/sandbox/sandboxes.ts"
import { sandboxSettings } from "../src/sandbox/settings.ts"
import { runCommand } from "../src/tools/agent/run-command.ts"
import { digits, machine, median, printTable } from "./measure/measure.ts"

const RUNS = 31
const COMMANDS = ["true", "ls -R | tail -1", "node -e 0"]
/** Files of the workspace: what is fixed among them is looked for before and after each command. */
const SIZES = [10, 5_000]

const signal = new AbortController().signal
const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-bench-")))
const boxes = createBoxes()
const rows: string[][] = []
for (const files of SIZES) {
  const root = join(folder, `${files}`)
  for (let at = 0; at < files; at += 1) {
    mkdirSync(join(root, `${at % 100}`), { recursive: true })
    writeFileSync(join(root, `${at % 100}`, `${at}.txt`), "low\n")
  }
  const state = await createSandboxes({
    ...{ boxes, env: process.env, agent: "main", warn: console.error },
    settings: () => sandboxSettings({ mode: "on" }, true),
    folders: () => ({
      ...{ directory: root, workspace: root, others: [], fixed: [], hidden: [], home: undefined },
    }),
  }).of({ id: "bench", audience: { trust: "full", situation: "dm", mode: "full" }, isOwner: true })
  if (state.kind !== "on") throw new Error(`no sandbox: ${JSON.stringify(state)}`)
  for (const command of COMMANDS) {
    const placed = { command, signal, timeoutMs: 600_000, print: () => {} }
    const env = { PATH: process.env.PATH ?? "" }
    const [host, inside]: [number[], number[]] = [[], []]
    // The first opens the box, and neither counts.
    for (let run = 0; run <= RUNS; run += 1) {
      const times = [
        await timed(() => runCommand({ ...placed, directory: root, env })),
        await timed(() => state.run(placed)),
      ]
      if (run === 0) continue
      host.push(times[0] ?? 0)
      inside.push(times[1] ?? 0)
    }
    const [without, having] = [median(host), median(inside)]
    rows.push([`\`${command}\``, `${files}`, digits(without), digits(having), digits(having - without)])
  }
}
await boxes.close()
rmSync(folder, { recursive: true })

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

console.log(`${machine()}, ${RUNS} runs each\n`)
printTable(["command", "files", "on the host, ms", "inside, ms", "added, ms"], rows)
