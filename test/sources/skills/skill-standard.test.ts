// What the standard of Agent Skills asks for, and what of a folder of skills is no skill.
import { afterEach, beforeEach, expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { skillStandard } from "../../../src/sources/skills/skill-standard.ts"
import { gatherSkills } from "../../../src/sources/skills/skills.ts"
import { type Folder, makeFolder } from "../folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const write = (name: string, head: string, body = "Body.") =>
  folder.write(`workspace/skills/${name}`, `---\n${head}\n---\n${body}`)

function gathered() {
  const { root } = folder
  return gatherSkills([{ path: `${root}/skills`, shown: "skills", roots: [root], isOwn: true }]).skills
}
const findings = () =>
  skillStandard(gathered()).map((finding) => `${finding.needs} ${finding.code} ${sentence(finding)}`)

test("a skill as the standard wants it, with fields of clients and our own, has no diagnostics", () => {
  write(
    "good/SKILL.md",
    "name: good\ndescription: Good.\nlicense: MIT\nmetadata: { tags: a }\nallowed-tools: Read\ntrust: inner\nversion: 1",
  )
  write("note.md", "description: A note is not under the standard.\nodd: 1")
  expect(findings()).toEqual([])
})

test("a missing name, a description that is too long, and unknown fields are said at their lines", () => {
  write("bad/SKILL.md", `description: ${"x".repeat(1025)}\ntrust: inner\ntags: [a]\nauthor: me`)
  expect(findings()).toEqual([
    expect.stringContaining(
      `inner skill-without-name skills/bad/SKILL.md: the skill has no name, so it is listed by its folder's name, "bad"`,
    ),
    expect.stringContaining(
      "inner skill-description-long skills/bad/SKILL.md:2: the skill's description has 1025 characters",
    ),
    expect.stringContaining(
      `inner skill-field-unknown skills/bad/SKILL.md:4: the standard for skills doesn't define "tags", "author",`,
    ),
  ])
})

test.each([
  ["_template/SKILL.md", "name: x\ndescription: Does x."],
  ["template/SKILL.md", "name: template\ndescription: Does x."],
  ["new/SKILL.md", "name: new\ndescription: Replace with description of the skill and when to use it."],
  ["new/SKILL.md", "name: new\ndescription: '<what it does>'"],
  ["skill-template.md", "description: Does x."],
])("a template is no skill: %s with %j", (path, head) => {
  write(path, head)
  expect(gathered()).toEqual([])
})

test("a skill about templates is one", () => {
  write("email-template/SKILL.md", "name: email-template\ndescription: Fills in templates.")
  expect(gathered()).toHaveLength(1)
})
