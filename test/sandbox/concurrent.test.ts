// Commands that run at the same time as something else, and programs that run on: neither is a way around what is
// protected.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, test, vi } from "vitest"
import { openWorld, type World, type WorldOptions, whyNoBubblewrap } from "./sandbox-world.ts"

const WHY_NOT = await whyNoBubblewrap()
const open: World[] = []
const world = (options?: WorldOptions): World => {
  const made = openWorld(options)
  open.push(made)
  return made
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const UNTIL_GO = "touch started; until [ -e go ]; do sleep 0.05; done; touch ended"
const PATIENT = { timeout: 120_000 }

describe.skipIf(WHY_NOT !== undefined)("at the same time", () => {
  test("commands that may write the same folder take turns, also by other agents", async () => {
    const { root, run } = world()
    const elsewhere = world()
    const other = world({ folders: { workspace: root, directory: root } })
    const first = run(UNTIL_GO)
    await vi.waitFor(() => expect(existsSync(join(root, "started"))).toBe(true), PATIENT)
    const second = other.run("[ -e ended ] && echo after || echo during")
    // Time for the second, if it did not wait.
    for (const _ of [1, 2, 3]) expect(await elsewhere.run("true")).toBe("exit 0")
    writeFileSync(join(root, "go"), "")
    expect([await first, await second]).toEqual(["exit 0", "exit 0\nafter"])
  })

  test("a command that only reads does not wait", async () => {
    const { root, run } = world()
    const reader = world({
      folders: { workspace: root, directory: root },
      config: { workspace: "read-only" },
    })
    const first = run(UNTIL_GO)
    await vi.waitFor(() => expect(existsSync(join(root, "started"))).toBe(true), PATIENT)
    expect(await reader.run("[ -e ended ] && echo after || echo during")).toBe("exit 0\nduring")
    writeFileSync(join(root, "go"), "")
    await first
  })

  test("a command that is stopped before its turn does not run", async () => {
    const { root, run, sandbox } = world()
    const first = run(UNTIL_GO)
    await vi.waitFor(() => expect(existsSync(join(root, "started"))).toBe(true), PATIENT)
    const stop = new AbortController()
    const { signal } = stop
    const second = (await sandbox()).run({ command: "touch ran", timeoutMs: 60_000, signal, print: () => {} })
    stop.abort()
    await expect(second).rejects.toThrow("aborted")
    writeFileSync(join(root, "go"), "")
    await first
    expect(existsSync(join(root, "ran"))).toBe(false)
  })

  test("what a stopped command made is renamed, too", async () => {
    const { root, sandbox } = world()
    const stop = new AbortController()
    const stopped = (await sandbox()).run({
      ...{ command: "echo evil > CLAUDE.md; echo made; sleep 600", timeoutMs: 300_000, signal: stop.signal },
      print: () => stop.abort(),
    })
    await expect(stopped).rejects.toThrow("aborted")
    expect(readdirSync(root)).toEqual(["CLAUDE.md.from-sandbox"])
  })

  test("a program that runs on, such as a server, reads the workspace and writes /tmp", async () => {
    const { root, sandbox, write } = world()
    write("tides.txt", "low\n")
    const script =
      "cat tides.txt; echo x > /tmp/x && cat /tmp/x; echo evil > AGENTS.md; echo evil > tides.txt"
    const argv = ["/bin/sh", "-c", script]
    const launched = await (await sandbox()).launch({ argv, env: {}, directory: root })
    const child = spawn(launched.program, launched.args, { cwd: "/", env: launched.env })
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more
    })
    await once(child, "close")
    expect(launched.release()).toEqual([])
    expect([text, readdirSync(root)]).toEqual(["low\nx\n", ["tides.txt"]])
  })

  test("what the user makes in a shell of the sandbox is looked at when it ends", async () => {
    const { root, sandbox } = world()
    const argv = ["/bin/sh", "-c", "echo evil > AGENTS.md"]
    const launched = await (await sandbox()).launch({ argv, env: {}, directory: root, hasTerminal: true })
    await once(spawn(launched.program, launched.args, { cwd: "/", env: launched.env }), "close")
    expect(launched.release().join()).toContain("renamed AGENTS.md to AGENTS.md.from-sandbox")
  })
})
