import { expect, test } from "vitest"
import { makeFile } from "../core/make.ts"
import { lintFiles, lintText } from "./lint-text.ts"

const EIGHT = "Run the tests before every commit you make."

test("a paragraph that stands in two files is told on the later one, to who may see both", () => {
  const files = [
    makeFile({ role: "user", path: "USER.md", text: `\n${EIGHT}\n`, firstLine: 5, trust: "inner" }),
    makeFile({
      role: "rules",
      path: "A.md",
      text: `# Rules\n\nrun  the tests\nbefore EVERY commit you make.`,
    }),
  ]
  expect(lintFiles(files)).toEqual([
    { code: "duplicate-paragraph", path: "A.md", line: 3, other: "USER.md", otherLine: 6, needs: "inner" },
  ])
})

test("each later copy within one file points at the first", () => {
  const at = (line: number) => ({
    code: "duplicate-paragraph",
    path: "rules/a.md",
    line,
    other: "rules/a.md",
    otherLine: 1,
    needs: "public",
  })
  expect(lintText(`${EIGHT}\n\n- ${EIGHT}\n- Something else.\n1. ${EIGHT}\n> ${EIGHT}\n`)).toEqual([
    at(3),
    at(5),
    at(6),
  ])
})

test("seven words may be said twice", () => {
  expect(
    lintText("Run the tests before every commit today.\n\nRun the tests before every commit today."),
  ).toEqual([])
})

test("a sentence in a script without spaces counts by its characters", () => {
  const text = "我能吞下玻璃而不伤身体，你呢我们。"
  expect(lintText(`${text}\n\n${text}`).map(({ code }) => code)).toEqual(["duplicate-paragraph"])
  expect(lintText("我能吞下玻璃\n\n我能吞下玻璃")).toEqual([])
})

test("code and the heads of tables may repeat", () => {
  const code = `\`\`\`sh\n${EIGHT}\n\`\`\`\n`
  const inItem = `- item\n\n      \`\`\`\n      ${EIGHT}\n      \`\`\`\n`
  const table = "| one two | three four | five six | seven eight |\n|---|:-:|--|---|\n"
  expect(lintText(`${code}\n${code}\n${inItem}\n${inItem}\n${table}| a |\n\n${table}| b |\n`)).toEqual([])
})

test("a row of a table may not", () => {
  const row = "| one two | three four | five six | seven eight |"
  expect(lintText(`| a |\n|---|\n${row}\n${row}\n`)).toEqual([
    {
      code: "duplicate-paragraph",
      path: "rules/a.md",
      line: 4,
      other: "rules/a.md",
      otherLine: 3,
      needs: "public",
    },
  ])
})

test("one file by two paths is no copy of itself", () => {
  const file = makeFile({ role: "context", path: "a/AGENTS.md", identity: "1:2", text: EIGHT })
  expect(lintFiles([file, { ...file, path: "b/AGENTS.md" }])).toEqual([])
})
