// Folders that come from elsewhere: asked about once before anything of them acts, on a real terminal, by `--yes`, or not
// at all where nobody is there. The built command line, and code that leaves a file behind if it runs.
import { execFileSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { incipitOnTerminal } from "../pty.ts"
import { warmIncipit as incipit } from "../run.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-folder-")))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

const HOOK = `import { writeFileSync } from "node:fs"
writeFileSync(new URL("./ran", import.meta.url), "")
export const turn_end = () => {}
`
const EVERYTHING = `hooks: [./hook.mjs]
mcp: { tides: { command: sh, args: [./tides.sh] } }
providers: { lab: { url: "https://lab.example/v1", key: LAB_KEY } }
record: { otlp: { endpoint: "https://spans.example" } }
directories: [../logbooks]
schedule: [{ cron: "@daily", run: Look around. }]
`

interface Place {
  readonly root: string
  /** A home folder of its own: approvals are kept there. */
  readonly env: { readonly HOME: string }
}

function cloned(files: Readonly<Record<string, string>>): Place {
  count += 1
  const root = join(folder, `clone${count}`)
  for (const [path, text] of Object.entries({ "SOUL.md": "You keep the light.\n", ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const home = join(folder, `home${count}`)
  mkdirSync(home)
  return { root, env: { HOME: home } }
}

const everything = () =>
  cloned({ "incipit.yaml": EVERYTHING, "hook.mjs": HOOK, "tides.sh": "touch ran\n", ".incipit/agent.db": "" })

const run = ({ root, env }: Place, ...args: string[]) => incipit(args, { cwd: root, env })

const hasRun = ({ root }: Place) => existsSync(join(root, "ran"))

test.each([
  ["run", "hello"],
  ["chat"],
  ["run", "--schedule"],
  ["hooks", "approve", "--yes"],
  ["tour", "--workspace", ".", "--yes"],
])("`incipit %s %s` stops with status 2 and the command to run where nobody can be asked", (...args) => {
  const place = everything()
  const { stdout, stderr, status } = run(place, ...args)
  expect([status, stdout, hasRun(place)]).toEqual([2, "", false])
  expect(stderr).toContain(`run \`incipit folder approve ${place.root}\`.`)
  expect(stderr).toContain(
    "contains 1 hook, 1 folder, 1 MCP server, 1 trace endpoint, 1 model provider, 1 schedule and 1 saved state",
  )
})

test.each([
  ["build"],
  ["check"],
  ["explain", "soul"],
  ["skills"],
  ["simulate"],
  ["price", "--edit", "SOUL.md"],
  ["config"],
  ["diff", ".", "."],
  ["hooks"],
  ["models"],
])("`incipit %s` works in a folder that nobody approved, and runs nothing of it", (...args) => {
  const place = everything()
  const { status, stderr } = run(place, ...args)
  expect([status, hasRun(place), stderr.includes("folder approve")]).toEqual([0, false, false])
  expect(existsSync(join(place.env.HOME, ".incipit"))).toBe(false)
})

test("an approval of the folder approves none of what it brings, and one of that needs it", () => {
  const place = everything()
  expect(run(place, "folder", "approve", "--yes")).toMatchObject({
    status: 0,
    stdout: `Approved ${place.root}.\n`,
  })
  const { status, stderr } = run(place, "run", "hello")
  expect([status, hasRun(place)]).toEqual([0, false])
  expect(stderr).toContain("hook runs once you approve it: incipit hooks approve")
  expect(stderr).toContain("MCP server tides starts once you approve it")
  expect(run(place, "hooks", "approve", "hook", "--yes").status).toBe(0)
  expect([run(place, "run", "hello").status, hasRun(place)]).toEqual([0, true])
  rmSync(join(place.root, "ran"))
  expect(run(place, "folder", "revoke")).toMatchObject({ status: 0 })
  expect([run(place, "run", "hello").status, run(place, "hooks").status, hasRun(place)]).toEqual([
    2,
    0,
    false,
  ])
})

test("a folder that brings nothing that acts is not asked about, nor is one of which only the schedule would", () => {
  const plain = cloned({ "AGENTS.md": "Answer briefly.\n" })
  expect([run(plain, "run", "hello").status, existsSync(join(plain.env.HOME, ".incipit"))]).toEqual([
    0,
    false,
  ])
  const scheduled = cloned({ "incipit.yaml": 'schedule: [{ cron: "@daily", run: Look around. }]\n' })
  expect(run(scheduled, "run", "hello").status).toBe(0)
  const { status, stderr } = run(scheduled, "run", "--schedule")
  expect([status, stderr.includes("contains 1 schedule")]).toEqual([2, true])
  const inside = cloned({ "incipit.yaml": "directories: [charts]\n" })
  expect(run(inside, "run", "hello").status).toBe(0)
  const local = cloned({ "incipit.yaml": 'providers: { shed: { url: "http://127.0.0.1:1/v1" } }\n' })
  expect(run(local, "run", "hello").status).toBe(2)
})

test("what `incipit init` made here is not asked about, and what it brings later needs only its own yes", () => {
  const place = cloned({})
  rmSync(place.root, { recursive: true })
  mkdirSync(place.root)
  expect(run(place, "init", "--yes", "--heartbeat").status).toBe(0)
  expect(run(place, "run", "hello").status).toBe(0)
  writeFileSync(join(place.root, "hook.mjs"), HOOK)
  writeFileSync(join(place.root, "incipit.yaml"), "hooks: [./hook.mjs]\n")
  // Who only runs it is asked about what is new.
  expect(run(place, "run", "hello")).toMatchObject({ status: 2 })
  expect(run(place, "hooks", "approve", "--yes").status).toBe(0)
  expect([run(place, "run", "hello").status, hasRun(place)]).toEqual([0, true])
})

test("`incipit init` in a folder that has a configuration approves nothing of it", () => {
  const place = cloned({ "incipit.yaml": "hooks: [./hook.mjs]\n", "hook.mjs": HOOK })
  expect(run(place, "init", "--yes").status).toBe(0)
  expect([run(place, "run", "hello").status, hasRun(place)]).toEqual([2, false])
})

test("a folder that is copied, moved or put in the place of another is asked about again; by a link it is the same", () => {
  const place = cloned({ "incipit.yaml": "hooks: [./hook.mjs]\n", "hook.mjs": HOOK })
  const at = (root: string) => ({ ...place, root })
  run(place, "folder", "approve", "--yes")
  run(place, "hooks", "approve", "--yes")
  symlinkSync(place.root, `${place.root}-link`)
  expect(incipit(["run", "hello", "--workspace", `${place.root}-link`], { env: place.env }).status).toBe(0)
  cpSync(place.root, `${place.root}-copy`, { recursive: true })
  expect(run(at(`${place.root}-copy`), "run", "hello").status).toBe(2)
  renameSync(place.root, `${place.root}-moved`)
  expect(run(at(`${place.root}-moved`), "run", "hello").status).toBe(2)
  renameSync(`${place.root}-copy`, place.root)
  expect(run(place, "run", "hello").status).toBe(2)
  const listed = JSON.parse(run(place, "folder", "list", "--json").stdout)
  expect(listed).toMatchObject([{ path: place.root, items: ["hook ./hook.mjs"], status: "gone" }])
})

test("on a terminal, one sees what it brings, looks at each exactly as it is, and is asked once", async () => {
  const place = everything()
  // Whether that is adopted is another question.
  rmSync(join(place.root, ".incipit"), { recursive: true })
  writeFileSync(join(place.root, "hook.mjs"), `${HOOK}// \u001b[2K\u202e hidden\n`)
  const session = incipitOnTerminal(["run", "hello"], { cwd: place.root, env: place.env, columns: 160 })
  await session.shows("has not been approved on this machine. It contains:")
  await session.shows("1  hook            ./hook.mjs")
  await session.shows("MCP server      tides: sh ./tides.sh")
  await session.shows("[y/N, 1-6 to view one] ")
  session.type("1\r")
  await session.shows(String.raw`| // \u001b[2K\u202e hidden`)
  await session.shows("[y/N, 1-6 to view one] ")
  session.type("8\r")
  await session.shows("[y/N, 1-6 to view one] ")
  session.type("3\r")
  await session.shows("| touch ran")
  await session.shows("[y/N, 1-6 to view one] ")
  expect(hasRun(place)).toBe(false)
  session.type("y\r")
  expect(await session.ended).toBe(0)
  expect([run(place, "run", "again").status, hasRun(place)]).toEqual([0, false])
})

test.each(["n\r", "\r", "maybe\r", "\u0003", "\u0004"])("on a terminal, %j is no yes", async (answer) => {
  const place = everything()
  const session = incipitOnTerminal(["chat"], { cwd: place.root, env: place.env })
  await session.shows("to view one] ")
  session.type(answer)
  expect(await session.ended).toBe(2)
  expect([session.written().includes("was not approved"), hasRun(place)]).toEqual([true, false])
  expect(run(place, "run", "hello").status).toBe(2)
})

test("what is new since the yes is asked about again, and only that is shown", async () => {
  const place = cloned({ "incipit.yaml": "hooks: [./hook.mjs]\n", "hook.mjs": HOOK, "more.mjs": HOOK })
  run(place, "folder", "approve", "--yes")
  writeFileSync(join(place.root, "incipit.yaml"), "hooks: [./hook.mjs, ./more.mjs]\n")
  const { status, stderr } = run(place, "run", "hello")
  expect([status, stderr.includes("contains 1 hook that it did not contain when you approved it")]).toEqual([
    2,
    true,
  ])
  const session = incipitOnTerminal(["run", "hello"], { cwd: place.root, env: place.env })
  await session.shows("contains something new since you approved it:")
  await session.shows("1  hook  ./more.mjs")
  await session.shows("to view it] ")
  session.type("yes\r")
  expect(await session.ended).toBe(0)
  writeFileSync(join(place.root, "incipit.yaml"), "hooks: [./more.mjs]\n")
  expect(run(place, "run", "hello").status).toBe(0)
})

test("an approved hook never runs a package that turned hostile, not even to be listed", () => {
  const place = cloned({
    "incipit.yaml": "hooks: [./hook.mjs]\n",
    "hook.mjs": `import { word } from "tides"\nexport const turn_end = () => word\n`,
    "node_modules/tides/package.json": `{ "name": "tides", "version": "1.2.0", "type": "module" }`,
    "node_modules/tides/index.js": "export const word = 1\n",
  })
  run(place, "folder", "approve", "--yes")
  const { stderr } = run(place, "hooks", "approve", "--yes")
  expect(stderr).toContain('| import { word } from "tides"')
  expect(stderr).toContain("package tides 1.2.0, 2 files, 79 bytes")
  writeFileSync(
    join(place.root, "node_modules/tides/index.js"),
    `import { writeFileSync } from "node:fs"\nwriteFileSync("ran", "")\nexport const word = 1\n`,
  )
  const listed = run(place, "hooks")
  expect([listed.status, listed.stdout.includes("waiting"), hasRun(place)]).toEqual([0, true, false])
  expect([run(place, "run", "hello").status, hasRun(place)]).toEqual([0, false])
})

test("on a terminal, packages of a hook can be looked at before the yes", async () => {
  const place = cloned({
    "incipit.yaml": "hooks: [./hook.mjs]\n",
    "hook.mjs": `import "tides"\nexport const turn_end = () => {}\n`,
    "node_modules/tides/package.json": `{ "name": "tides", "version": "1.2.0" }`,
    "node_modules/tides/index.js": "export const word = 'from the package'\n",
  })
  run(place, "folder", "approve", "--yes")
  const session = incipitOnTerminal(["hooks", "approve"], { cwd: place.root, env: place.env })
  await session.shows("Not shown above:")
  await session.shows("1  package tides 1.2.0, 2 files, 78 bytes")
  await session.shows("Let this code run with your rights? [y/N, 1 to view it] ")
  expect(session.written().includes("from the package")).toBe(false)
  session.type("1\r")
  await session.shows("| export const word = 'from the package'")
  await session.shows("to view it] ")
  session.type("y\r")
  await session.shows("Approved hook")
  expect(await session.ended).toBe(0)
})

test("pipes in place of files that a configuration names keep nobody waiting", () => {
  const place = cloned({
    "incipit.yaml":
      "hooks: [./pipe.mjs, tides]\nprofile: ./pipe.mjs\nmcp: { x: { command: sh, args: [./pipe.mjs] } }\n",
  })
  mkdirSync(join(place.root, "node_modules/tides"), { recursive: true })
  for (const path of ["pipe.mjs", "package.json", "node_modules/tides/package.json"])
    execFileSync("mkfifo", [join(place.root, path)])
  expect(run(place, "hooks").status).toBe(0)
  expect(run(place, "folder", "approve", "--yes").status).toBe(0)
  expect(run(place, "hooks", "approve", "--yes").status).toBe(0)
})

test("what an earlier version approved waits again, and says why", () => {
  const place = cloned({ "incipit.yaml": "hooks: [./hook.mjs]\n", "hook.mjs": HOOK })
  mkdirSync(join(place.env.HOME, ".incipit"))
  const old = `const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
const db = new DatabaseSync(process.argv[1])
db.exec(\`CREATE TABLE approvals (
  kind   TEXT NOT NULL,
  digest TEXT NOT NULL,
  name   TEXT NOT NULL,
  at     INTEGER NOT NULL,
  PRIMARY KEY (kind, digest)
) WITHOUT ROWID\`)
db.exec("PRAGMA user_version = 1")
db.exec("INSERT INTO approvals VALUES ('hook', 'sha256:0', 'hook', 1)")`
  execFileSync("node", ["-e", old, join(place.env.HOME, ".incipit", "approvals.db")])
  const { stdout, stderr } = run(place, "hooks")
  expect([stdout.includes("waiting"), stderr.includes("with an earlier version of Incipit")]).toEqual([
    true,
    true,
  ])
  run(place, "folder", "approve", "--yes")
  expect(run(place, "hooks", "approve", "--yes").stderr).toContain("so please review them again")
  expect(run(place, "hooks").stderr).toBe("")
})

test("`folder list` and `folder revoke` say what there is", () => {
  const place = cloned({})
  expect(run(place, "folder", "list")).toEqual({
    stdout: "",
    stderr: "No folder is approved yet. `incipit folder approve` approves one.\n",
    status: 0,
  })
  expect(run(place, "folder", "revoke").status).toBe(2)
  expect(run(place, "folder", "approve").stdout).toBe(`Approved ${place.root}.\n`)
  expect(run(place, "folder", "list").stdout).toMatch(/^\d{4}-\d\d-\d\d {2}\/.*\/clone\d+ {2}0 items\n$/)
  rmSync(place.root, { recursive: true })
  const gone = incipit(["folder", "revoke", place.root], { env: place.env })
  expect(gone.stdout).toBe(`Revoked the approval of ${place.root}.\n`)
})
