import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { gatherSkills } from "../../../src/sources/skills/skills.ts"

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "incipit-skills-"))
})

afterEach(() => rmSync(root, { recursive: true }))

/** The names that are listed, and the findings, for one skill in a directory. */
function listed(directory: string, frontMatter: string) {
  mkdirSync(join(root, directory))
  writeFileSync(join(root, directory, "SKILL.md"), `---\n${frontMatter}\n---\nname: body\n`)
  const { skills, diagnostics } = gatherSkills([{ path: root, shown: "skills", roots: [root], isOwn: true }])
  return [...skills.map(({ name }) => name), ...diagnostics.map(sentence)]
}

const END = ". It is listed anyway."

test.each(["a", "7", "a-b-c", "x".repeat(64), "2-fast"])("%s is a good name", (name) => {
  expect(listed(name, `description: x\nname: "${name}"`)).toEqual([name])
})

test("a skill without a name, or with a blank one, is called like its directory", () => {
  expect(listed("one", "description: x")).toEqual(["one"])
  rmSync(join(root, "one"), { recursive: true })
  expect(listed("two", "description: x\nname: ' '")).toEqual(["two"])
})

test.each(["My skill", "my_skill", "Skill", "my skill"])(
  "%s is a finding at the line of the name",
  (name) => {
    expect(listed(name, `description: x\nlicense: MIT\nname: ${name}`)).toEqual([
      name,
      `skills/${name}/SKILL.md:4: the skill's name "${name}" has characters other than lower-case letters, digits and hyphens${END}`,
    ])
  },
)

test("a name from the directory that breaks the rule is a diagnostic at line 1", () => {
  expect(listed("Über", "description: x")).toEqual([
    "Über",
    `skills/Über/SKILL.md:1: the skill's name "Über" has characters other than lower-case letters, digits and hyphens${END}`,
  ])
})

test("a name may have 64 characters and no more", () => {
  const name = "x".repeat(65)
  expect(listed(name, `name: ${name}\ndescription: x`)).toEqual([
    name,
    `skills/${name}/SKILL.md:2: the skill's name "${name}" is longer than 64 characters${END}`,
  ])
})

test.each(["-a", "a-"])("%s has a hyphen at its end", (name) => {
  expect(listed(name, `"name" : ${name}\ndescription: x`)).toEqual([
    name,
    `skills/${name}/SKILL.md:2: the skill's name "${name}" starts or ends with a hyphen${END}`,
  ])
})

test("two hyphens in a row are one too many", () => {
  expect(listed("a--b", "name: a--b\ndescription: x")).toEqual([
    "a--b",
    `skills/a--b/SKILL.md:2: the skill's name "a--b" has two hyphens in a row${END}`,
  ])
})

test("a name that is not its directory's is listed under its own", () => {
  expect(listed("here", "name: there\ndescription: x")).toEqual([
    "there",
    `skills/here/SKILL.md:2: the skill's name "there" does not match its directory, "here"${END}`,
  ])
})

test("everything that is wrong is said at once, and a name stays on one line", () => {
  expect(listed("a", 'name: "-A--\\nb"\ndescription: x')).toEqual([
    "-A-- b",
    `skills/a/SKILL.md:2: the skill's name "-A-- b" has characters other than lower-case letters, digits and hyphens, and starts or ends with a hyphen, and has two hyphens in a row, and does not match its directory, "a"${END}`,
  ])
})

test("a diagnostic about a name is as hidden as the skill", () => {
  mkdirSync(join(root, "a"))
  writeFileSync(join(root, "a/SKILL.md"), "---\nname: b\ndescription: x\ntrust: full\n---\n")
  expect(gatherSkills([{ path: root, shown: "s", roots: [root], isOwn: true }]).diagnostics).toEqual([
    {
      code: "skill-name-invalid",
      path: "s/a/SKILL.md",
      line: 2,
      name: "b",
      problem: 'does not match its directory, "a"',
      needs: "full",
    },
  ])
})
