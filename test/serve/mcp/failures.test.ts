// What a caller hears when something goes wrong: never the reason of a failure, and never more than fits.
import { expect, test } from "vitest"
import { IncipitError } from "../../../src/base/error.ts"
import { createIncipitServer } from "../../../src/serve/mcp/mcp-server.ts"
import { mcpSurface } from "../../../src/serve/mcp/mcp-surface.ts"
import type { McpView } from "../../../src/serve/mcp/mcp-view.ts"
import { openTestGateway } from "../gateway.ts"
import { askAs } from "./mcp-caller.ts"

const SECRET = "/home/owner/workspace/MEMORY.md"

const ASKED = [
  ["resources/list", {}],
  ["prompts/list", {}],
  ["skills/list", {}],
  ["prompts/get", { name: "knots", arguments: {} }],
  ...["incipit://prompt", "incipit://prompt/report", "incipit://files/SOUL.md", "incipit://calls/a.1"].map(
    (uri) => ["resources/read", { uri }] as const,
  ),
  ["resources/read", { uri: "skill://knots/SKILL.md" }],
  ...Object.entries({
    memory: { do: "search", query: "sea" },
    explain: { what: "SOUL.md" },
    ...{ trace: {}, cost: {}, logs: {}, compile: {} },
  }).map(([name, input]) => ["tools/call", { name, arguments: input }] as const),
] as const

/** Nothing works. */
function broken(fail: () => never): McpView {
  const rejects = async () => fail()
  return {
    reader: { user: "bo", situation: "dm", trust: "full", scopes: ["read"], from: {} },
    ...{ now: () => 0, timeZone: "UTC", sources: rejects, ownSession: rejects, record: rejects },
    ...{ memory: rejects, writableMemory: rejects, compile: rejects, explain: rejects },
  }
}

async function open(view: () => McpView) {
  const failures: string[] = []
  const failed = (error: unknown) => void failures.push(String(error))
  const surface = mcpSurface({ scopes: ["talk"], factory: () => createIncipitServer({ view, failed }) })
  const gateway = await openTestGateway({ surfaces: [surface] })
  const { secret } = await gateway.token()
  return { failures, ask: askAs(gateway.url, { authorization: `Bearer ${secret}` }) }
}

test("the reason of a failure goes to the log alone, whatever was asked", async () => {
  const reasons = [
    () => new Error(`ENOENT: no such file, open '${SECRET}'`),
    () => new IncipitError("unreadable-workspace", `cannot open the workspace ${SECRET}`),
    () => new IncipitError("no-record", `${SECRET} has no record yet`),
    () => Object.assign(new Error(`bad ${SECRET}`), { code: -32_602, data: { path: SECRET } }),
  ]
  for (const reason of reasons) {
    const { failures, ask } = await open(() =>
      broken(() => {
        throw reason()
      }),
    )
    const answers = await Promise.all(ASKED.map(([method, params]) => ask(method, params)))
    for (const [at, answer] of answers.entries()) {
      expect(answer, ASKED[at]?.join(" ")).not.toContain(SECRET)
      expect(answer).toMatch(/cannot be answered now|no record yet/)
    }
    if (!String(reason()).includes("has no")) expect(failures).toHaveLength(ASKED.length)
  }
})
