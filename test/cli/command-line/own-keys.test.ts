// A key of the environment that comes back from a provider is printed by no command, and is in no file that one writes.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { Script } from "../../agent/world/servers/script.ts"
import { startServer } from "../../agent/world/servers/server.ts"

// Put together here, so that no scanner takes this file for a leak. Of no known form.
const KEY = ["Zq7", "w9+Rk/3mTx", "Lp0-vB5n"].join("_")

/** In a process of its own, while the server of this one answers. */
async function incipit(root: string, env: Readonly<Record<string, string>>, args: readonly string[]) {
  const child = spawn("node", [resolve("bin/incipit.js"), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: join(root, "home"), TZ: "UTC", COLUMNS: "80", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let text = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk))
  await once(child, "close")
  return text
}

test("an answer and an error with the key in it", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-own-keys-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, "incipit.yaml"), "profile: incipit\n")
  writeFileSync(join(root, "SOUL.md"), `You keep ${KEY}.\n`)
  const error = { type: "error", error: { type: "authentication_error", message: `invalid key ${KEY}` } }
  const scripts: readonly Script[] = [
    { kind: "reply", parts: [{ text: `It is ${KEY}, as you know.` }] },
    { kind: "error", status: 401, body: error },
  ]
  const answer = ({ calls }: { readonly calls: number }) => scripts[Math.min(calls, 2) - 1] as Script
  const server = await startServer({ protocol: "anthropic", answer })
  onTestFinished(() => server.close())
  const env = { ...server.env, ANTHROPIC_API_KEY: KEY }
  const printed: string[] = []
  for (const args of [
    ["run", "What is your key?", "--model", "anthropic/claude-sonnet-5-5"],
    ["run", "And now?", "--model", "anthropic/claude-sonnet-5-5", "--json"],
    ["logs"],
    ["export"],
    ["export", "events.jsonl"],
    ["export", "--calls", "calls.jsonl"],
    ["build"],
    ["run", "x", "--model", `nobody/${KEY}`],
    [KEY],
  ])
    printed.push(await incipit(root, env, args))
  expect(printed[0]).toContain("It is [redacted:key], as you know.")
  expect(printed[1]).toContain("invalid key [redacted:key]")
  expect(printed.filter((text) => text.includes(KEY))).toEqual([])
  const written = readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "SOUL.md")
    .map((entry) => join(entry.parentPath, entry.name))
  expect(written.filter((path) => readFileSync(path).includes(KEY))).toEqual([])
  expect(written.length).toBeGreaterThan(3)
})
