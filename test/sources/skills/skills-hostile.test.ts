import { execFileSync } from "node:child_process"
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { MAX_BYTES } from "../../../src/sources/read/file.ts"
import { gatherSkills } from "../../../src/sources/skills/skills.ts"

let outside: string
let root: string

beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "incipit-skills-")))
  root = join(outside, "workspace")
  write("skills/good/SKILL.md", GOOD)
})

afterEach(() => rmSync(outside, { recursive: true }))

const GOOD = "---\ndescription: Good.\n---\n"

function write(path: string, text: string | Uint8Array): string {
  const full = join(root, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}

function gather() {
  const folder = { path: join(root, "skills"), shown: "skills", roots: [root], isOwn: true }
  const { skills, diagnostics } = gatherSkills([folder])
  return {
    skills: skills.map(({ name, description, path }) => `${name} (${description}) ${path}`),
    findings: diagnostics.map((item) => `${item.needs} ${item.code}: ${sentence(item)}`),
  }
}

const good = "good (Good.) skills/good/SKILL.md"
const noDescription =
  "the skill has no description, so the model could not know when to use it. It was left out."

test("a FIFO or a directory called SKILL.md is left out, and still makes its directory a leaf", () => {
  mkdirSync(join(root, "skills/fifo"))
  execFileSync("mkfifo", [join(root, "skills/fifo/SKILL.md")])
  write("skills/odd/SKILL.md/SKILL.md", GOOD)
  write("skills/odd/below/SKILL.md", GOOD)
  expect(gather()).toEqual({
    skills: [good],
    findings: [
      "full not-a-regular-file: skills/fifo/SKILL.md: is not a regular file. It was left out.",
      "full not-a-regular-file: skills/odd/SKILL.md: is not a regular file. It was left out.",
    ],
  })
})

test("a FIFO called .gitignore is left out, and hides nothing", () => {
  execFileSync("mkfifo", [join(root, "skills/.gitignore")])
  expect(gather()).toEqual({
    skills: [good],
    findings: ["familiar not-a-regular-file: skills/.gitignore: is not a regular file. It was left out."],
  })
})

test("links in a circle end", () => {
  mkdirSync(join(root, "skills/a/b"), { recursive: true })
  symlinkSync("..", join(root, "skills/a/up"))
  symlinkSync("../../..", join(root, "skills/a/b/up"))
  symlinkSync("self", join(root, "skills/self"))
  symlinkSync("nowhere", join(root, "skills/dangling.md"))
  const gone = "cannot be found: it is a broken link, or was just deleted. It was left out."
  expect(gather()).toEqual({
    skills: [good],
    findings: ["skills/self", "skills/dangling.md"].map((path) => `full file-gone: ${path}: ${gone}`),
  })
})

test("links among many directories are walked once, not in every combination", () => {
  for (let a = 0; a < 30; a += 1) {
    mkdirSync(join(root, `skills/d${a}`))
    for (let b = 0; b < 30; b += 1) symlinkSync(`../d${b}`, join(root, `skills/d${a}/l${b}`))
  }
  expect(gather()).toEqual({ skills: [good], findings: [] })
})

test("a folder or a file that is a link to itself is said to be unreadable", () => {
  symlinkSync("loop", join(root, "loop"))
  symlinkSync("me.md", join(root, "skills/me.md"))
  const folders = ["loop", "skills"].map((shown) => ({
    path: join(root, shown),
    shown,
    roots: [root],
    isOwn: true,
  }))
  expect(gatherSkills(folders).diagnostics).toEqual([
    { code: "source-unavailable", path: "loop", reason: "ELOOP", needs: "familiar" },
    { code: "source-unavailable", path: "skills/me.md", reason: "ELOOP", needs: "full" },
  ])
})

test("links that lead outside the roots are not followed, whatever they are called", () => {
  mkdirSync(join(outside, "workspace-2"))
  writeFileSync(join(outside, "workspace-2/SKILL.md"), GOOD)
  symlinkSync(join(outside, "workspace-2"), join(root, "skills/directory"))
  symlinkSync(join(outside, "workspace-2/SKILL.md"), join(root, "skills/file.md"))
  symlinkSync(join(outside, "workspace-2/SKILL.md"), join(root, "skills/unrelated.txt"))
  mkdirSync(join(root, "skills/inner"))
  symlinkSync(join(outside, "workspace-2/SKILL.md"), join(root, "skills/inner/SKILL.md"))
  const file = join(outside, "workspace-2/SKILL.md")
  expect(gather()).toEqual({
    skills: [good],
    findings: [
      `full outside-roots: skills/directory: leads outside the folders that may be read, to ${join(outside, "workspace-2")}. It was left out.`,
      `full outside-roots: skills/file.md: leads outside the folders that may be read, to ${file}. It was left out.`,
      `full outside-roots: skills/inner/SKILL.md: leads outside the folders that may be read, to ${file}. It was left out.`,
    ],
  })
})

test("a file of a gigabyte is not read", () => {
  truncateSync(write("skills/huge/SKILL.md", GOOD), 1024 ** 3)
  truncateSync(write("skills/.ignore", "good\n"), 1024 ** 3)
  const why = `has 1073741824 bytes; files of up to ${MAX_BYTES} bytes are read. It was left out.`
  expect(gather()).toEqual({
    skills: [good],
    findings: [
      `familiar file-too-large: skills/.ignore: ${why}`,
      `full file-too-large: skills/huge/SKILL.md: ${why}`,
    ],
  })
})

test("eight directories deep is looked into, nine is not, and neither is a hundred", () => {
  write("skills/1/2/3/4/5/6/7/8/SKILL.md", "---\nname: '8'\ndescription: Eight.\n---\n")
  write("skills/1/2/3/4/5/6/7/x/9/SKILL.md", GOOD)
  write(`skills/${"d/".repeat(100)}SKILL.md`, GOOD)
  expect(gather()).toEqual({ skills: ["8 (Eight.) skills/1/2/3/4/5/6/7/8/SKILL.md", good], findings: [] })
})

test("of more than 2,000 skills the first are listed, and it is said once", () => {
  rmSync(join(root, "skills/good"), { recursive: true })
  for (let index = 0; index < 2010; index += 1) write(`skills/s${index + 1000}/SKILL.md`, GOOD)
  const { skills, findings } = gather()
  expect([skills.length, skills[0], skills.at(-1)]).toEqual([
    2000,
    "s1000 (Good.) skills/s1000/SKILL.md",
    "s2999 (Good.) skills/s2999/SKILL.md",
  ])
  expect(findings).toEqual([
    "familiar too-many-files: skills: has more than 2000 files. The rest was not read.",
  ])
})

test("exactly 2,000 skills are all listed", () => {
  for (let index = 0; index < 1999; index += 1) write(`skills/s${index}/SKILL.md`, GOOD)
  const { skills, findings } = gather()
  expect([skills.length, findings]).toEqual([2000, []])
})

test("a large tree without skills is not walked to its end", () => {
  mkdirSync(join(root, "skills/many"))
  for (let index = 0; index < 50_000; index += 1) writeFileSync(join(root, `skills/many/${index}`), "")
  write("skills/zoo/SKILL.md", GOOD)
  expect(gather()).toEqual({
    skills: [good],
    findings: ["familiar too-many-files: skills: has more than 50000 files. The rest was not read."],
  })
})

test("frontmatter that cannot be read is said, with what is missing because of it", () => {
  const bomb = [
    "a: &a [x, x]",
    ..."bcdefgh".split("").map((key, at) => `${key}: &${key} [${`*${"abcdefg"[at]}, `.repeat(9)}]`),
  ]
  write("skills/bomb/SKILL.md", `---\n${bomb.join("\n")}\ndescription: x\n---\n`)
  write("skills/list/SKILL.md", "---\n- description\n---\n")
  expect(gather()).toEqual({
    skills: [good],
    findings: [
      "full bad-frontmatter: skills/bomb/SKILL.md:5: invalid frontmatter: it has more than 20 aliases",
      `full skill-without-description: skills/bomb/SKILL.md: ${noDescription}`,
      "full bad-frontmatter: skills/list/SKILL.md:2: invalid frontmatter: it is not a list of keys and values",
      `full skill-without-description: skills/list/SKILL.md: ${noDescription}`,
    ],
  })
})

test("tags that would run code, and keys that would change every object, are only text", () => {
  write("skills/code/SKILL.md", "---\ndescription: !!js/function 'function () { throw 1 }'\n---\n")
  write("skills/proto/SKILL.md", "---\n__proto__: { description: Polluted., name: x }\n---\n")
  write("skills/twice/SKILL.md", "---\n__proto__: { trust: public }\ndescription: Own.\n---\n")
  expect(gather()).toEqual({
    skills: [
      "code (function () { throw 1 }) skills/code/SKILL.md",
      good,
      "twice (Own.) skills/twice/SKILL.md",
    ],
    findings: [
      "familiar unknown-yaml-tag: skills/code/SKILL.md:2: unknown YAML tag !!js/function. The value is read without it, and nothing is run.",
      `familiar skill-without-description: skills/proto/SKILL.md: ${noDescription}`,
    ],
  })
  expect("description" in {}).toBe(false)
})

test("a file in UTF-16 is no skill", () => {
  write("skills/wide/SKILL.md", Buffer.from(`\ufeff${GOOD}`, "utf16le"))
  expect(gather()).toEqual({
    skills: [good],
    findings: [
      "familiar invalid-utf8: skills/wide/SKILL.md: is not valid UTF-8. Invalid bytes are sent as U+FFFD.",
      "familiar nul-characters: skills/wide/SKILL.md:1: has 27 NUL characters, the first of them here. They were removed.",
      `familiar skill-without-description: skills/wide/SKILL.md: ${noDescription}`,
    ],
  })
})
