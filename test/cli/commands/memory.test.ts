// The commands of memory, on a copy of the sample workspace: what each person finds, reads, writes and is refused.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { warmIncipit as incipit, type Ran, transcript } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "incipit-memory-cli-"))
const empty = join(folder, "empty")
mkdirSync(empty)
afterAll(() => rmSync(folder, { recursive: true }))

/** A workspace that nobody else writes to. */
function copy(name: string): string {
  const workspace = join(folder, name)
  cpSync("examples/lighthouse", workspace, { recursive: true, filter: (path) => !path.endsWith(".incipit") })
  return workspace
}

function run(args: readonly string[], workspace: string): Ran {
  return incipit([...args, "--workspace", workspace], { env: { INCIPIT_STATE_DIR: `${workspace}-state` } })
}

/** Without what differs from day to day and from machine to machine. */
function shown(args: readonly string[], ran: Ran): string {
  return transcript(args, ran)
    .replaceAll(folder, "DIR")
    .replaceAll(/\d+(\.\d)? [KM]B/g, "SIZE")
    .replaceAll(/"bytes": \d+/g, '"bytes": 0')
    .replaceAll(new Date().toISOString().slice(0, 10), "TODAY")
}

test.each([
  ["index", [["status"], ["memory", "index"], ["memory", "index", "--rebuild", "--json"], ["status"]]],
  [
    "search",
    [
      ["memory", "search", "Jonas", "birthday", "--limit", "3"],
      ["memory", "search", "Jonas birthday", "--as", "jonas", "--limit", "2"],
      ["memory", "search", "birthday", "--in", "group"],
      ["memory", "search", "guide", "--channel", "telegram:4713", "--budget", "40", "--json"],
      ["memory", "search", "birthday", "--as", "nobody"],
    ],
  ],
  [
    "get",
    [
      ["memory", "get", "social/PEOPLE.md", "--from", "5", "--lines", "2", "--as", "mirela"],
      ["memory", "get", "private/MEMORY.md", "--as", "jonas"],
      ["memory", "get", "private/nothing.md"],
      ["memory", "get", "../incipit.yaml"],
      ["memory", "get", "private/MEMORY.md", "--lines", "1", "--json"],
      ["memory", "get", "private/MEMORY.md", "--from", "999"],
      ["memory", "get", "private/MEMORY.md", "--lines", "0"],
    ],
  ],
  [
    "add",
    [
      ["memory", "add", "Mirela is away in July", "--as", "mirela"],
      ["memory", "add", "Mirela is away in July"],
      ["memory", "add", "The bell is cracked", "--store", "private", "--as", "jonas"],
      ["memory", "add", "The bell is cracked", "--path", "tower.txt", "--as", "jonas"],
      ["memory", "add", "The bell is cracked", "--as", "nobody"],
      ["memory", "add", "The bell is cracked", "--store", "shared", "--path", "tower.md", "--json"],
      ["memory", "search", "bell", "away", "--as", "jonas", "--limit", "2"],
    ],
  ],
  [
    "why-not",
    [
      ["memory", "why-not", "HERRING-42", "--query", "door code", "--as", "jonas"],
      ["memory", "why-not", "HERRING-42", "--query", "door code"],
      ["memory", "why-not", "HERRING-42", "--query", "door code", "--limit", "1"],
      ["memory", "why-not", "winch cable", "--query", "door code"],
      ["memory", "why-not", "a submarine", "--query", "door code", "--json"],
      ["memory", "why-not", "winch cable", "--query", "Mirela's birthdays?"],
      ["memory", "why-not", "HERRING-42"],
    ],
  ],
  [
    "help",
    [
      ["memory", "search", "--help"],
      ["memory", "serch"],
    ],
  ],
])("%s", async (name, commands) => {
  const workspace = copy(name)
  const texts = commands.map((args) => shown(args, run(args, workspace)))
  await expect(texts.join("\n")).toMatchFileSnapshot(`../../golden/cli/memory-${name}.txt`)
})

test.each(["index", "search", "get", "why-not"])("memory %s in a folder without memory", (action) => {
  const words = action === "index" ? [] : ["x"]
  const args = ["memory", action, ...words, ...(action === "why-not" ? ["--query", "x"] : [])]
  expect(run(args, empty)).toEqual({
    stdout: "",
    stderr: `incipit: ${empty} has no memory. Write the first entry with \`incipit memory add\`, or name another folder with \`--workspace\`.\n`,
    status: 2,
  })
  expect(existsSync(join(empty, ".incipit"))).toBe(false)
})

test("the first entry begins a memory, in the name of the one who writes", () => {
  const begun = join(folder, "begun")
  mkdirSync(begun)
  const args = [
    "memory",
    "add",
    "Tea",
    "is",
    "at",
    "four",
    "--path",
    "habits.md",
    "--index",
    join(folder, "x.db"),
  ]
  expect(run(args, begun)).toEqual({ stdout: "written to private/habits.md:2\n", stderr: "", status: 0 })
  expect(existsSync(join(begun, ".incipit"))).toBe(false)
  expect(readFileSync(join(begun, "memory/private/habits.md"), "utf8")).toMatch(
    /^<!-- by owner \| full \| \S+Z \| sha256:\w+ -->\n- Tea is at four\n$/,
  )
})

test("an index that cannot be opened is one line", () => {
  const index = join(copy("unusable"), "SOUL.md", "x.db")
  const { stdout, stderr, status } = run(
    ["memory", "search", "x", "--index", index],
    join(folder, "unusable"),
  )
  expect({ stdout, stderr: stderr.replaceAll(folder, "DIR"), status }).toEqual({
    stdout: "",
    stderr:
      "incipit: cannot open DIR/unusable/SOUL.md/x.db: a file is in the way. Check the folder, its permissions and the free disk space. If the file is damaged, move it away.\n",
    status: 2,
  })
})

const RECALL = /<recall[\s\S]*<\/recall>\n/

test.each([
  ["ada", ["--as", "ada"]],
  ["jonas", ["--as", "jonas"]],
  ["a stranger", ["--channel", "telegram:1"]],
])("build --recall tells %s what memory holds about the message, and no more", async (name, flags) => {
  const args = ["build", "--text", "--recall", "--message", "What is in the coal store?", ...flags]
  const { stdout, stderr, status } = run(args, copy(`recall-${name}`))
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
  const file = `../../golden/cli/memory-recall-${name.replaceAll(" ", "-")}.txt`
  await expect(RECALL.exec(stdout)?.[0] ?? "nothing\n").toMatchFileSnapshot(file)
})

test("build without --recall asks no memory, and --recall needs a message", () => {
  const workspace = copy("plain")
  const { stdout } = run(["build", "--text", "--message", "What is in the coal store?"], workspace)
  expect(stdout).not.toMatch(RECALL)
  expect(existsSync(join(workspace, ".incipit"))).toBe(false)
  expect(run(["build", "--recall"], workspace)).toEqual({
    stdout: "",
    stderr:
      "incipit: --recall needs --message. Run the command with --help to see its arguments and flags.\n",
    status: 2,
  })
})
