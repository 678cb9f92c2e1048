import { type ChildProcess, spawn } from "node:child_process"
import { resolve } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Folder, makeFolder } from "../../sources/folder.ts"

let folder: Folder
let child: ChildProcess

beforeEach(() => {
  folder = makeFolder()
  folder.write("workspace/SOUL.md", "One.")
})

afterEach(() => {
  child.kill()
  folder.remove()
})

test("build --watch compiles again when a file changes, says what changed, and stops when asked", async () => {
  child = spawn("node", [resolve("bin/incipit.js"), "build", "--watch", "--text"], {
    cwd: folder.root,
    env: { ...process.env, HOME: folder.home },
  })
  let errors = ""
  let output = ""
  const heard = (what: string) =>
    new Promise<void>((done) => {
      const check = () => errors.includes(what) && done()
      child.stderr?.on("data", check)
      check()
    })
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()))
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()))
  await heard("Watching")
  folder.write("workspace/SOUL.md", "Two entirely different words.")
  await heard("changed: soul")
  const ended = new Promise<number | null>((done) => child.once("exit", done))
  child.kill("SIGINT")
  expect(await ended).toBe(0)
  expect(output).toContain("<soul>\nTwo entirely different words.\n</soul>")
})
