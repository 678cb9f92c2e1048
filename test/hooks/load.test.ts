// Real modules in real folders: what is found, what waits, what runs, and that it runs as it was digested.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, expect, test } from "vitest"
import type { Digest } from "../../src/base/digest.ts"
import { findHooks, loadHooks } from "../../src/hooks/load.ts"
import { benchOf, never, sessionOf, startEvent, turn } from "./runner.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-hooks-")))
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0

/** A workspace of its own with these files. */
function workspace(files: Readonly<Record<string, string>>): string {
  count += 1
  const root = join(folder, `w${count}`)
  mkdirSync(root)
  for (const [path, text] of Object.entries(files)) put(root, path, text)
  return root
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const all = () => true

/** What a module says when it is asked, as its hook `before_agent_start` tells it. */
async function said(names: readonly string[], root: string, approved: (digest: Digest) => boolean = all) {
  const { hooks, waiting, diagnostics } = await loadHooks(names, { root, approved })
  const { runner, troubles } = benchOf(hooks)
  const { messages } = await runner.beforeAgentStart(startEvent("You."), never())
  const texts = messages.map(({ by, text }) => `${by}: ${text}`)
  return { texts, waiting: waiting.map(({ name }) => name), diagnostics, troubles }
}

const says = (text: string) => `export const before_agent_start = () => ({ messages: [{ text: ${text} }] })\n`
const ok = { waiting: [], diagnostics: [], troubles: [] }

test("hooks come by name or as the default, from files and packages, in the order in which they are named", async () => {
  const root = workspace({
    "hooks/by-name.ts": `import { text } from "./texts/hello.ts"
import words from "./words.json" with { type: "json" }
import { readFileSync } from "node:fs"
import { fromPackage } from "plain"
const own: string = readFileSync(new URL("../data.txt", import.meta.url), "utf8")
${says("[text, words[0], own, fromPackage].join(' ')")}`,
    "hooks/texts/hello.ts": `export const text: string = "hello"\n`,
    "hooks/words.json": `["world"]`,
    "data.txt": "data",
    "default.mjs": `export default { name: "given", trust: "inner", word: undefined, before_agent_start() { return { messages: [{ text: typeof this.before_agent_start }] } } }
export const trust = "public"\n`,
    "node_modules/plain/package.json": `{ "name": "plain", "exports": "./plain.js", "type": "module" }`,
    "node_modules/plain/plain.js": `export const fromPackage = "packaged"\n`,
    "node_modules/@acme/hooks/package.json": `{ "name": "@acme/hooks", "exports": { "./late": { "import": "./dist/late.js" } } }`,
    "node_modules/@acme/hooks/dist/late.js": `import { late } from "./word.js"\n${says("late")}`,
    "node_modules/@acme/hooks/dist/word.js": `export const late = "late"\n`,
  })
  const names = ["@acme/hooks/late", "./hooks/by-name.ts", "./default.mjs"]
  expect(await said(names, root)).toEqual({
    ...ok,
    texts: ["@acme/hooks/late: late", "by-name: hello world data packaged", "given: function"],
    diagnostics: [{ code: "unknown-hook", path: "./default.mjs", name: "word", needs: "full" }],
  })
  const { hooks } = await loadHooks(names, { root, approved: all })
  expect(
    hooks.map(({ name, trust, hooks: { before_agent_start, ...others } }) => [name, trust, others]),
  ).toEqual([
    ["@acme/hooks/late", undefined, {}],
    ["by-name", undefined, {}],
    ["given", "inner", {}],
  ])
  const { modules } = await findHooks(names, root)
  const sizes = modules.flatMap(({ files }) =>
    files.map((file) => file.bytes === statSync(join(root, file.path)).size),
  )
  expect(sizes).toEqual(Array(9).fill(true))
  const shown = modules.map(({ digest, files, ...module }) => ({
    ...module,
    files: files.map(({ path }) => path),
  }))
  expect(shown).toEqual([
    {
      name: "@acme/hooks/late",
      given: "@acme/hooks/late",
      path: join(root, "node_modules/@acme/hooks/dist/late.js"),
      files: ["dist/late.js", "dist/word.js", "package.json"].map(
        (name) => `node_modules/@acme/hooks/${name}`,
      ),
    },
    {
      name: "by-name",
      given: "./hooks/by-name.ts",
      path: join(root, "hooks/by-name.ts"),
      files: [
        "hooks/by-name.ts",
        "hooks/texts/hello.ts",
        "hooks/words.json",
        "node_modules/plain/package.json",
        "node_modules/plain/plain.js",
      ],
    },
    {
      name: "default",
      given: "./default.mjs",
      path: join(root, "default.mjs"),
      files: ["default.mjs"],
    },
  ])
})

test("nothing runs before it is approved, and a change of any of its files makes it wait again", async () => {
  const root = workspace({
    "a.ts": `import { b } from "./b.ts"\nprocess.env.INCIPIT_TEST_RAN = "yes"\n${says("b")}`,
    "b.ts": `import "./c.ts"\nexport const b: string = "first"\n`,
    "c.ts": "export {}\n",
  })
  delete process.env.INCIPIT_TEST_RAN
  const approved = new Set<Digest>()
  const ask = () => said(["./a.ts"], root, (digest) => approved.has(digest))
  const digest = async () => (await findHooks(["./a.ts"], root)).modules[0]!.digest
  const waits = { ...ok, texts: [], waiting: ["a"] }
  expect(await ask()).toEqual(waits)
  expect(process.env.INCIPIT_TEST_RAN).toBeUndefined()

  const first = await digest()
  approved.add(first)
  expect(await ask()).toEqual({ ...ok, texts: ["a: first"] })
  expect(process.env.INCIPIT_TEST_RAN).toBe("yes")

  put(root, "b.ts", `import "./c.ts"\nexport const b: string = "second"\n`)
  expect(await ask()).toEqual(waits)
  approved.add(await digest())
  expect(await ask()).toEqual({ ...ok, texts: ["a: second"] })

  put(root, "c.ts", "export const more = 1\n")
  expect(await ask()).toEqual(waits)
  put(root, "c.ts", "export {}\n")
  put(root, "b.ts", `import "./c.ts"\nexport const b: string = "first"\n`)
  expect([await digest(), await ask()]).toEqual([first, { ...ok, texts: ["a: first"] }])
})

test("a package waits again when its package.json leads elsewhere", async () => {
  const manifest = (main: string) => `{ "name": "pack", "type": "module", "exports": "./${main}" }`
  const root = workspace({
    "node_modules/pack/package.json": manifest("a.js"),
    "node_modules/pack/a.js": says('"a"'),
  })
  const [before] = (await findHooks(["pack"], root)).modules
  put(root, "node_modules/pack/package.json", `${manifest("a.js")}\n`)
  const [after] = (await findHooks(["pack"], root)).modules
  expect(before!.digest === after!.digest).toBe(false)
})

test("what runs is what was digested, even if the file is another by then", async () => {
  const root = workspace({
    "a.ts": `import { b } from "./b.ts"\n${says("b")}export const tool_call = async () => ({ block: (await import("./b.ts")).b })\n`,
    "b.ts": `export const b = "approved"\n`,
  })
  // Whoever approves may be slow, and somebody else fast.
  const approved = () => {
    put(root, "a.ts", says('"swapped"'))
    put(root, "b.ts", `export const b = "swapped"\n`)
    return true
  }
  const { hooks } = await loadHooks(["./a.ts"], { root, approved })
  const { runner } = benchOf(hooks)
  const { messages } = await runner.beforeAgentStart(startEvent("You."), never())
  expect(messages.map(({ text }) => text)).toEqual(["approved"])
  const call = { session: sessionOf().session, turn, id: "c", name: "x", input: {} }
  expect(await runner.toolCall(call, never())).toEqual({ input: {}, block: { by: "a", why: "approved" } })
  expect(readFileSync(join(root, "b.ts"), "utf8")).toBe(`export const b = "swapped"\n`)
})

test("modules that import each other in a circle load once", async () => {
  const root = workspace({
    "a.ts": `import { b } from "./b.ts"\nexport const a = "a"\n${says("b()")}`,
    "b.ts": `import { a } from "./a.ts"\nimport "./b.ts"\nexport const b = () => a + "b"\n`,
  })
  expect(await said(["./a.ts"], root)).toEqual({ ...ok, texts: ["a: ab"] })
})

test("a file that was not seen to be imported is not imported", async () => {
  const root = workspace({
    "hidden.ts": `import { b } from /* so */ "./b.ts"\n${says("b")}`,
    "late.ts": `const name = "./b.ts"
export async function before_agent_start() { return { messages: [{ text: (await import(name)).b }] } }
export const turn_end = () => {}\n`,
    "place.ts": `import { basename } from "node:path"
import { fileURLToPath } from "node:url"
const place: string = import.meta.resolve("./b.ts")
${says("basename(fileURLToPath(place))")}`,
    "b.ts": `process.env.INCIPIT_TEST_B = "yes"\nexport const b = "b"\n`,
  })
  delete process.env.INCIPIT_TEST_B
  const refusal = `${join(root, "b.ts")} is not among the files that were approved`
  expect(await said(["./hidden.ts", "./late.ts", "./place.ts"], root)).toEqual({
    texts: ["place: b.ts"],
    waiting: [],
    diagnostics: [{ code: "hook-not-loaded", path: "./hidden.ts", reason: refusal, needs: "full" }],
    troubles: [{ name: "late", hook: "before_agent_start", error: refusal }],
  })
  expect(process.env.INCIPIT_TEST_B).toBeUndefined()
})

test("what cannot be used is a diagnostic each, and the rest loads", async () => {
  const root = workspace({
    "good.ts": says('"good"'),
    "throws.ts": `${says('"never"')}throw new Error("at once\\nand more")\n`,
    "broken.ts": "export const before_agent_start = (\n",
    "enum.ts": "export enum Level { One }\n",
    "needs.ts": `import "./gone.ts"\n${says('"never"')}`,
    "common.js": "module.exports = { turn_end() {} }\n",
    "nothing.ts": "export const helper = () => 1\nexport default function (pi) { pi.on('context') }\n",
    "typos.ts": `export const beforeAgentStart = () => {}\nexport const context = 3\nexport const helper = () => 1
export const turn_end = () => {}\nexport const trust = "ful"\nexport const name = "a name"\n`,
    "notes.md": "# Notes\n",
    "reaches.ts": `import "../outside.ts"\n${says('"never"')}`,
    "sub/index.ts": says('"sub"'),
    "node_modules/closed/package.json": `{ "name": "closed", "exports": { "./other": "./x.js" } }`,
  })
  put(folder, "outside.ts", says('"never"'))
  symlinkSync(join(folder, "outside.ts"), join(root, "link.ts"))
  symlinkSync(join(root, "good.ts"), join(root, "alias.ts"))
  const names = [
    ..."throws broken enum needs common nothing typos notes reaches link".split(" ").map((name) => {
      const end = { common: "js", notes: "md" }[name] ?? "ts"
      return `./${name}.${end}`
    }),
    ...[
      "./gone.ts",
      "./good.ts",
      "./alias.ts",
      "../outside.ts",
      "./sub",
      "good.ts",
      "closed",
      "node:fs",
      "file:///x.ts",
    ],
  ]
  const { texts, diagnostics } = await said(names, root)
  expect(texts).toEqual(["good: good"])
  const lines = diagnostics.map(({ code, needs, ...rest }) => [
    code,
    needs,
    JSON.stringify(rest).replaceAll(folder, "DIR"),
  ])
  expect(lines.map((line) => line.join(" "))).toMatchInlineSnapshot(`
    [
      "hook-not-loaded full {"path":"./notes.md","reason":"a module's name must end in .ts, .mts, .js or .mjs"}",
      "hook-imports-outside full {"path":"./reaches.ts","target":"../outside.ts"}",
      "outside-roots full {"path":"./link.ts","target":"DIR/outside.ts"}",
      "hook-missing full {"path":"./gone.ts"}",
      "hook-named-twice full {"path":"./alias.ts"}",
      "outside-roots full {"path":"../outside.ts","target":"DIR/outside.ts"}",
      "not-a-regular-file full {"path":"./sub"}",
      "hook-missing full {"path":"good.ts"}",
      "hook-missing full {"path":"closed"}",
      "hook-not-loaded full {"path":"node:fs","reason":"it is neither a path nor a package name"}",
      "hook-not-loaded full {"path":"file:///x.ts","reason":"it is neither a path nor a package name"}",
      "hook-not-loaded full {"path":"./throws.ts","reason":"at once"}",
      "hook-not-loaded full {"path":"./broken.ts","reason":"Expression expected"}",
      "hook-not-loaded full {"path":"./enum.ts","reason":"TypeScript enum is not supported in strip-only mode"}",
      "hook-not-loaded full {"path":"./needs.ts","reason":"Cannot find module 'DIR/w7/gone.ts' imported from DIR/w7/needs.ts"}",
      "hook-not-loaded full {"path":"./common.js","reason":"module is not defined in ES module scope"}",
      "hook-exports-nothing full {"path":"./nothing.ts"}",
      "unknown-hook full {"path":"./typos.ts","name":"beforeAgentStart","nearest":"before_agent_start"}",
      "unknown-hook full {"path":"./typos.ts","name":"context"}",
      "unknown-trust full {"path":"./typos.ts","value":"ful","used":"full"}",
    ]
  `)
})

test("an import that never ends is given up", async () => {
  const root = workspace({ "waits.ts": `${says('"never"')}await new Promise(() => {})\n` })
  const timer = (run: () => void) => {
    setImmediate(run)
    return () => {}
  }
  const { hooks, diagnostics } = await loadHooks(["./waits.ts"], { root, approved: all, limitMs: 7, timer })
  expect({ hooks, diagnostics }).toEqual({
    hooks: [],
    diagnostics: [
      { code: "hook-not-loaded", path: "./waits.ts", reason: "took longer than 7 ms", needs: "full" },
    ],
  })
})

test("two modules never have one name", async () => {
  const root = workspace({
    "a/hook.ts": says('"a"'),
    "b/hook.ts": says('"b"'),
    "c/other.ts": `export const name = "hook"\n${says('"c"')}`,
    "d/third.ts": `export const name = "other"\n${says('"d"')}`,
  })
  const names = ["./a/hook.ts", "./b/hook.ts", "./d/third.ts", "./c/other.ts"]
  expect((await said(names, root)).texts).toEqual([
    "hook: a",
    "./b/hook.ts: b",
    "other: d",
    "./c/other.ts: c",
  ])
  const { modules } = await findHooks(names, root)
  expect(modules.map(({ name }) => name)).toEqual(["hook", "./b/hook.ts", "third", "other"])
})

test("a module of one file waits too, and what is approved at one place is not at another", async () => {
  const root = workspace({
    "one.ts": says('"one"'),
    "a.ts": `import "./b.ts"\n${says('"a"')}`,
    "b.ts": `import "./a.ts"\n${says('"b"')}`,
    "linked.ts": `import "./link.ts"\n${says('"linked"')}`,
    "x1/x.ts": "export {}\n",
    "x2/x.ts": "export {}\n",
  })
  const nobody = await said(["./one.ts"], root, () => false)
  expect(nobody).toEqual({ ...ok, texts: [], waiting: ["one"] })
  const digestOf = async (name: string) => (await findHooks([name], root)).modules[0]!.digest
  expect((await digestOf("./a.ts")) === (await digestOf("./b.ts"))).toBe(false)
  symlinkSync("x1/x.ts", join(root, "link.ts"))
  const before = await digestOf("./linked.ts")
  rmSync(join(root, "link.ts"))
  symlinkSync("x2/x.ts", join(root, "link.ts"))
  expect((await digestOf("./linked.ts")) === before).toBe(false)
})

test.each([
  ["its path", 'new URL("./b.ts", import.meta.url).pathname'],
  ["its address", 'new URL("./b.ts", import.meta.url).href'],
  ["a name that the folder gives it", '"#b"'],
])("a file that was not approved is not imported by %s", async (_how, name) => {
  const root = workspace({
    "package.json": `{ "imports": { "#b": "./b.ts" } }`,
    "late.ts": `const name = ${name}
export async function before_agent_start() { return { messages: [{ text: (await import(name)).b }] } }\n`,
    "b.ts": `export const b = "b"\n`,
  })
  const error = `${name === '"#b"' ? "#b" : join(root, "b.ts")} is not among the files that were approved`
  expect(await said(["./late.ts"], root)).toEqual({
    ...{ ...ok, texts: [] },
    troubles: [{ name: "late", hook: "before_agent_start", error }],
  })
})
