import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { arch, hostname } from "node:os"
import { afterEach, beforeEach, expect, test } from "vitest"
import { detectEnvironment } from "../../../src/sources/context/environment.ts"
import { gitState as askGit } from "../../../src/sources/git/git.ts"
import { type Folder, makeFolder } from "../folder.ts"

const FACTS = {
  model: "anthropic/claude-sonnet-5-5",
  session: "main",
  timeZone: "Europe/Paris",
  env: { SHELL: "/bin/zsh" },
}

test("facts about the machine, in a fixed order, without what is empty", () => {
  const host = detectEnvironment(FACTS)
  expect(Object.entries(host)).toEqual([
    ["host", hostname()],
    ["os", process.platform === "darwin" ? "macos" : process.platform],
    ["arch", arch()],
    ["shell", "zsh"],
    ["runtime", `node ${process.versions.node}`],
    ["provider", "anthropic"],
    ["model", "claude-sonnet-5-5"],
    ["session", "main"],
    ["timezone", "Europe/Paris"],
  ])
})

test("each can be set, left out, or added to in the configuration", () => {
  const settings = {
    host: "box",
    os: "off",
    arch: false,
    shell: "",
    runtime: "x",
    provider: "p",
    session: false,
    timezone: "UTC",
    accept_language: "sv",
    location: "Ytterholm",
    zone: 7,
  }
  expect(detectEnvironment(FACTS, settings)).toEqual({
    host: "box",
    runtime: "x",
    provider: "p",
    model: "claude-sonnet-5-5",
    timezone: "UTC",
    accept_language: "sv",
    location: "Ytterholm",
    zone: "7",
  })
})

test("what the older form said of a sandbox is no fact about the machine", () => {
  expect(detectEnvironment(FACTS, { sandbox: { enabled: true, mode: "all" } })).not.toHaveProperty("sandbox")
})

let folder: Folder

/** However busy the machine is. */
const gitState = (directory: string) => askGit(directory, { limitMs: 60_000 })

beforeEach(() => {
  folder = makeFolder()
})

afterEach(() => folder.remove())

function git(...args: string[]): void {
  const who = [
    "-c",
    "user.name=A",
    "-c",
    "user.email=a@b",
    "-c",
    "init.defaultBranch=main",
    "-c",
    "commit.gpgsign=false",
  ]
  execFileSync("git", [...who, ...args], {
    cwd: folder.root,
    stdio: "ignore",
    env: { PATH: process.env.PATH, HOME: folder.home },
  })
}

test("a folder that is no repository has no state", async () => {
  expect(await gitState(folder.root)).toEqual({ state: undefined, diagnostics: [] })
  expect(await gitState("/no/such/folder")).toEqual({ state: undefined, diagnostics: [] })
})

test("branch, changes and the last three commits", async () => {
  git("init")
  expect((await gitState(folder.root)).state).toEqual({ branch: "main", dirty: 0, commits: [] })
  for (const name of ["one", "two", "three", "four"]) {
    folder.write(`workspace/${name}.txt`, name)
    git("add", ".")
    git("commit", "-m", `Add ${name}`)
  }
  folder.write("workspace/sub/new.txt", "new")
  folder.write("workspace/one.txt", "changed")
  const { state } = await gitState(`${folder.root}/sub`)
  expect({ ...state, commits: state?.commits.map((line) => line.replace(/^[0-9a-f]{7,} /, "")) }).toEqual({
    branch: "main",
    dirty: 2,
    commits: ["Add four", "Add three", "Add two"],
  })
})

test("a detached head is called that", async () => {
  git("init")
  folder.write("workspace/a", "a")
  git("add", ".")
  git("commit", "-m", "A")
  git("checkout", "--detach")
  expect((await gitState(folder.root)).state?.branch).toBe("detached")
})

test.each([
  ["core.fsmonitor", ""],
  ["filter.x.clean", "* filter=x"],
  ["filter.a=b.process", "* filter=a=b"],
])("what the repository names as %s is not run", async (key, attributes) => {
  git("init")
  folder.write("workspace/a", "one")
  git("add", ".")
  git("commit", "-m", "A")
  const marker = `${folder.path}/ran`
  const program = `${folder.path}/program`
  writeFileSync(program, `#!/bin/sh\ntouch "${marker}"\ncat\n`, { mode: 0o755 })
  git("config", key, program)
  folder.write("workspace/.git/info/attributes", attributes)
  // As long as before, so that only its text tells.
  folder.write("workspace/a", "two")
  expect((await gitState(folder.root)).state?.dirty).toBe(1)
  expect(existsSync(marker)).toBe(false)
})

test("what a repository lacks is not fetched, by whatever program it names for that", async () => {
  git("init")
  folder.write("workspace/a", "one")
  git("add", ".")
  git("commit", "-m", "A")
  const marker = `${folder.path}/ran`
  for (const [key = "", value = ""] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.url", folder.root],
    ["remote.origin.promisor", "true"],
    ["remote.origin.uploadpack", `touch "${marker}"; false`],
  ])
    git("config", key, value)
  rmSync(`${folder.root}/.git/objects`, { recursive: true })
  mkdirSync(`${folder.root}/.git/objects`)
  expect((await gitState(folder.root)).diagnostics.map(({ code }) => code)).toEqual(["git-unavailable"])
  expect(existsSync(marker)).toBe(false)
})

test("a repository that is broken is a diagnostic", async () => {
  folder.write("workspace/.git", "gitdir: /nowhere")
  expect((await gitState(folder.root)).diagnostics.map(({ code }) => code)).toEqual(["git-unavailable"])
})

test("what Incipit keeps in its own folder is no change; what the user writes there, and everything else, is", async () => {
  git("init")
  folder.write("workspace/a.md", "a")
  git("add", ".")
  git("commit", "-m", "A")
  folder.write("workspace/.incipit/agent.db", "state")
  folder.write("workspace/.incipit/plans/one.md", "plan")
  folder.write("workspace/packages/b/.incipit/agent.db", "state")
  expect((await gitState(folder.root)).state?.dirty).toBe(0)
  folder.write("workspace/.incipit/SYSTEM.md", "base")
  folder.write("workspace/new.md", "new")
  expect((await gitState(folder.root)).state?.dirty).toBe(2)
})
