// The line that changed between two requests, by its file and its number in both versions.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { expect, test } from "vitest"
import { changedLine } from "../../../src/capture/attribute/changed-line.ts"
import { ENVELOPES, ownersOf, writeTree } from "./envelopes.ts"
import { newFolder } from "./folder.ts"

const LINES = Array.from(
  { length: 30 },
  (_, at) => `- Rule ${at + 1}: the bell of tower ${at * 31} rings at every full hour.`,
)

/** What is named if a file changes between two requests of pi, which quotes it in its system text. */
async function change(before: readonly string[], after: readonly string[]) {
  const envelope = ENVELOPES.find(({ client }) => client === "pi")
  if (envelope === undefined) throw new Error("no envelope")
  const { project, home } = newFolder()
  const path = join(project, "AGENTS.md")
  writeFileSync(path, after.join("\n"))
  const requests = [before, after].map((lines) => envelope.request([{ path, text: lines.join("\n") }]))
  const [was = [], is = []] = await ownersOf(requests, { client: "pi", format: "anthropic", project, home })
  const found = changedLine(was[0], is[0])
  return found && { file: found.owner.path?.slice(project.length), ...found, owner: undefined }
}

const SHORT = LINES.map((line) => line.slice(0, 120))

test("a line that was edited", async () => {
  const edited = LINES.with(9, "- Rule 10: nobody rings.")
  expect(await change(LINES, edited)).toMatchObject({
    ...{ file: "/AGENTS.md", line: 10, lineBefore: 10 },
    ...{ before: SHORT[9], after: "- Rule 10: nobody rings." },
  })
})

test("a line that was inserted, at any place", async () => {
  for (const at of [0, 7, 29, 30]) {
    const found = await change(LINES, LINES.toSpliced(at, 0, "- New: look up at the sky before you ring."))
    expect(found).toMatchObject({
      file: "/AGENTS.md",
      line: at + 1,
      after: "- New: look up at the sky before you ring.",
    })
    expect(found?.before).toBe(undefined)
  }
})

test("of lines that were inserted together, the first that says something", async () => {
  const found = await change(LINES, LINES.toSpliced(7, 0, "", "- New: look up at the sky before you ring."))
  expect(found).toMatchObject({
    ...{ file: "/AGENTS.md", line: 9, after: "- New: look up at the sky before you ring." },
  })
})

test("a line that was removed, at any place", async () => {
  for (const at of [0, 7, 29]) {
    const found = await change(LINES, LINES.toSpliced(at, 1))
    expect(found).toMatchObject({ file: "/AGENTS.md", lineBefore: at + 1, before: SHORT[at] })
    expect(found?.after).toBe(undefined)
  }
})

test("text of the client that changed, a part that came, and nothing", () => {
  const owner = { kind: "client", name: "system", match: "exact" } as const
  const side = (text: string) => ({
    part: { text },
    spans: [{ start: 0, end: text.length, tokens: 1, owner }],
  })
  expect(changedLine(side("a\nToday is Monday."), side("a\nToday is Tuesday."))).toEqual({
    ...{
      owner,
      line: undefined,
      lineBefore: undefined,
      before: "Today is Monday.",
      after: "Today is Tuesday.",
    },
  })
  expect(changedLine(undefined, side("x"))).toMatchObject({ owner, after: "x" })
  expect(changedLine(side("x"), undefined)).toMatchObject({ owner, before: "x" })
  expect(changedLine(side("x"), side("x"))).toBe(undefined)
  expect(changedLine(side(""), side("y".repeat(500)))?.after).toHaveLength(120)
})

test("any edit: the line is one that differs", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(29),
      fc.nat(2),
      fc.array(fc.stringMatching(/^[a-z ]{10,40}$/), { maxLength: 3 }),
      async (at, removed, added) => {
        const after = LINES.toSpliced(at, removed, ...added.map((text) => `new ${text}`))
        const found = await change(LINES, after)
        expect(found?.file).toBe(removed + added.length === 0 ? undefined : "/AGENTS.md")
        if (added.length > 0) expect(found?.line).toBe(at + 1)
        if (Math.min(removed, LINES.length - at) > 0) expect(found?.lineBefore).toBe(at + 1)
      },
    ),
    { seed: 7, numRuns: 25 },
  )
})

test("a skill that came is named, and not the tag that the client put before it", async () => {
  const envelope = ENVELOPES.find(({ client }) => client === "pi")
  const { project, home } = newFolder()
  const path = join(project, ".pi", "skills", "ring-bell", "SKILL.md")
  writeTree(project, {
    ".pi/skills/ring-bell/SKILL.md": "---\nname: ring-bell\ndescription: Rings the bell.\n---\nRing.\n",
  })
  const listed = ["ring-bell"].map(
    (name) =>
      `  <skill>\n    <name>${name}</name>\n    <description>Rings the bell.</description>\n    <location>${path}</location>\n  </skill>\n`,
  )
  const list = (skills: readonly string[]) => `<available_skills>\n${skills.join("")}</available_skills>`
  if (envelope === undefined) throw new Error("no envelope")
  const requests = [[], listed].map((skills) => envelope.request([], list(skills)))
  const [was = [], is = []] = await ownersOf(requests, { client: "pi", format: "anthropic", project, home })
  expect(changedLine(was[0], is[0])).toEqual({
    owner: { kind: "field", path, name: "ring-bell", lines: [3, 3], match: "exact" },
    ...{ line: 3, lineBefore: undefined, before: undefined, after: "<name>ring-bell</name>" },
  })
})
