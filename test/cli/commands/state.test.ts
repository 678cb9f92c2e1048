// `incipit state`, and the questions about state that `run` asks at a terminal: which folders have some, what moved,
// what a folder brings, and that nothing of it is used unasked.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { bringState } from "../../agent/adopt/adopted-state.ts"
import { incipitOnTerminal } from "../pty.ts"
import { warmIncipit as incipit } from "../run.ts"

let root = ""
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-state-cli-")))
  for (const name of ["home", "ws"]) mkdirSync(join(root, name))
  writeFileSync(join(root, "ws", "SOUL.md"), "Terse.\n")
})
afterEach(() => rmSync(root, { recursive: true }))

/** Without what differs from run to run. */
const plain = (text: string) =>
  text
    .replaceAll(root, "")
    .replaceAll(/[0-9a-f]{20}/g, "ID")
    .replaceAll(/ *\d+(\.\d)? [KM]B/g, " SIZE")
    .replaceAll(/\d{4}-\d\d-\d\d/g, "DAY")

function run(args: readonly string[], { cwd = "ws", env = {} } = {}) {
  const ran = incipit(args, { cwd: join(root, cwd), env: { HOME: join(root, "home"), ...env } })
  return { ...ran, stdout: plain(ran.stdout), stderr: plain(ran.stderr) }
}

const onTerminal = (args: readonly string[], cwd = "ws") =>
  incipitOnTerminal(args, { cwd: join(root, cwd), env: { HOME: join(root, "home") } })

const HELLO = ["run", "hello", "--model", "offline"]

test("a folder without state: the list is empty, and show and forget say so and make nothing", () => {
  expect(run(["state", "list"])).toEqual({
    stdout: "",
    stderr: "No folder has state yet. `incipit chat` and `incipit run` create it.\n",
    status: 0,
  })
  expect(run(["state", "list", "--json"]).stdout).toBe("[]\n")
  for (const command of ["show", "forget"])
    expect(run(["state", command])).toMatchObject({
      stderr: expect.stringContaining("/ws has no state"),
      status: 2,
    })
  expect(readdirSync(join(root, "home"))).toEqual([])
})

test("a run makes state outside of the folder; list and show say where, and forget deletes it", () => {
  expect(run(HELLO).status).toBe(0)
  expect(readdirSync(join(root, "ws"))).toEqual(["SOUL.md"])
  expect(run(["state", "list"]).stdout).toBe(
    "/ws\n  ID SIZE  used DAY\n1 folder in /home/.local/state/incipit\n",
  )
  expect(run(["state", "show"]).stdout).toBe(
    "/ws\nState: /home/.local/state/incipit/ID\n  agent.db SIZE\n  memory.db SIZE\n  record.db SIZE\n",
  )
  const [listed] = JSON.parse(
    incipit(["state", "list", "--json"], { env: { HOME: join(root, "home") } }).stdout,
  )
  expect(listed).toMatchObject({ path: join(root, "ws"), folder: "there" })
  for (const name of readdirSync(listed.state))
    expect([name, statSync(join(listed.state, name)).mode & 0o777]).toEqual([name, 0o600])
  expect(run(["logs", "--limit", "1"]).status).toBe(0)
  expect(run(["state", "forget"]).stderr).toContain("add --yes")
  expect(run(["state", "forget", "--yes"]).stdout).toBe("Deleted the state of /ws.\n")
  expect(run(["logs"]).stderr).toContain("/ws has no record yet")
})

test("a folder that moved: a warning without a terminal, a question with one, and move brings the state back", async () => {
  run(HELLO)
  renameSync(join(root, "ws"), join(root, "moved"))
  const moved = run(HELLO, { cwd: "moved" })
  expect(moved.stderr).toContain(
    "warning: /moved may be the folder that was at /ws. It starts with new, empty state; to use the old state, run: incipit state move ID /moved\n",
  )
  expect(run(["run", "--sessions"], { cwd: "moved" }).stdout).toContain("1 turn")
  expect(run(["state", "move", "../ws"], { cwd: "moved" }).stderr).toContain("add --yes")
  expect(run(["state", "move", "../ws", "--yes"], { cwd: "moved" }).stdout).toBe(
    "/moved now uses the state of /ws.\nIts previous state is kept; to delete it, run `incipit state forget ID`.\n",
  )
  expect(run(["state", "forget", "--gone", "--yes"], { cwd: "moved" }).stdout).toBe(
    "Deleted the state of /ws.\n",
  )
  renameSync(join(root, "moved"), join(root, "again"))
  const asked = onTerminal(HELLO, "again")
  await asked.shows(`Is this the folder that was at ${root}/moved`)
  await asked.shows("[y/N] ")
  asked.type("y\r")
  await asked.shows("My prompt")
  expect(await asked.ended).toBe(0)
  expect(run(["run", "--sessions"], { cwd: "again" }).stdout).toContain("2 turns")
})

test("state that a folder brings is left alone without a terminal, and every command says so", () => {
  bringState(join(root, "ws"))
  const before = readdirSync(join(root, "ws", ".incipit"))
  expect(run(["logs"])).toMatchObject({
    stderr: expect.stringContaining(
      "/ws has no record yet (.incipit/record.db came with it and is not used;",
    ),
    status: 2,
  })
  const ran = run(HELLO)
  expect(ran.stderr).toContain(
    "warning: this folder contains state (.incipit/agent.db, .incipit/record.db), which is not used. To review and adopt it, run: incipit state adopt\n",
  )
  expect(ran.stdout).not.toContain("lamp")
  expect(run(["run", "--sessions"]).stdout.split("\n")).toHaveLength(2)
  expect(run(["schedule"]).stderr).toBe("The schedule is empty.\n")
  expect(run(HELLO).stderr).not.toContain("brought state")
  expect(readdirSync(join(root, "ws", ".incipit"))).toEqual(before)
})

test("at a terminal it is shown and asked about, and its queue and schedule are asked about once more", async () => {
  bringState(join(root, "ws"))
  const asked = onTerminal(HELLO)
  await asked.shows(".incipit/agent.db   1 conversation, 1 message queued, 1 schedule entry")
  await asked.shows("Adopt it? [y/N] ")
  asked.type("y\r")
  await asked.shows("owner: Is the lamp lit?")
  await asked.shows("schedule  0 8 * * *  What is on today?")
  await asked.shows("Adopt these too? [y/N] ")
  asked.type("n\r")
  await asked.shows("Adopted 1 conversation and the record.")
  expect(await asked.ended).toBe(0)
  expect(run(["run", "--sessions"]).stdout).toContain("3 turns")
  expect(run(["schedule"]).stderr).toBe("The schedule is empty.\n")
})

test("adopt --yes leaves what acts alone, unless that is said too; nothing to adopt is said", () => {
  expect(run(["state", "adopt", "--yes"])).toMatchObject({
    stderr: expect.stringContaining("there is no state to adopt in /ws"),
    status: 2,
  })
  bringState(join(root, "ws"))
  expect(run(["state", "adopt"]).stderr).toContain(
    "there is no terminal to ask on; to adopt without asking, add --yes",
  )
  expect(run(["state", "adopt", "--yes"]).stderr).toContain("you can delete them.")
  expect(run(["schedule"]).stderr).toBe("The schedule is empty.\n")
  const again = run(["state", "adopt", "--yes"]).stderr
  expect(again).toContain("Not adopted: the record, because")
  expect(again).not.toContain("you can delete them")
  mkdirSync(join(root, "other"))
  bringState(join(root, "other"))
  expect(
    JSON.parse(
      incipit(["state", "adopt", join(root, "other"), "--yes", "--acting", "--json"], {
        env: { HOME: join(root, "home") },
      }).stdout,
    ),
  ).toMatchObject({
    adopted: { conversations: 1, isRecordAdopted: true },
  })
  expect(run(["schedule", "--workspace", join(root, "other")]).stdout).toContain("What is on today?")
})

test("names with line ends and escapes forge no rows", () => {
  const name = "ws\nforged\u001b[2J"
  mkdirSync(join(root, name))
  run(HELLO, { cwd: name })
  const { stdout } = run(["state", "list"])
  expect(stdout.split("\n")).toHaveLength(4)
  expect(stdout).not.toContain("\u001b")
})

test("--state and INCIPIT_STATE_DIR name the directory itself, and the table does not hear of it", () => {
  run([...HELLO, "--state", "../volume"])
  expect(readdirSync(join(root, "volume")).filter((name) => /\.db$/.test(name))).toEqual([
    "agent.db",
    "memory.db",
    "record.db",
  ])
  expect(run(["logs", "--limit", "1"], { env: { INCIPIT_STATE_DIR: join(root, "volume") } }).status).toBe(0)
  expect(run(["state", "list"]).stderr).toContain("No folder has state yet")
})

test.each<readonly string[]>([["run", "hi"], ["chat", "--model", "offline"], ["capture"]])(
  "%s without a home folder names what moves the state",
  (...args) => {
    const { stderr, status } = run(args, { env: { HOME: "/dev/null" } })
    expect([stderr.split("\n").at(-2), status]).toEqual([
      `incipit: cannot write /dev/null/.local/state/incipit${args[0] === "capture" ? "/captures" : ""}: part of the path is not a folder. State is kept in your home folder. Set HOME to a folder that you can write to; INCIPIT_STATE_DIR moves the state of one agent.`,
      2,
    ])
  },
)
