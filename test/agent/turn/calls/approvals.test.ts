// Approvals in a real file of the home folder: by kind and digest, taken back by name.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { approvedDigests, withApprovals } from "../../../../src/approval/approvals.ts"
import { approveFolder } from "../../../../src/approval/folder.ts"
import { digest } from "../../../../src/base/digest.ts"
import { findHooks } from "../../../../src/hooks/load.ts"
import {
  approveServers,
  call,
  inRecord,
  open,
  say,
  server,
  transcript,
  workspace,
  write,
} from "../../world/agent-world.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "incipit-approvals-")))
afterAll(() => rmSync(home, { recursive: true }))

const [a, b, c] = [digest("a"), digest("b"), digest("c")]

test("what is approved stays so in the file, and is taken back by name", () => {
  withApprovals(home, (approvals) => {
    expect(approvals.list("hook")).toEqual([])
    approvals.approve({ kind: "hook", digest: a, name: "tides", at: 1 })
    approvals.approve({ kind: "hook", digest: b, name: "tides", at: 2 })
    approvals.approve({ kind: "hook", digest: c, name: "guard", at: 3 })
    // Again, by another name: there is one approval of one thing.
    approvals.approve({ kind: "hook", digest: c, name: "door", at: 4 })
  })
  withApprovals(home, (again) => {
    const door = { kind: "hook", digest: c, name: "door", at: 4 }
    expect(again.list("hook")).toEqual([
      door,
      { kind: "hook", digest: b, name: "tides", at: 2 },
      { kind: "hook", digest: a, name: "tides", at: 1 },
    ])
    const revoked = [again.revoke("hook", "tides"), again.revoke("hook", "tides")]
    expect([revoked, again.list("hook")]).toEqual([[2, 0], [door]])
  })
})

test("to look for approvals writes nothing", () => {
  const other = join(home, "other")
  expect(approvedDigests(other, "hook")).toEqual(new Set())
  expect(existsSync(other)).toBe(false)
  withApprovals(other, (approvals) => approvals.approve({ kind: "hook", digest: a, name: "tides", at: 1 }))
  expect(approvedDigests(other, "hook")).toEqual(new Set([a]))
})

test("an agent opens without a home folder that can be written", async () => {
  const file = join(home, "file")
  writeFileSync(file, "")
  const { agent } = await open(workspace(), undefined, { home: file })
  const { state } = await agent.send("hello")
  expect(state).toBe("answered")
})

test("a server that nobody approved is not started, nor is one that has changed", async () => {
  const entry = (word: string) => `profile: incipit\nmcp: { x: { command: ./x.sh, args: [${word}] } }\n`
  const root = workspace({ "incipit.yaml": entry("a"), "x.sh": "#!/bin/sh\necho $1 >> ran\n" })
  chmodSync(join(root, "x.sh"), 0o755)
  const own = join(home, "own")
  const ran = async () => {
    const { agent } = await open(root, undefined, { home: own, env: process.env })
    await agent.close()
    return existsSync(join(root, "ran")) ? readFileSync(join(root, "ran"), "utf8") : ""
  }
  expect(await ran()).toBe("")
  expect(findings(root, "mcp-waits")).toEqual([
    "MCP server x starts once you approve it: incipit hooks approve",
  ])
  approveServers(root, own)
  expect(await ran()).toBe("a\n")
  write(root, "incipit.yaml", entry("b"))
  expect(await ran()).toBe("a\n")
})

/** What was found of that kind, in words. */
function findings(root: string, code: string): readonly string[] {
  const rows = inRecord(root, (database) =>
    database.all("SELECT metadata ->> 'text' AS text FROM events WHERE metadata ->> 'code' = ?", code),
  )
  return rows.map(({ text }) => String(text))
}

function elsewhere(endpoint: string): string {
  return `profile: incipit
model: lab/any
providers: { lab: { url: "https://lab.example/v1", key: LAB_KEY } }
record: { otlp: { endpoint: "${endpoint}" } }
`
}

test("addresses elsewhere get nothing before they are approved as they are", async () => {
  const received: string[] = []
  const spans = createServer(async (request, response) => {
    received.push(request.url ?? "")
    response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  await new Promise<void>((done) => spans.listen(0, "127.0.0.2", done))
  const { port } = spans.address() as AddressInfo
  const root = workspace({ "incipit.yaml": elsewhere("http://spans.example:4318") })
  const own = join(home, "places")
  const env = { LAB_KEY: "secret" }
  const { agent } = await open(root, undefined, { home: own, env })
  const { state } = await agent.send("hello")
  await agent.close()
  expect([state, agent.model.isOffline, agent.model.why]).toEqual([
    "answered",
    true,
    "lab/any needs your approval of https://lab.example/v1: incipit hooks approve lab",
  ])
  await expect(open(root, undefined, { home: own, env, model: "lab/any" })).rejects.toMatchObject({
    code: "not-approved",
  })
  expect(findings(root, "otlp-waits")).toEqual([
    "spans go to http://spans.example:4318 once you approve it: incipit hooks approve",
  ])
  // On this machine it needs no approval; nor does a provider that was approved.
  write(root, "incipit.yaml", elsewhere(`http://127.0.0.2:${port}`))
  approveServers(root, own)
  const { agent: again } = await open(root, undefined, { home: own, env, model: "lab/any" })
  await again.useModel("offline")
  await again.send("hello")
  await again.close()
  expect([again.model.isOffline, received]).toEqual([true, ["/v1/traces", "/v1/metrics"]])
  spans.closeAllConnections()
  await new Promise((done) => spans.close(done))
})

test("a folder outside of the workspace is read once it is approved, and not where a link leads later", async () => {
  const own = join(home, "folders")
  const outside = join(own, "keys")
  mkdirSync(outside, { recursive: true })
  mkdirSync(join(own, "other"))
  for (const folder of ["keys", "other"]) writeFileSync(join(own, folder, "note.txt"), `of ${folder}`)
  const root = workspace({
    "incipit.yaml": "profile: incipit\ndirectories: [inside, ~/keys, linked]\n",
    "inside/note.txt": "of inside",
  })
  symlinkSync(outside, join(root, "linked"))
  const paths = ["inside/note.txt", "~/keys/note.txt", "linked/note.txt"]
  const reads = async () => {
    const said = await server([call(...paths.map((path) => ["read", { path }] as const)), say("Read.")])
    const { agent } = await open(root, said, { home: own })
    const { session } = await agent.send("Read them.", { isNew: true })
    const told = (await agent.preview("hello")).head.flatMap(({ text }) => text.match(/^- \/.*/gm) ?? [])
    await agent.close()
    const results = transcript(root, session).filter((line) => /^(?:result|error)/.test(line))
    return [...results.map((line) => line.split("\n", 1)[0]), ...told.map((line) => line.slice(2))]
  }
  const refused = (path: string) => `error: No such file or folder: ${path}.`
  const inside = "result: of inside"
  expect(await reads()).toEqual([
    inside,
    refused("~/keys/note.txt"),
    refused("linked/note.txt"),
    join(root, "inside"),
  ])
  expect(findings(root, "directory-waits")).toEqual([
    "the folder linked is not used until you approve it: incipit hooks approve",
    "the folder ~/keys is not used until you approve it: incipit hooks approve",
  ])
  approveServers(root, own)
  const all = [join(root, "inside"), outside, join(root, "linked")]
  expect(await reads()).toEqual([inside, "result: of keys", "result: of keys", ...all])
  rmSync(join(root, "linked"))
  symlinkSync(join(own, "other"), join(root, "linked"))
  expect(await reads()).toEqual([inside, "result: of keys", refused("linked/note.txt"), ...all.slice(0, 2)])
})

test("a hook that nobody approved does not run in the agent", async () => {
  const root = workspace({
    "incipit.yaml": "profile: incipit\nhooks: [./guard.mjs]\n",
    "guard.mjs": 'export const before_agent_start = () => ({ messages: [{ text: "I ran." }] })\n',
  })
  const folder = join(root, "home")
  const said = async () => {
    const { agent } = await open(root, await server([say("Hello.")]), { home: folder })
    const { session } = await agent.send("Hello?", { isNew: true })
    await agent.close()
    return transcript(root, session)
  }
  expect(await said()).toEqual(["user: Hello?", "assistant: Hello."])
  for (const { name, digest: known } of findHooks(["./guard.mjs"], root).modules)
    withApprovals(folder, (approvals) => approvals.approve({ kind: "hook", digest: known, name, at: 0 }))
  // Nor does one that is approved, in a folder that is not.
  expect(await said()).toEqual(["user: Hello?", "assistant: Hello."])
  approveFolder(root, [{ kind: "hook", name: "./guard.mjs" }], { home: folder, at: 0 })
  expect(await said()).toEqual(["user: I ran.", "user: Hello?", "assistant: Hello."])
})
