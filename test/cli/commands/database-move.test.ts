// `incipit database move` as a process: what it prints, refuses and leaves alone.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { NO_SERVER, PASSWORD, schemaOf, testServer } from "../../database/postgres/postgres-server.ts"
import { incipit, type Ran } from "../run.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-database-move-")))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function workspace(name: string) {
  const [root, home, state] = ["root", "home", "state"].map((part) => join(folder, name, part))
  if (root === undefined || home === undefined || state === undefined) throw new Error("all are there")
  for (const path of [root, home]) mkdirSync(path, { recursive: true })
  writeFileSync(join(root, "MEMORY.md"), "- The key is under the mat.\n")
  const cli = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Ran => {
    const ran = incipit(args, { cwd: root, env: { HOME: home, INCIPIT_STATE_DIR: state, ...more } })
    expect(ran.stdout + ran.stderr).not.toContain(PASSWORD)
    return ran
  }
  return { cli, state, store: join(state, "agent.db") }
}

/** With a conversation, a token and an entry of the schedule. */
function usedWorkspace(name: string) {
  const used = workspace(name)
  used.cli(["folder", "approve", ".", "--yes"])
  expect(used.cli(["run", "Hello there"]).status).toBe(0)
  used.cli(["token", "add", "--name", "laptop"])
  used.cli(["schedule", "add", "@daily", "Water the plants"])
  return used
}

test("without a database to move to, and without anything to move", () => {
  const { cli } = workspace("nothing")
  expect(cli(["database", "move"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("no database to move to; name one with --to"),
  })
  expect(cli(["database", "move", "--to", "nonsense"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("the database is not a URL such as postgres://user@host/database"),
  })
  expect(cli(["database", "move", "--to", "postgres://ada@127.0.0.1:1/x"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("conversations in files"),
  })
})

describe.skipIf(NO_SERVER)(NO_SERVER ?? "into PostgreSQL", () => {
  const server = testServer()

  test("what it prints, and that the agent goes on with the same conversation", () => {
    const { cli, state } = usedWorkspace("used")
    const url = server.newUrl()
    const place = `postgres://postgres@127.0.0.1:${server.port()}/postgres`
    const schema = schemaOf(url)
    const planned = cli(["database", "move", "--to", url, "--dry-run"])
    expect(planned).toMatchObject({ status: 0, stderr: "" })
    expect(planned.stdout).toMatch(/^ {2}sessions +1$/m)
    expect(planned.stdout).toMatch(/^\d+ rows would be moved to .*, schema \w+\. Nothing was changed\.$/m)
    const { stdout, stderr, status } = cli(["database", "move", "--to", url])
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
    expect(stdout).toMatch(/^ {2}sessions +1 {2}[0-9a-f]{16}$/m)
    const said = stdout.slice(stdout.indexOf("Moved ")).replace(/^Moved \d+ rows/, "Moved … rows")
    expect(said).toBe(`Moved … rows to ${place}, schema ${schema}.
Both sides were read again and have the same digests.
The files were not changed: ${state}/agent.db and ${state}/record.db
Next: set \`database: ${place}?schema=${schema}\` in incipit.yaml and run \`incipit hooks approve\`, or set INCIPIT_DATABASE_URL; then start your servers again.
Memory is still in 1 file. To move it, run \`incipit memory import .\` with the database configured.
`)
    const named = { INCIPIT_DATABASE_URL: url }
    for (const args of [["run", "--sessions"], ["token", "list"], ["schedule"]])
      expect(cli([...args, "--json"], named)).toEqual(cli([...args, "--json"]))
    expect(cli(["run", "And again"], named).status).toBe(0)
    const [session] = JSON.parse(cli(["run", "--sessions", "--json"], named).stdout)
    expect(session).toMatchObject({ title: "Hello there", turns: 2 })
  })

  test("in JSON, with the configured database, and a second time", () => {
    const { cli, state } = usedWorkspace("json")
    const named = { INCIPIT_DATABASE_URL: server.newUrl() }
    const first = JSON.parse(cli(["database", "move", "--json"], named).stdout)
    expect(first).toMatchObject({
      ...{ result: "moved", continued: 0, memoryFiles: 1 },
      files: [`${state}/agent.db`, `${state}/record.db`],
      next: [
        "Next: start your servers again. This database is configured already.",
        expect.stringContaining("Memory is still in 1 file."),
      ],
    })
    const { tables } = first
    expect(tables.find(({ table }: { table: string }) => table === "tokens")).toMatchObject({ rows: 1 })
    expect(JSON.parse(cli(["database", "move", "--json"], named).stdout)).toEqual({
      ...{ ...first, result: "before" },
    })
    expect(cli(["database", "move"], named).stdout).toMatch(
      /were moved to .* before; nothing was changed\.$/m,
    )
  })

  test("a process that has the files open is in the way", async () => {
    const { cli, store: path } = usedWorkspace("open")
    const store = await openStore(path)
    const url = server.newUrl()
    expect(cli(["database", "move", "--to", url])).toEqual({
      stdout: "",
      stderr: `incipit: another process has ${path} open. Stop the servers and chats that use this folder, then run the command again.\n`,
      status: 2,
    })
    await store.close()
    expect(cli(["database", "move", "--to", url]).status).toBe(0)
  })
})
