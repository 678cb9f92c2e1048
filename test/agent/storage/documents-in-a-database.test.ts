// Agents on several machines whose documents are in one database: what one writes is in the next prompt of another.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { NO_SERVER, testServer } from "../../database/postgres/postgres-server.ts"
import { call, open, server as provider, type Scripts, say, workspace } from "../world/agent-world.ts"
import type { ProviderServer } from "../world/servers/server.ts"

describe.skipIf(NO_SERVER)(NO_SERVER ?? "agents with one database", () => {
  const server = testServer()
  let database: string
  beforeEach(() => {
    database = server.newUrl()
  })

  const FILES = {
    "incipit.yaml": "feeds: { bulletin: off }\n",
    "AGENTS.md": "Answer briefly.\n",
    "USER.md": "Ada keeps the light.\n",
    "MEMORY.md": "- the file that nobody imported\n",
  }

  /** A machine with its own checkout, state and provider. */
  async function machine(scripts: Scripts, files: Readonly<Record<string, string>> = {}) {
    const root = workspace({ ...FILES, ...files })
    const from = await provider(scripts)
    const { agent } = await open(root, from, { database })
    return { root, agent, from }
  }

  /** Everything that was sent with the last request, on any day. */
  function sent(from: Pick<ProviderServer, "sent">): string {
    return (from.sent.at(-1) ?? "").replaceAll(/\d{4}-\d\d-\d\d/g, "DAY")
  }

  test("what one agent remembers is listed, recalled and found by the next turn of another", async () => {
    const one = await machine([
      call(["memory_write", { text: "Carol keeps the lantern oil in the harbour shed", store: "social" }]),
      say("Noted."),
    ])
    const two = await machine([
      say("Hello."),
      call(["memory_search", { query: "lantern oil" }]),
      say("In the shed."),
    ])
    await two.agent.send("Good evening")
    expect(sent(two.from)).not.toContain("lantern")
    await one.agent.send("Remember where Carol keeps the oil")
    await two.agent.send("Where does Carol keep the lantern oil?")
    const entry = "- Carol keeps the lantern oil in the harbour shed"
    for (const part of [
      "- social/DAY.md  (78 tok)  entries by agent (full) and perhaps others\n",
      `[memory by agent (full), social/DAY.md:2 (DAY)] ${entry}\n`,
      `status=ok found=1\nsocial/DAY.md:2 date=DAY tokens=10 by=agent trust=full\n  ${entry}\n`,
    ])
      expect(sent(two.from)).toContain(JSON.stringify(part).slice(1, -1))
    expect(sent(two.from)).not.toContain("nobody imported")
    expect([existsSync(join(one.root, "memory")), existsSync(join(two.root, "memory"))]).toEqual([
      false,
      false,
    ])
  })

  test("instructions that one agent rewrites are those of all, and the files stay as they are", async () => {
    const one = await machine([call(["instructions_write", { text: "Answer in rhymes.\n" }]), say("Done.")])
    const two = await machine([say("Hello."), say("Hello again.")])
    await two.agent.send("Good evening")
    expect(sent(two.from)).toContain("Answer briefly.")
    await one.agent.send("From now on in rhymes")
    expect(sent(one.from)).toContain("Replaced AGENTS.md: 1 line became 1 line.")
    await two.agent.send("And now?", { isNew: true })
    expect(sent(two.from)).toContain("Answer in rhymes.")
    expect(sent(two.from)).not.toContain("Answer briefly.")
    for (const { root } of [one, two])
      expect(readFileSync(join(root, "AGENTS.md"), "utf8")).toBe("Answer briefly.\n")
  })

  test("tools do not write files of the workspace, unless workspace_writes says that they may", async () => {
    const changes = call(
      ["write", { path: "notes.md", text: "new\n" }],
      ["edit", { path: "SOUL.md", old: "light", new: "dark" }],
      ["write", { path: "MEMORY.md", text: "new\n" }],
    )
    const fixed = await machine([changes, say("No.")])
    await fixed.agent.send("Change them")
    const why =
      "its folder belongs to the workspace, of which other gateways have copies, and workspace_writes is not set."
    for (const name of ["notes.md", "SOUL.md", "MEMORY.md"])
      expect(sent(fixed.from)).toContain(`${name} was not written: ${why}`)
    expect(existsSync(join(fixed.root, "notes.md"))).toBe(false)
    const free = await machine([changes, say("Done.")], { "incipit.yaml": "workspace_writes: true\n" })
    await free.agent.send("Change them")
    expect(readFileSync(join(free.root, "notes.md"), "utf8")).toBe("new\n")
  })

  test("an agent whose database cannot be reached does not open", async () => {
    const root = workspace(FILES)
    const unreachable = "postgres://ada:secret@127.0.0.1:1/light"
    await expect(open(root, undefined, { database: unreachable })).rejects.toMatchObject({
      code: "unreachable-database",
      message: expect.not.stringContaining("secret"),
    })
  })
})
