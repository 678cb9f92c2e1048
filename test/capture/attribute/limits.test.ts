// What is just enough to put text down to a file, and what is not: each limit from both sides.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { JsonObject } from "../../../src/record/write/request-marks.ts"
import { type Asked, ownersOf, writeTree } from "./envelopes.ts"
import { newFolder } from "./folder.ts"

const RULES = Array.from(
  { length: 60 },
  (_, at) => `- Rule ${at}: the keeper of lamp ${at * 37} writes it down.`,
)
const DESCRIPTION = "Trims the wick of every lamp in the tower before it is lit again at dusk."

function asked(): Asked {
  return { client: "claude-code", format: "anthropic", ...newFolder() }
}

/** The lines of a text and whose they are: the path in the project with its line, or the kind of the owner. */
async function linesIn(content: string, ask: Asked, role = "system"): Promise<readonly string[]> {
  const [parts = []] = await ownersOf([{ messages: [{ role, content }] }], ask)
  return parts.flatMap(({ part, spans }) =>
    spans.flatMap(({ start, end, owner }) => {
      const { kind, path = "", lines, match } = owner
      const own = part.text.slice(start, end).replace(/\n$/, "").split("\n")
      const place = kind === "file" ? path.slice(ask.project.length + 1) : kind
      return own.map((_, at) =>
        kind === "file" && lines !== undefined ? `${place}:${lines[0] + at} ${match}` : place,
      )
    }),
  )
}

test.each([
  [59, ["client", "client", "client"]],
  [60, ["client", "CLAUDE.md:2 exact", "CLAUDE.md:3 exact"]],
])("%i letters and digits in a row, without a path", async (letters, owners) => {
  const ask = asked()
  const own = ["k".repeat(30), "m".repeat(letters - 30)]
  writeTree(ask.project, { "CLAUDE.md": ["Something else.", ...own, "The end."].join("\n") })
  expect(await linesIn(["You help.", ...own].join("\n"), ask)).toEqual(owners)
})

test.each([
  [7, 12, "client"],
  [8, 12, "file"],
])("lines of %i letters begin a run, or do not", async (letters, count, kind) => {
  const ask = asked()
  const own = Array.from({ length: count }, (_, at) => String.fromCharCode(97 + at).repeat(letters))
  writeTree(ask.project, { "CLAUDE.md": ["Something else.", ...own].join("\n") })
  const owners = await linesIn(["You help.", ...own].join("\n"), ask)
  expect(owners.slice(1)).toEqual(own.map((_, at) => (kind === "file" ? `CLAUDE.md:${at + 2} exact` : kind)))
})

test.each([
  [19, "client"],
  [20, "CLAUDE.md:11 exact"],
])("a last line that was cut after %i characters", async (length, owner) => {
  const ask = asked()
  writeTree(ask.project, { "CLAUDE.md": RULES.join("\n") })
  const text = ["You help.", ...RULES.slice(0, 10), RULES[10]?.slice(0, length)].join("\n")
  expect((await linesIn(text, ask)).at(-1)).toBe(owner)
})

test.each([
  [20, "CLAUDE.md:11 inferred"],
  [21, "client"],
])("%i changed lines between two stretches of a file", async (count, owner) => {
  const ask = asked()
  writeTree(ask.project, { "CLAUDE.md": RULES.join("\n") })
  const between = Array.from({ length: count }, (_, at) => `What stood here at ${at} was another thing.`)
  const text = [...RULES.slice(0, 10), ...between, ...RULES.slice(10 + count, 50)].join("\n")
  expect((await linesIn(text, ask))[10]).toBe(owner)
})

test.each([
  [4, "client"],
  [5, "docs/manual.md:1 exact"],
])("%i lines of a file that the client is not known to read", async (count, owner) => {
  const ask = asked()
  writeTree(ask.project, { "docs/manual.md": RULES.join("\n") })
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
  ])
    execFileSync("git", args, { cwd: ask.project })
  const text = [...RULES.slice(0, count), ...Array.from({ length: 6 }, (_, at) => `Own words ${at}.`)].join(
    "\n",
  )
  expect((await linesIn(text, ask))[0]).toBe(owner)
})

test("a text that is there twice belongs to each of the two files that have it", async () => {
  const ask = asked()
  const own = RULES.slice(0, 5)
  writeTree(ask.project, { "CLAUDE.md": own.join("\n"), "CLAUDE.local.md": own.join("\n") })
  const owners = await linesIn([...own, "And once more, in the client's words:", ...own].join("\n"), ask)
  expect([owners[0], owners[5], owners[6]]).toEqual([
    "CLAUDE.md:1 exact",
    "client",
    "CLAUDE.local.md:1 exact",
  ])
})

test("a file in a folder above the project is read, too", async () => {
  const ask = asked()
  writeTree(ask.project, { "CLAUDE.md": RULES.join("\n"), "parts/lamp/x.md": "x" })
  const owners = await linesIn(RULES.join("\n"), { ...ask, project: join(ask.project, "parts", "lamp") })
  expect(owners[0]).toMatch(/:1 exact$/)
})

test("a path names a file, and a longer path that begins or ends like it does not", async () => {
  const ask = asked()
  writeTree(ask.project, { "CLAUDE.md": "Be kind to all.\n" })
  const path = join(ask.project, "CLAUDE.md")
  const ownerBelow = async (heading: string) => (await linesIn(`${heading}\nBe kind to all.\nGo.`, ask))[1]
  expect(await ownerBelow(`This is from ${path}`)).toBe("CLAUDE.md:1 exact")
  expect(await ownerBelow(`This is from ${path}-old`)).toBe("client")
  expect(await ownerBelow(`This is from /backup${path}`)).toBe("client")
})

test.each([
  [39, 0],
  [40, 1],
])("a description that was cut after %i characters", async (length, count) => {
  const ask = asked()
  const skill = `---\nname: trim-wick\ndescription: ${DESCRIPTION}\n---\nCut it.\n`
  writeTree(ask.project, { ".claude/skills/trim-wick/SKILL.md": skill })
  const owners = await linesIn(`Listed:\n- trim-wick: ${DESCRIPTION.slice(0, length)}…`, ask)
  expect(owners.filter((owner) => owner === "field")).toHaveLength(count)
})

test("the line with the path of a skill belongs to its description", async () => {
  const ask = asked()
  const name = ".claude/skills/trim-wick/SKILL.md"
  writeTree(ask.project, { [name]: `---\nname: trim-wick\ndescription: ${DESCRIPTION}\n---\nCut it.\n` })
  const text = `Listed:\n- trim-wick: ${DESCRIPTION}\n  File: ${join(ask.project, name)}\nGo on.`
  expect(await linesIn(text, ask)).toEqual(["client", "field", "field", "client"])
})

/** A conversation in which a tool was called with each path, and answered with each text. */
function reads(results: readonly (readonly [string, string])[]): JsonObject {
  return {
    messages: results.flatMap(([path, content], at) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id: `t${at}`, name: "Read", input: { file_path: path } }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `t${at}`, content }] },
    ]),
  }
}

test("numbers that a file itself has at the start of some lines are not those of a tool", async () => {
  const ask = asked()
  const text = RULES.slice(0, 10)
    .map((rule, at) => (at % 3 === 0 ? `${at}: ${rule}` : rule))
    .join("\n")
  writeTree(ask.project, { "src/list.md": text })
  const [parts = []] = await ownersOf([reads([[join(ask.project, "src/list.md"), text]])], ask)
  const spans = parts.filter(({ part }) => part.kind === "tool-result").flatMap((part) => part.spans)
  expect(spans.map(({ owner }) => [owner.lines, owner.match])).toEqual([[[1, 10], "exact"]])
})

test("the same result of two calls belongs to each call's own input, also where calls have no ids", async () => {
  const ask: Asked = { ...asked(), client: "gemini-cli", format: "google" }
  const paths = ["one.md", "two.md"].map((name) => join(ask.project, name))
  const output = RULES.join("\n")
  writeTree(ask.project, { "one.md": output, "two.md": output })
  const contents = paths.flatMap((path) => [
    { role: "model", parts: [{ functionCall: { name: "read_file", args: { absolute_path: path } } }] },
    { role: "user", parts: [{ functionResponse: { name: "read_file", response: { output } } }] },
  ])
  const [parts = []] = await ownersOf([{ contents }], ask)
  const spans = parts.filter(({ part }) => part.kind === "tool-result").map((part) => part.spans[0])
  expect(spans.map((span) => [span?.owner.input, span?.owner.path])).toEqual(
    paths.map((path) => [path, path]),
  )
})
