// `--channel telegram` at one's own terminal: what the person who types it would get there, with and without users.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { incipitHere } from "../here.ts"
import { incipit } from "../run.ts"

const root = mkdtempSync(join(tmpdir(), "over-a-channel-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const PLAIN = folder("plain", "")
const NAMED = folder("named", 'users: { nora: { trust: full, match: ["terminal:*"] } }\n')
const KNOWN = folder("known", 'users: { nora: { trust: full, match: ["terminal:*", "telegram:1001"] } }\n')

function folder(name: string, config: string): string {
  const path = join(root, name)
  mkdirSync(join(path, "channels"), { recursive: true })
  writeFileSync(join(path, "SOUL.md"), "Gruff, and the cellar key is 4417.\n")
  writeFileSync(join(path, "channels/telegram.md"), "Keep it short.\n")
  if (config !== "") writeFileSync(join(path, "incipit.yaml"), config)
  return path
}

const built = async (cwd: string, ...flags: readonly string[]) => {
  const [report, text] = [
    await incipitHere(["build", "--tools", "none", ...flags], { cwd, env: {} }),
    await incipitHere(["build", "--tools", "none", "--text", ...flags], { cwd, env: {} }),
  ]
  return { heading: report.stdout.split("\n")[0], text: text.stdout, stderr: report.stderr }
}

const NOTE =
  "Shown as you would get it over telegram. A message from there is yours only if you are paired, or if your id on telegram is in `users:` of incipit.yaml. To see what a stranger gets, run `incipit build --channel telegram:0`.\n"

test.each([
  ["no incipit.yaml", PLAIN, "plain for the owner over telegram: full trust in dm", NOTE],
  ["a name at the terminal", NAMED, "named for nora over telegram: full trust in dm", NOTE],
  ["an id on the channel", KNOWN, "known for nora over telegram: full trust in dm", ""],
])("the owner sees their own prompt, with %s", async (_how, cwd, heading, note) => {
  const { text, ...said } = await built(cwd, "--channel", "telegram")
  expect(said).toEqual({ heading, stderr: note })
  expect(text).toContain("the cellar key is 4417")
  expect(text).toContain("Keep it short.")
})

test("an id that nobody has is a stranger's prompt", async () => {
  const { heading, text, stderr } = await built(PLAIN, "--channel", "telegram:0")
  expect({ heading, stderr }).toEqual({ heading: "plain for a stranger: public trust in dm", stderr: "" })
  expect(text).not.toContain("cellar")
  expect(text).toContain("Keep it short.")
})

test("in a group, the owner over a channel has the trust of the group", async () => {
  const { heading } = await built(PLAIN, "--channel", "telegram", "--in", "group")
  expect(heading).toBe("plain for the owner over telegram: familiar trust in group")
})

test("explain and check are about the owner's prompt too, and say so", async () => {
  const flags = ["--channel", "telegram"]
  const [explained, checked] = [
    await incipitHere(["explain", "SOUL.md", ...flags], { cwd: PLAIN, env: {} }),
    await incipitHere(["check", ...flags], { cwd: PLAIN, env: {} }),
  ]
  expect(explained.stdout).toMatch(/^SOUL.md: in the prompt/)
  expect([explained.stderr, checked.stderr]).toEqual([NOTE, NOTE])
  expect(checked).toMatchObject({ stdout: "No problems found.\n", status: 0 })
})

test("run over a channel is the owner's, in the session that they have without it", () => {
  const env = { XDG_STATE_HOME: join(root, "state") }
  const run = (...args: readonly string[]) =>
    incipit(["run", "--model", "offline", ...args], { cwd: PLAIN, env })
  expect(run("hello").status).toBe(0)
  expect(run("--channel", "telegram", "hello again")).toMatchObject({ status: 0 })
  expect(run("--channel", "telegram:0", "let me in").status).toBe(0)
  const listed = (...flags: readonly string[]) => run("--sessions", "--json", ...flags).stdout
  expect(listed("--channel", "telegram")).toBe(listed())
  expect(JSON.parse(listed())).toMatchObject([{ who: "owner", turns: 2 }])
  expect(JSON.parse(listed("--channel", "telegram:0"))).toMatchObject([
    { who: "unknown:telegram:0", turns: 1 },
  ])
})
