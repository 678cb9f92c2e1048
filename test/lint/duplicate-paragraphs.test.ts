import { expect, test } from "vitest"
import { makeFile } from "../core/make.ts"
import { lintFiles, lintText } from "./lint-text.ts"

const EIGHT = "Run the tests before every commit you make."
/** As much as two files must share to be reported. */
const LONG = `${EIGHT} ${EIGHT} ${EIGHT} ${EIGHT}`

test("a paragraph in two files is reported on the later one, to audiences that may see both", () => {
  const files = [
    makeFile({ role: "user", path: "USER.md", text: `\n${LONG}\n`, firstLine: 5, trust: "inner" }),
    makeFile({
      role: "rules",
      path: "A.md",
      text: `# Rules\n\nrun  the tests\nbefore EVERY commit you make. ${EIGHT} ${EIGHT}\n${EIGHT}`,
    }),
  ]
  const at = { path: "A.md", line: 3, other: "USER.md", otherLine: 6, paragraphs: 1 }
  expect(lintFiles(files)).toEqual([{ code: "duplicate-paragraph", ...at, needs: "inner" }])
})

test("template lines may appear in several files, up to a limit", () => {
  const lines = ["a", "b", "c", "d"].map(
    (word) => `- This file ${word} extends the common rules with specific ones.`,
  )
  const file = (path: string, count: number) =>
    makeFile({ role: "rules", path, text: lines.slice(0, count).join("\n") })
  expect(lintFiles([file("x.md", 2), file("y.md", 2), file("z.md", 2)])).toEqual([])
  expect(lintFiles([file("x.md", 4), file("y.md", 4)])).toMatchObject([
    { path: "y.md", line: 1, paragraphs: 4 },
  ])
})

test("later copies within one file are counted", () => {
  expect(lintText(`${LONG}\n\n- ${LONG}\n- Something else.\n1. ${LONG}\n> ${LONG}\n`)).toEqual([
    {
      ...{ code: "duplicate-paragraph", path: "rules/a.md", line: 3, other: "rules/a.md", otherLine: 1 },
      ...{ paragraphs: 3, needs: "public" },
    },
  ])
})

test("seven words may be repeated", () => {
  expect(
    lintText("Run the tests before every commit today.\n\nRun the tests before every commit today."),
  ).toEqual([])
})

test("a sentence in a script without spaces counts by its characters", () => {
  const text = "我能吞下玻璃而不伤身体，你呢我们。".repeat(4)
  expect(lintText(`${text}\n\n${text}`).map(({ code }) => code)).toEqual(["duplicate-paragraph"])
  expect(lintText("我能吞下玻璃\n\n我能吞下玻璃")).toEqual([])
})

test("code and table headers may repeat", () => {
  const code = `\`\`\`sh\n${EIGHT}\n\`\`\`\n`
  const inItem = `- item\n\n      \`\`\`\n      ${EIGHT}\n      \`\`\`\n`
  const table = "| one two | three four | five six | seven eight |\n|---|:-:|--|---|\n"
  expect(lintText(`${code}\n${code}\n${inItem}\n${inItem}\n${table}| a |\n\n${table}| b |\n`)).toEqual([])
})

test("a table row may not", () => {
  const row = "| one two | three four | five six | seven eight |".repeat(4)
  expect(lintText(`| a |\n|---|\n${row}\n${row}\n`)).toEqual([
    {
      code: "duplicate-paragraph",
      path: "rules/a.md",
      line: 4,
      other: "rules/a.md",
      otherLine: 3,
      paragraphs: 1,
      needs: "public",
    },
  ])
})

test("a file with two paths isn't a copy of itself", () => {
  const file = makeFile({ role: "context", path: "a/AGENTS.md", identity: "1:2", text: LONG })
  expect(lintFiles([file, { ...file, path: "b/AGENTS.md" }])).toEqual([])
})
