// `run --plan`: whatever is allowed besides, nothing is changed.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { call } from "../../agent/world/scripted-model.ts"
import { startServer } from "../../agent/world/servers/server.ts"

test.each([
  ["run --plan --allow shell,edit changes nothing", ["--plan"], "one\n", false],
  ["without --plan the same does", [], "two\n", true],
])("%s", async (_name, flags, text, isRun) => {
  const folder = mkdtempSync(join(tmpdir(), "incipit-plan-"))
  const home = mkdtempSync(join(tmpdir(), "incipit-home-"))
  writeFileSync(join(folder, "a.md"), "one\n")
  const server = await startServer({
    protocol: "anthropic",
    now: Date.now,
    answer: ({ calls }) => ({
      kind: "reply",
      parts:
        calls === 1
          ? [
              call("edit", { path: "a.md", old: "one", new: "two" }),
              call("shell", { command: "touch ran" }),
              call("write", { path: "b.md", text: "b" }),
            ]
          : [{ text: "Done." }],
      usage: { uncached: 1, read: 0, write: {}, output: 1 },
    }),
  })
  onTestFinished(async () => {
    await server.close()
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
  })
  const args = ["run", "--model", "anthropic/claude-sonnet-5-5", "--allow", "shell,edit", ...flags, "do it"]
  const child = spawn("node", [resolve("bin/incipit.js"), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, ...server.env },
    stdio: "ignore",
  })
  await once(child, "close")
  expect(readFileSync(join(folder, "a.md"), "utf8")).toBe(text)
  const made = readdirSync(folder).filter((name) => name === "ran" || name === "b.md")
  expect(made).toEqual(isRun ? ["b.md", "ran"] : [])
})
