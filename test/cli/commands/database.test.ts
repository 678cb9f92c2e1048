// `incipit database` and agents on PostgreSQL, as processes: what is created, refused and printed.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { NO_SERVER, PASSWORD, schemaOf, testServer } from "../../database/postgres/postgres-server.ts"
import { incipit, type Ran } from "../run.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-database-")))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function workspace(name: string, yaml = "") {
  const root = join(folder, name)
  const home = join(folder, `home-${name}`)
  for (const path of [root, home]) mkdirSync(path)
  writeFileSync(join(root, "incipit.yaml"), yaml)
  const env = { HOME: home, INCIPIT_STATE_DIR: join(folder, `state-${name}`) }
  return (args: readonly string[], more: Readonly<Record<string, string>> = {}): Ran => {
    const ran = incipit(args, { cwd: root, env: { ...env, ...more } })
    expect(ran.stdout + ran.stderr).not.toContain(PASSWORD)
    return ran
  }
}

test("without a database, the state is in files, and there is nothing to migrate", () => {
  const cli = workspace("files")
  expect(cli(["database", "status"])).toEqual({
    stdout: "No database is configured: conversations are in files, as `incipit state show` says.\n",
    ...{ stderr: "", status: 0 },
  })
  expect(cli(["database", "status", "--json"]).stdout).toBe('{\n  "database": null\n}\n')
  expect(cli(["database", "migrate"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("no database is configured; name one with --database"),
  })
})

test("a password in incipit.yaml is refused, and not printed", () => {
  const cli = workspace("secret", `database: postgres://ada:${PASSWORD}@db.example/x\n`)
  const { stderr, status } = cli(["run", "Hello"])
  expect(status).toBe(2)
  expect(stderr).toContain("database: has a password; set PGPASSWORD instead")
})

test("a database that a folder names is asked for, and nothing runs with files instead", () => {
  const cli = workspace("cloned", "database: postgres://ada@127.0.0.1:1/x\n")
  cli(["folder", "approve", ".", "--yes"])
  const refused = expect.stringContaining(
    "incipit.yaml names the database postgres://ada@127.0.0.1:1/x, which you have not approved",
  )
  for (const args of [["run", "Hello"], ["token", "list"], ["schedule"], ["database", "status"]])
    expect(cli(args)).toMatchObject({ status: 2, stderr: refused })
  const { stderr } = cli(["hooks", "approve", "database", "--yes"])
  expect(stderr).toContain("postgres://ada@127.0.0.1:1/x")
  expect(cli(["token", "list"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("cannot reach postgres://ada@127.0.0.1:1/x: connect ECONNREFUSED"),
  })
})

describe.skipIf(NO_SERVER)(NO_SERVER ?? "on PostgreSQL", () => {
  const server = testServer()

  test("the status says what is missing, migrating creates it, and both in JSON", async () => {
    const cli = workspace("empty")
    const url = server.newUrl()
    const schema = schemaOf(url)
    const named = { INCIPIT_DATABASE_URL: url }
    const shown = `postgres://postgres@127.0.0.1:${server.port()}/postgres`
    const [row] = await server.sql("SELECT current_setting('server_version') AS version")
    const version = String(row?.version)
    expect(cli(["database", "status"], named)).toEqual({
      stdout: `${shown}, schema ${schema}: PostgreSQL ${version}
wake-ups: on
store: no tables yet; run \`incipit database migrate\`
record: no tables yet; run \`incipit database migrate\`
memory: no tables yet; run \`incipit database migrate\`
`,
      ...{ stderr: "", status: 1 },
    })
    expect(cli(["database", "migrate", "--database", url]).stdout).toBe(
      "store: created, version 1\nrecord: created, version 2\nmemory: created, version 1\n",
    )
    expect(JSON.parse(cli(["database", "migrate", "--json"], named).stdout)).toEqual({
      ...{
        database: shown,
        schema,
        parts: Object.entries({ store: 1, record: 2, memory: 1 }).map(([part, version]) => ({
          ...{ part, from: version, to: version },
        })),
      },
    })
    const off = { INCIPIT_DATABASE_URL: `${url}&listen=off` }
    expect(JSON.parse(cli(["database", "status", "--json"], off).stdout)).toEqual({
      ...{ database: shown, schema, server: version, wakeUps: false },
      parts: Object.entries({ store: 1, record: 2, memory: 1 }).map(([part, version]) => ({
        ...{ part, version, wanted: version },
      })),
    })
    await server.sql(`UPDATE ${schema}.schema_versions SET version = 9`)
    expect(cli(["database", "status"], named)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("store: version 9, newer than this Incipit knows (1)"),
    })
    expect(cli(["token", "list"], named)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        "has version 9 of the store's tables; this version of Incipit knows up to 1",
      ),
    })
  })

  test("agents, tokens and the schedule are the same for every machine with the URL", () => {
    const url = server.newUrl()
    const [one, other] = [workspace("one"), workspace("other")].map((cli) => (args: readonly string[]) => {
      cli(["folder", "approve", ".", "--yes"])
      return cli([...args, "--database", url])
    })
    if (one === undefined || other === undefined) throw new Error("both are there")
    expect(one(["run", "Hello there, remember me"]).status).toBe(0)
    const sessions = JSON.parse(other(["run", "--sessions", "--json"]).stdout)
    expect(sessions).toMatchObject([{ title: "Hello there, remember me", turns: 1 }])
    one(["token", "add", "--name", "laptop"])
    expect(JSON.parse(other(["token", "list", "--json"]).stdout)).toMatchObject([{ name: "laptop" }])
    one(["schedule", "add", "@daily", "Water the plants"])
    expect(JSON.parse(other(["schedule", "--json"]).stdout)).toMatchObject([{ run: "Water the plants" }])
  })

  test("what happened on one machine is in the record that every machine asks", () => {
    const url = server.newUrl()
    const [one, other] = [workspace("writes"), workspace("reads")]
    one(["folder", "approve", ".", "--yes"])
    const on = ["--database", url]
    expect(one(["run", "Hello there", ...on]).status).toBe(0)
    expect(existsSync(join(folder, "state-writes", "record.db"))).toBe(false)
    const events = other(["logs", "--json", ...on])
      .stdout.trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    const types = events.map(({ type }) => type)
    expect(types).toContain("message_received")
    expect(types).toContain("turn_completed")
    const turn = events.find(({ type }) => type === "turn_started")?.turn
    expect(other(["trace", turn, ...on]).stdout).toContain("[gateway] message_received")
    expect(JSON.parse(other(["replay", turn, ...on]).stdout)).toHaveProperty("messages")
    expect(other(["why-miss", turn, ...on]).stdout).toContain("first call")
    expect(
      other(["export", ...on])
        .stdout.trimEnd()
        .split("\n"),
    ).toHaveLength(events.length)
    expect(JSON.parse(other(["status", "--json", ...on]).stdout).sessions).toHaveLength(1)
    expect(other(["prune", "--older", "1d", ...on]).stdout).toContain("Deleted 0 events")
  })
})
