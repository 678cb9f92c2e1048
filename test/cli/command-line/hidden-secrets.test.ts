// A command of the agent looks for keys where every process of a user may look.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { call } from "../../agent/world/scripted-model.ts"
import { startServer } from "../../agent/world/servers/server.ts"

const KEY = `sk-hidden-$(touch made)-'"\\-${"x".repeat(8_000)}`
const LOOK = "cat /proc/$PPID/environ /proc/$PPID/cmdline /proc/self/environ > seen; ls /proc/self/fd >> seen"

test.runIf(process.platform === "linux")(
  "a command does not find the keys in /proc, and they still work",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "incipit-proc-"))
    const home = mkdtempSync(join(tmpdir(), "incipit-home-"))
    const server = await startServer({
      protocol: "anthropic",
      now: Date.now,
      answer: ({ calls }) => ({
        kind: "reply",
        parts: calls === 1 ? [call("shell", { command: LOOK })] : [{ text: 'Done: a "quoted" word.' }],
        usage: { uncached: 1, read: 0, write: {}, output: 1 },
      }),
    })
    onTestFinished(async () => {
      await server.close()
      for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
    })
    const message = "two  words 'and' $HOME"
    const args = ["run", "--model", "anthropic/claude-sonnet-5-5", "--allow", "shell", message]
    const child = spawn(process.execPath, [resolve("bin/incipit.js"), ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        ...server.env,
        ANTHROPIC_API_KEY: KEY,
        MY_SERVICE_TOKEN: KEY,
      },
      stdio: ["ignore", "pipe", "inherit"],
    })
    let out = ""
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text
    })
    const [status] = await once(child, "close")
    expect([status, out]).toEqual([0, 'Done: a "quoted" word.\n'])
    const seen = readFileSync(join(folder, "seen"), "utf8")
    expect(seen).toContain("HOME=")
    expect(seen).toContain(message)
    expect(seen).not.toMatch(/hidden|TOKEN/)
    expect(JSON.stringify(server.bodies)).toContain(message)
  },
)
