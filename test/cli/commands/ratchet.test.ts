// `incipit check --ratchet`: a workspace in a repository, whose prompt grows between a lock that is committed and now.
import { execFileSync } from "node:child_process"
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { z } from "zod"
import { incipitHere } from "../here.ts"

let root: string
let first: string

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
    cwd: root,
    encoding: "utf8",
  })
const check = (...args: string[]) => incipitHere(["check", ...args], { cwd: root, env: {} })
const lock = () => JSON.parse(readFileSync(join(root, "incipit.lock"), "utf8"))

beforeAll(async () => {
  process.env.INCIPIT_GIT_LIMIT = "10m"
  root = mkdtempSync(join(tmpdir(), "incipit-ratchet-"))
  writeFileSync(join(root, "AGENTS.md"), "Answer in one sentence.\n")
  writeFileSync(
    join(root, "incipit.yaml"),
    "model: anthropic/claude-sonnet-5-5\nprompt: { sections: { git: off } }\n",
  )
  git("init", "-q", "-b", "main")
  await check("--write-lock")
  git("add", "-A")
  git("commit", "-qm", "first")
  first = git("rev-parse", "HEAD").trim()
  git("switch", "-qc", "change")
})

afterAll(() => rmSync(root, { recursive: true }))

beforeEach(() => {
  git("checkout", "-q", "--", ".")
})

const grow = (lines = 80) =>
  appendFileSync(join(root, "AGENTS.md"), "Keep the lamp clean, and write every visit down.\n".repeat(lines))

test("the lock has sizes and prices of the prompt, by file", () => {
  const { version, prompt } = lock()
  expect([version, prompt.model, prompt.leaks]).toEqual([2, "anthropic/claude-sonnet-5-5", []])
  expect(Object.keys(prompt.parts)).toContain("AGENTS.md")
  expect(prompt.tokens.prefix).toBeGreaterThan(prompt.parts["AGENTS.md"])
  expect(prompt.firstCallUsd).toBeGreaterThan(5 * prompt.callUsd)
})

test("an unchanged prompt passes", async () => {
  const { stdout, stderr, status } = await check("--ratchet")
  expect([status, stderr]).toEqual([0, ""])
  expect(stdout).toContain("same")
  expect(stdout).not.toContain("over")
})

test("a prompt that grew past the limit fails, with the file that did it", async () => {
  grow()
  const { stdout, stderr, status } = await check("--ratchet")
  expect(status).toBe(1)
  expect(stderr).toMatch(/^error: AGENTS\.md: tools and cached prefix: \d+ tokens in main, \d+ tokens now\./)
  expect(stdout).toMatch(/^AGENTS\.md +\d+ +[\d,]+ +\+[\d,]+$/m)
  expect((await check("--ratchet", "--max-growth", "900")).status).toBe(0)
})

test("limits are read from incipit.yaml, and a flag is stronger", async () => {
  grow()
  appendFileSync(join(root, "incipit.yaml"), "ratchet: { growth: 900 }\n")
  expect((await check("--ratchet")).status).toBe(0)
  expect((await check("--ratchet", "--max-growth", "5")).status).toBe(1)
  appendFileSync(join(root, "incipit.yaml"), "\n")
  writeFileSync(
    join(root, "incipit.yaml"),
    readFileSync(join(root, "incipit.yaml"), "utf8").replace("growth: 900", "growth: 900, tokens: 100"),
  )
  expect((await check("--ratchet")).stderr).toContain("The limit is 100.")
})

test("what leaks only now fails; what leaked before does not", async () => {
  writeFileSync(join(root, "incipit.yaml"), "situations: { group: { ceiling: full } }\n")
  writeFileSync(join(root, "USER.md"), "---\ntrust: full\n---\nOwes us 300 crowns.\n")
  try {
    const { stderr, status } = await check("--ratchet")
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('USER.md: needs full trust but is sent in the situation "group"'),
    ])
    await check("--write-lock")
    git("add", "-A")
    git("commit", "-qm", "it leaks")
    expect((await check("--ratchet", "--against", "change")).status).toBe(0)
    // An ancestor has the other lock.
    expect((await check("--ratchet", "--against", "change~1")).status).toBe(1)
  } finally {
    git("reset", "-q", "--hard", first)
  }
})

test("nothing to compare with is said, and does not fail", async () => {
  git("switch", "-q", "--orphan", "empty")
  git("commit", "-qm", "nothing", "--allow-empty")
  git("switch", "-q", "change")
  const { stdout, stderr, status } = await check("--ratchet", "--against", "empty")
  expect([status, stdout]).toEqual([0, "1 hint\n"])
  expect(stderr).toBe(
    "hint: Nothing to compare with: there is no incipit.lock in empty. Run `incipit check --write-lock` there and commit the file. [ratchet-without-base]\n",
  )
})

test("a lock of version 1 is read: --frozen compares with it, and --ratchet says that it has no sizes", async () => {
  const { compiler, files } = lock()
  writeFileSync(join(root, "incipit.lock"), JSON.stringify({ version: 1, compiler, files }))
  expect((await check("--frozen")).status).toBe(0)
  git("commit", "-qam", "old lock")
  try {
    expect((await check("--ratchet", "--against", "HEAD")).stderr).toContain("has no sizes")
  } finally {
    git("reset", "-q", "--hard", first)
  }
})

test.each([
  [["--against", "main"], "--against needs --ratchet"],
  [["--ratchet", "--against", "nowhere"], 'there is no branch, tag or commit "nowhere" here'],
  [["--ratchet", "--against", "--upload-pack=x"], "there is no branch, tag or commit"],
  [["--ratchet", "--against", `${"0".repeat(40)}`], "the commit is not in this clone; fetch it first"],
])("%j is refused", async (args, why) => {
  const { stderr, status } = await check(...args)
  expect([status, stderr]).toEqual([2, expect.stringContaining(why)])
})

test("in a pull request, the base branch is the one that GitHub names", async () => {
  git("update-ref", "refs/remotes/origin/release", first)
  grow()
  const { stdout } = await incipitHere(["check", "--ratchet"], {
    cwd: root,
    env: { GITHUB_BASE_REF: "release" },
  })
  expect(stdout.split("\n")[0]).toContain("origin/release")
})

test("as a command of a workflow, a message cannot begin another one", async () => {
  grow()
  const { stdout } = await check("--ratchet", "--format", "github")
  expect(stdout).toMatch(/^::error file=AGENTS\.md,title=incipit%3A ratchet-exceeded::AGENTS\.md: /)
  mkdirSync(join(root, "skills", "a\n::stop-commands::x"), { recursive: true })
  writeFileSync(join(root, "skills", "a\n::stop-commands::x", "SKILL.md"), "no frontmatter\n")
  try {
    const hostile = await check("--format", "github")
    expect(hostile.stdout).toContain("stop-commands")
    for (const line of hostile.stdout.trimEnd().split("\n"))
      expect(line).toMatch(/^::(?:error|warning|notice) /)
  } finally {
    rmSync(join(root, "skills"), { recursive: true })
  }
})

/** The parts of SARIF 2.1.0 that we write, as its schema requires them. */
const sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal("2.1.0"),
  runs: z
    .array(
      z.strictObject({
        tool: z.strictObject({
          driver: z.strictObject({
            name: z.string(),
            version: z.string(),
            rules: z.array(z.strictObject({ id: z.string().min(1) })),
          }),
        }),
        results: z.array(
          z.strictObject({
            ruleId: z.string(),
            ruleIndex: z.int().min(0),
            level: z.enum(["none", "note", "warning", "error"]),
            message: z.strictObject({ text: z.string().min(1) }),
            locations: z
              .array(
                z.strictObject({
                  physicalLocation: z.strictObject({
                    artifactLocation: z.strictObject({ uri: z.string().regex(/^[^:?#]+$/) }),
                    region: z.strictObject({ startLine: z.int().min(1) }).optional(),
                  }),
                }),
              )
              .min(1),
          }),
        ),
      }),
    )
    .length(1),
})

test("SARIF has the shape of its schema, and every result names a rule that is listed", async () => {
  grow()
  writeFileSync(join(root, "CLAUDE.md"), "Last updated 2026-11-15 08:30.\n")
  try {
    const { stdout } = await check("--ratchet", "--format", "sarif")
    const [run] = sarif.parse(JSON.parse(stdout)).runs
    expect(run?.results.length).toBeGreaterThan(1)
    for (const { ruleId, ruleIndex } of run?.results ?? [])
      expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
  } finally {
    rmSync(join(root, "CLAUDE.md"))
  }
})

test("a pull request gets a table", async () => {
  grow()
  const { stdout } = await check("--ratchet", "--format", "markdown")
  expect(stdout).toMatch(
    /^### Prompt check: over the limit\n\n\| +\| main \| now \| change \| limit \| result \|\n/,
  )
  expect(stdout).toContain("<details><summary>What changed, in counted tokens</summary>\n\n|  | before |")
})

test("the repository's configuration runs nothing", async () => {
  const trap = join(root, "..", "ratchet-trap")
  for (const key of ["core.fsmonitor", "core.sshCommand", "diff.external", "filter.x.smudge"])
    git("config", key, `touch ${trap}`)
  writeFileSync(join(root, ".gitattributes"), "* filter=x diff=x\n")
  try {
    await check("--ratchet")
    expect(() => readFileSync(trap)).toThrow("ENOENT")
  } finally {
    rmSync(join(root, ".gitattributes"))
    for (const key of ["core.fsmonitor", "core.sshCommand", "diff.external", "filter.x.smudge"])
      git("config", "--unset", key)
  }
})
