// The examples in Python, curl and JavaScript, and the guide that shows them, against a real server.
import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { startMessagesServer } from "../../../examples/programs/messages-server.ts"
import type { TestGateway } from "../gateway.ts"
import { openApi } from "./api-client.ts"

const run = promisify(execFile)

/** Not `spawnSync`: the server is in this process. */
async function output(
  gateway: TestGateway,
  command: string,
  name: string,
  more: Record<string, string> = {},
) {
  const { secret } = await gateway.token({ scopes: ["talk", "read"] })
  const env = { PATH: process.env.PATH, INCIPIT_URL: gateway.url, INCIPIT_TOKEN: secret, ...more }
  const { stdout } = await run(command, [join("examples", "serve", name)], { env })
  return stdout
}

test("Python: two turns and a tool, with the prefix in the cache", async () => {
  const gateway = await openApi()
  const provider = await startMessagesServer(({ messages }) => {
    const last = JSON.stringify(messages.at(-1))
    if (last.includes("Where is my order"))
      return [{ type: "tool_use", id: "t1", name: "find_order", input: {} }]
    return [{ type: "text", text: last.includes("left on Monday") ? "It left on Monday." : "No." }]
  })
  onTestFinished(() => provider.close())
  const more = { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "none" }
  const printed = await output(gateway, "python3", "support.py", more)
  expect(printed).toMatch(
    /^It left on Monday\. \(\d+ tokens from the cache\)\nNo\. \(\d+ tokens from the cache\)\n$/,
  )
  const [first, ...rest] = provider.bodies.map((body) => JSON.parse(body))
  for (const request of rest) {
    expect(request.system).toEqual(first.system)
    // Cache marks move; the text stays.
    expect(unmarked(request.messages).startsWith(unmarked(first.messages).slice(0, -1))).toBe(true)
  }
})

function unmarked(value: unknown): string {
  return JSON.stringify(value, (key, item) => (key === "cache_control" ? undefined : item))
}

test("curl: compile, explain and price", async () => {
  const gateway = await openApi()
  writeFileSync(join(gateway.workspace, "SOUL.md"), "Keep the lamp lit.\n")
  const [compiled, explained, price] = (await output(gateway, "sh", "compile.sh"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(compiled.report).toMatchObject({ profile: "incipit", trust: "familiar" })
  expect(explained).toMatchObject([{ kind: "file", path: "SOUL.md", fate: { kind: "used" } }])
  expect(price.what).toBe("Editing SOUL.md (+100 tokens)")
})

test("JavaScript: an answer as it is written, and its receipt", async () => {
  const gateway = await openApi()
  writeFileSync(join(gateway.workspace, "SOUL.md"), "Keep the lamp lit.\n")
  const printed = await output(gateway, "node", "follow.js")
  expect(printed).toMatch(/^\[list\]\n/)
  expect(printed).toContain("soul: included")
})

test("the guide shows the examples as they are", () => {
  const guide = readFileSync("docs/guide/api.md", "utf8")
  for (const name of ["support.py", "compile.sh", "follow.js"])
    expect(guide).toContain(readFileSync(join("examples", "serve", name), "utf8"))
})
