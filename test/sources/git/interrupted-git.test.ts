// Git that waits for a pipe in a folder does not go on when the program that asked it is told to end.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { type Folder, makeFolder } from "../folder.ts"
import { git } from "./hostile-repository.ts"

let folder: Folder
/** The process of each git, as soon as it waits. */
let started: string

beforeEach(() => {
  folder = makeFolder()
  started = join(folder.path, "started")
  const programs = join(folder.path, "programs")
  mkdirSync(programs)
  git(folder.root, "init", "-q")
  // In place of a git that waits for a pipe, which not every version does.
  writeFileSync(join(programs, "git"), `#!/bin/sh\necho $$ >> '${started}'\nexec /bin/sleep 600\n`)
  chmodSync(join(programs, "git"), 0o755)
})

afterEach(() => folder.remove())

function asking(more = "") {
  const script = `import { gitState } from ${JSON.stringify(join(process.cwd(), "src/sources/git/git.ts"))}
    ${more}
    await gitState(${JSON.stringify(folder.root)}, { limitMs: 600_000 })`
  return spawn(process.execPath, ["--input-type=module", "-e", script], {
    env: { PATH: join(folder.path, "programs") },
    stdio: ["ignore", "pipe", "inherit"],
  })
}

/** One for what is staged, one for what is not. */
async function waitingGits(): Promise<readonly number[]> {
  const lines = () => (existsSync(started) ? readFileSync(started, "utf8").split("\n").slice(0, -1) : [])
  await vi.waitUntil(() => lines().length === 2, { timeout: 580_000 })
  return lines().map(Number)
}

/** One that ended may still be listed, until its new parent asks for its status. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync("/proc") || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s ends all of them", async (signal) => {
  const program = asking()
  const ended = once(program, "exit")
  const gits = await waitingGits()
  program.kill(signal)
  expect(await ended).toEqual([null, signal])
  await vi.waitUntil(() => !gits.some(runs), { timeout: 20_000 })
})

test("a program that handles the signal goes on, without git", async () => {
  const program = asking('process.once("SIGTERM", () => console.log("noticed"))')
  const ended = once(program, "exit")
  const printed = once(program.stdout, "data")
  const gits = await waitingGits()
  program.kill("SIGTERM")
  expect(String((await printed)[0])).toBe("noticed\n")
  expect(await ended).toEqual([0, null])
  expect(gits.filter(runs)).toEqual([])
})
