// `incipit schedule`: what the list shows, entries that come and go, and lines that are no schedule.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { type FlagsOf, flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { list } from "../../../src/cli/commands/agent/schedule.ts"
import type { Terminal } from "../../../src/cli/terminal.ts"
import { openAt } from "../../agent/schedule/schedule-store.ts"
import { warmIncipit as incipit } from "../run.ts"

const CONFIG = `profile: incipit
schedule:
  - { cron: "30 2 * * *", run: HEARTBEAT.md, zone: Europe/Stockholm }
  - cron: "0 */6 * * *"
    run: Look around.
    missed: skip
`

function folder(config = ""): string {
  const path = mkdtempSync(join(tmpdir(), "incipit-schedule-cli-"))
  onTestFinished(() => rmSync(path, { recursive: true }))
  if (config !== "") writeFileSync(join(path, "incipit.yaml"), config)
  return path
}

/** In this process, on the day before the clocks go back. */
async function shown(workspace: string, flags: Partial<FlagsOf<"schedule">> = {}): Promise<string> {
  let text = ""
  const write = (more: string) => {
    text += more
  }
  const terminal: Terminal = {
    out: write,
    exact: write,
    err: write,
    drained: async () => {},
    columns: 80,
    colour: false,
    cwd: workspace,
    home: workspace,
    env: { INCIPIT_STATE_DIR: join(workspace, ".incipit") },
    timeZone: "UTC",
    now: () => NOW,
    stopped: async () => {},
  }
  expect(await list({ words: [], flags: flagsFor("schedule", flags), terminal })).toBe(0)
  return text
}

const NOW = Date.UTC(2026, 9, 24, 12)

test("the list, with a run that was taken and one that is answered", async () => {
  const workspace = folder(CONFIG)
  const entries = [
    { cron: "30 2 * * *", run: "HEARTBEAT.md", zone: "Europe/Stockholm" },
    { cron: "0 */6 * * *", run: "Look around.", missed: "skip" as const },
  ]
  let now = Date.UTC(2026, 9, 23)
  const store = openAt(join(workspace, ".incipit", "agent.db"), { now: () => now, entries })
  await store.schedule.book().add("@yearly", "Say happy new year.\nTo all.")
  await store.schedule.due()
  now = NOW
  for (const [index, { entry, due }] of (await store.schedule.due()).entries())
    store.database.run("INSERT INTO schedule_runs VALUES ('main', ?, ?, ?)", entry, due, `t${index + 1}`)
  store.database.run(
    "INSERT INTO sessions (id, key, agent, who, situation, trust, mode, created_at, used_at, state) VALUES ('s1', 'k', 'main', 'owner', 'system', 'full', 'full', 0, 0, '{}')",
  )
  store.database.run(
    "INSERT INTO inbox (message_id, session_id, turn_id, at, message, taken_by, state) VALUES ('m', 's1', 't1', 0, '{}', 'nobody', 'done')",
  )
  store.database.close()
  expect(await shown(workspace)).toMatchInlineSnapshot(`
    "cf860a31a  30 2 * * *  HEARTBEAT.md
      next    2026-10-25 02:30, 2026-10-26 02:30, 2026-10-27 02:30
      last    2026-10-24 02:30, done, turn t1
      zone    Europe/Stockholm
      missed  once
      from    incipit.yaml

    c80040171  0 */6 * * *  Look around.
      next    2026-10-24 18:00, 2026-10-25 00:00, 2026-10-25 06:00
      last    2026-10-24 12:00, taken, turn t2
      zone    UTC
      missed  skip
      from    incipit.yaml

    1  @yearly  Say happy new year.\\nTo all.
      next    2027-01-01 00:00, 2028-01-01 00:00, 2029-01-01 00:00
      last    not yet
      zone    UTC
      missed  once
      from    schedule_write or schedule add
    "
  `)
  expect(await shown(workspace, { json: true })).toMatchInlineSnapshot(`
    "[
      {
        "id": "cf860a31a",
        "source": "configured",
        "cron": "30 2 * * *",
        "run": "HEARTBEAT.md",
        "zone": "Europe/Stockholm",
        "missed": "once",
        "next": [
          "2026-10-25T00:30:00.000Z",
          "2026-10-26T01:30:00.000Z",
          "2026-10-27T01:30:00.000Z"
        ],
        "last": {
          "due": "2026-10-24T00:30:00.000Z",
          "turn": "t1",
          "state": "done"
        }
      },
      {
        "id": "c80040171",
        "source": "configured",
        "cron": "0 */6 * * *",
        "run": "Look around.",
        "zone": "UTC",
        "missed": "skip",
        "next": [
          "2026-10-24T18:00:00.000Z",
          "2026-10-25T00:00:00.000Z",
          "2026-10-25T06:00:00.000Z"
        ],
        "last": {
          "due": "2026-10-24T12:00:00.000Z",
          "turn": "t2",
          "state": "taken"
        }
      },
      {
        "id": "1",
        "source": "written",
        "cron": "@yearly",
        "run": "Say happy new year.\\nTo all.",
        "zone": "UTC",
        "missed": "once",
        "next": [
          "2027-01-01T00:00:00.000Z",
          "2028-01-01T00:00:00.000Z",
          "2029-01-01T00:00:00.000Z"
        ],
        "last": null
      }
    ]
    "
  `)
})

test("a workspace with nothing scheduled, in which looking makes no store", async () => {
  const workspace = folder()
  expect(await shown(workspace)).toBe("The schedule is empty.\n")
  expect(await shown(workspace, { json: true })).toBe("[]\n")
  expect(existsSync(join(workspace, ".incipit"))).toBe(false)
})

test("an entry is added, added again, listed and removed", () => {
  const workspace = folder(CONFIG)
  const run = (...args: string[]) => {
    const { stdout, stderr, status } = incipit(["schedule", ...args, "--workspace", workspace])
    return `${stdout.replaceAll(/\d{4}-\d\d-\d\d/g, "DAY")}${stderr}${status}`
  }
  const added = `1  @daily  What is on?
  next    DAY 00:00, DAY 00:00, DAY 00:00
  last    not yet
  zone    UTC
  missed  once
  from    schedule_write or schedule add
0`
  expect([run("add", "@daily", "What", "is", "on?"), run("add", "@daily", "What is on?")]).toEqual([
    added,
    added,
  ])
  expect(JSON.parse(run("add", "@daily", "More?", "--json").slice(0, -1))).toMatchObject({ id: "2" })
  expect([run("remove", "1"), run("remove", "1"), run("remove", "2", "--json")]).toEqual([
    "removed 1\n0",
    "incipit: there is no entry 1. `incipit schedule` lists the entries with their ids.\n2",
    '{\n  "removed": "2"\n}\n0',
  ])
})

test("what is in the configuration is removed there", async () => {
  const workspace = folder(CONFIG)
  const [{ id }] = JSON.parse(await shown(workspace, { json: true }))
  expect(incipit(["schedule", "remove", id, "--workspace", workspace]).stderr).toBe(
    `incipit: ${id} is defined in incipit.yaml; remove it there. \`incipit schedule\` lists the entries with their ids.\n`,
  )
})

test("a file that is not there is reported; a message is not taken for one", () => {
  const workspace = folder()
  writeFileSync(join(workspace, "tasks.md"), "Sweep.\n")
  const told = (run: string) => incipit(["schedule", "add", "@daily", run], { cwd: workspace }).stderr
  expect(["task.md", "tasks.md", "Sweep.", "Look at tasks.txt"].map(told)).toEqual([
    "warning: task.md does not exist in the workspace. Until it does, its name is sent as the message.\n",
    "",
    "",
    "",
  ])
})

test("a line that is no schedule is refused, in words and in the configuration", () => {
  expect(incipit(["schedule", "add", "0 0 8 * * *", "x", "--workspace", folder()])).toEqual({
    stdout: "",
    stderr:
      'incipit: "0 0 8 * * *" has six fields; use five, without seconds. Run the command with --help to see its arguments and flags.\n',
    status: 2,
  })
  const refusal = (config: string) => incipit(["build", "--workspace", folder(config)])
  const help = "Fix that line; docs/reference/configuration.md lists every key.\n"
  expect([
    refusal('profile: incipit\nschedule:\n  - run: x\n    cron: "0 25 * * *"\n'),
    refusal('schedule: [{ cron: "@daily", run: x, zone: Europe/Atlantis }]\n'),
    refusal('schedule: [{ cron: "@daily", run: x, missed: never }]\n'),
  ]).toEqual([
    {
      stdout: "",
      stderr: `incipit: incipit.yaml:4: schedule.0.cron: "25" is not a valid hour: use 0 to 23, *, lists, ranges from low to high, and steps such as */2. ${help}`,
      status: 2,
    },
    {
      stdout: "",
      stderr: `incipit: incipit.yaml:1: schedule.0.zone: is not a time zone such as Europe/Stockholm. ${help}`,
      status: 2,
    },
    {
      stdout: "",
      stderr: `incipit: incipit.yaml:1: schedule.0.missed: must be once or skip or all, not "never". ${help}`,
      status: 2,
    },
  ])
})
