// YAML from elsewhere: whatever is too large, too deep or too clever is refused with its line, and never runs.
import { closeSync, ftruncateSync, openSync } from "node:fs"
import { afterEach, expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { loadConfig } from "../../../src/sources/config/config.ts"
import { splitFrontMatter } from "../../../src/sources/read/frontmatter.ts"
import { type Folder, makeFolder } from "../folder.ts"

let folder: Folder = makeFolder()
afterEach(() => {
  folder.remove()
  folder = makeFolder()
})

function load(text: string) {
  return loadConfig(folder.write("workspace/incipit.yaml", text), "incipit.yaml")
}

test("an incipit.yaml of ten gigabytes is refused, and takes no memory", () => {
  const path = folder.write("workspace/incipit.yaml", "")
  const handle = openSync(path, "r+")
  ftruncateSync(handle, 10 * 1024 ** 3)
  closeSync(handle)
  expect(() => loadConfig(path, "incipit.yaml")).toThrow(/cannot read .*incipit.yaml: it is too large/)
})

const bomb = [
  "a0: &a0 [x]",
  ...Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`),
]

test.each([
  ["ten thousand brackets", "a: 1\nb: [".padEnd(10_000, "["), "2:36: it is nested more than 32 levels deep"],
  ["ten thousand braces", `users: ${"{".repeat(10_000)}`, "1:40: it is nested more than 32 levels deep"],
  [
    "explicit keys in explicit keys",
    `a: 1\n${"? ".repeat(500)}`,
    "2:65: it is nested more than 32 levels deep",
  ],
  ["lists in lists on one line", "- ".repeat(500_00), "1:65: it is nested more than 32 levels deep"],
  [
    "ever deeper indents",
    Array.from({ length: 100 }, (_, at) => `${" ".repeat(at)}a:`).join("\n"),
    "33:33: it is nested more than 32 levels deep",
  ],
  ["a list as a key", "a: 1\n[b, c]: 1\n", "2:1: a list, a map or an alias cannot be a key"],
  ["a key that is there twice", "a: 1\nb: 2\na: 3\n", "3:1: Map keys must be unique"],
  [
    "aliases that multiply",
    bomb.join("\n"),
    "2:10: Excessive alias count indicates a resource exhaustion attack",
  ],
  ["many aliases", `a: &a x\nb: [${"*a, ".repeat(21)}]\n`, "2:85: it has more than 20 aliases"],
  [
    "an alias of nothing",
    "a: 1\nb: *c\n",
    "2:4: Unresolved alias (the anchor must be set before the alias): c",
  ],
  ["another version of YAML", "%YAML 1.1\n---\na: 1\n", "1:1: only YAML 1.2 is supported"],
  ["half a megabyte", `# ${"x".repeat(500_000)}\n`, "1:1: it has 500003 characters; the limit is 262144"],
])("%s: refused with the line", (_name, text, problem) => {
  expect(() => load(text)).toThrow(`incipit.yaml:${problem}`)
})

test("twenty thousand keys are read, and each has its line", () => {
  const text = `users:\n${Array.from({ length: 10_000 }, (_, at) => `  u${at}: {trust: full}`).join("\n")}\n`
  const { config, lines } = load(text)
  expect([Object.keys(config.users ?? {}).length, lines.get("users.u9999.trust")]).toEqual([10_000, 10_001])
})

test("a tag that would run code is a diagnostic, and its value is only text", () => {
  const text = "profile: !!js/function './throws-1'\n"
  const { config, diagnostics } = load(text)
  expect(config.profile).toBe("./throws-1")
  const said = "unknown YAML tag !!js/function. The value is read without it, and nothing is run."
  expect(diagnostics.map(sentence)).toEqual([`incipit.yaml:1: ${said}`])
  const front = splitFrontMatter(`---\ntrust: full\nname: !!js/function 'x'\n---\nbody`, "SOUL.md")
  expect([front.isBroken, front.fields, front.diagnostics.map(sentence)]).toEqual([
    false,
    { trust: "full", name: "x" },
    [`SOUL.md:3: ${said}`],
  ])
})

test("an escape brings in no control characters and no hidden text", () => {
  const front = splitFrontMatter('---\na: 1\nname: "a\\e[31m\\x07\\U000E0041b"\n---\nbody', "SOUL.md")
  expect([front.fields, front.diagnostics]).toEqual([
    { a: 1, name: "a[31mb" },
    [{ code: "escaped-characters", path: "SOUL.md", line: 3 }],
  ])
})

test("a key such as __proto__ changes no object", () => {
  load("__proto__: { polluted: 1 }\nusers:\n  __proto__: { trust: full }\n")
  expect("polluted" in {}).toBe(false)
})

test.each(["&a [*a]\n", "model: &a { b: [ *a ] }\n", "a: &a\n  - b: *a\n"])(
  "an alias of what it stands in is refused, with its line: %j",
  (text) => {
    expect(() => load(text)).toThrow("the alias *a is inside the value that it names")
    const { isBroken, diagnostics } = splitFrontMatter(`---\n${text}---\nBody.\n`, "A.md")
    expect([isBroken, diagnostics.length]).toEqual([true, 1])
  },
)

test("a hundred modules can be named, and no more are looked at", () => {
  const naming = (count: number) =>
    `hooks: [${Array.from({ length: count }, (_, at) => `./${at}.ts`).join(", ")}]\n`
  expect(load(naming(100)).config.hooks).toHaveLength(100)
  expect(() => load(naming(101))).toThrow("hooks: names more than 100 modules")
})
