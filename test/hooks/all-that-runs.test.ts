// An approval of a module covers all the code that runs with it, in the folder that it was given for: packages, the
// folder's own package, names of `imports`. Real files, and code that leaves a file behind if it runs.
import { execFileSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, expect, test } from "vitest"
import type { Digest } from "../../src/base/digest.ts"
import { findHooks, loadHooks } from "../../src/hooks/load.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-closure-")))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

function workspace(files: Readonly<Record<string, string>>): string {
  count += 1
  const root = join(folder, `w${count}`)
  for (const [path, text] of Object.entries(files)) put(root, path, text)
  return root
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const marks = (root: string) => `import { writeFileSync } from "node:fs"
writeFileSync(${JSON.stringify(join(root, "ran"))}, "")
export const word = "hostile"\n`
const hook = (source: string) => `${source}\nexport const turn_end = () => word\n`

async function digestIn(root: string, name = "./hook.ts"): Promise<Digest> {
  const { modules, diagnostics } = await findHooks([name], root)
  expect(diagnostics).toEqual([])
  return modules[0]!.digest
}

/** Loads with that one approval: what waits, and whether the mark is there. */
async function loadedWith(approved: Digest, root: string) {
  const { hooks, waiting, diagnostics } = await loadHooks(["./hook.ts"], {
    root,
    approved: (digest) => digest === approved,
  })
  return {
    ...{ loaded: hooks.length, waiting: waiting.length, ran: existsSync(join(root, "ran")) },
    reasons: diagnostics.map((one) => ("reason" in one ? one.reason : one.code)),
  }
}

const WAITS = { loaded: 0, waiting: 1, ran: false, reasons: [] }

/** How a module comes by code that is not in its own file, and the file that has it. */
const ROADS: Readonly<
  Record<string, { readonly files: Record<string, string>; readonly source: string; readonly at: string }>
> = {
  "a package": {
    source: `import { word } from "tides"`,
    at: "node_modules/tides/index.js",
    files: { "node_modules/tides/package.json": `{ "name": "tides", "type": "module" }` },
  },
  "a package's own package": {
    source: `import { word } from "tides"`,
    at: "node_modules/moon/m.js",
    files: {
      "node_modules/tides/package.json": `{ "name": "tides", "exports": { "import": "./t.js" } }`,
      "node_modules/tides/t.js": `export * from "moon/m.js"\n`,
      "node_modules/moon/package.json": `{ "name": "moon" }`,
    },
  },
  "the folder's own package": {
    source: `import { word } from "ws/lib"`,
    at: "lib/lib.js",
    files: { "package.json": `{ "name": "ws", "exports": { "./*": "./lib/*.js" } }` },
  },
  "a name of `imports`": {
    source: `import { word } from "#lib"`,
    at: "lib/lib.js",
    files: { "package.json": `{ "imports": { "#lib": "./lib/lib.js" } }` },
  },
  "a dynamic import": {
    source: `const { word } = await import("tides/late.js")`,
    at: "node_modules/tides/late.js",
    files: { "node_modules/tides/package.json": `{ "name": "tides", "version": "1.2.3" }` },
  },
}

test.each(Object.entries(ROADS))(
  "code that comes by %s is hostile later on: it does not run",
  async (_road, { files, source, at }) => {
    const root = workspace({ ...files, "hook.ts": hook(source), [at]: `export const word = "calm"\n` })
    const approved = await digestIn(root)
    expect(await loadedWith(approved, root)).toEqual({ loaded: 1, waiting: 0, ran: false, reasons: [] })
    put(root, at, marks(root))
    expect(await loadedWith(approved, root)).toEqual(WAITS)
  },
)

test.each(Object.entries(ROADS))(
  "an approval is not one for a copy of the folder with other code by %s",
  async (_road, { files, source, at }) => {
    const root = workspace({ ...files, "hook.ts": hook(source), [at]: `export const word = "calm"\n` })
    const approved = await digestIn(root)
    const copy = `${root}-copy`
    cpSync(root, copy, { recursive: true })
    expect(await loadedWith(approved, copy)).toEqual(WAITS)
    put(copy, at, marks(copy))
    expect(await loadedWith(approved, copy)).toEqual(WAITS)
  },
)

test("a package that turns up nearer than the approved one does not run", async () => {
  const root = workspace({
    "node_modules/tides/package.json": `{ "name": "tides" }`,
    "node_modules/tides/index.js": `export const word = "calm"\n`,
    "hook.ts": `export { turn_end } from "./hooks/inner.ts"\n`,
    "hooks/inner.ts": hook(`import { word } from "tides"`),
  })
  const approved = await digestIn(root)
  put(root, "hooks/node_modules/tides/package.json", `{ "name": "tides" }`)
  put(root, "hooks/node_modules/tides/index.js", marks(root))
  expect(await loadedWith(approved, root)).toEqual(WAITS)
})

test("a folder that is moved, or put in the place of another, has no approvals", async () => {
  const root = workspace({ "hook.ts": hook(`const word = "calm"`) })
  const approved = await digestIn(root)
  const other = `${root}-moved`
  renameSync(root, other)
  expect(await loadedWith(approved, other)).toEqual(WAITS)
  cpSync(other, root, { recursive: true })
  expect(await loadedWith(approved, root)).toEqual(WAITS)
})

test("by a link to the folder it is the same folder", async () => {
  const root = workspace({ "hook.ts": hook(`const word = "calm"`) })
  const approved = await digestIn(root)
  symlinkSync(root, `${root}-link`)
  expect((await loadedWith(approved, `${root}-link`)).loaded).toBe(1)
})

test("`incipit` is this one, whatever lies in node_modules", async () => {
  const root = workspace({ "hook.ts": hook(`import { o200k as word } from "incipit/tokens"`) })
  put(root, "node_modules/incipit/package.json", `{ "name": "incipit", "exports": { "./tokens": "./t.js" } }`)
  put(root, "node_modules/incipit/t.js", marks(root))
  const found = await findHooks(["./hook.ts"], root)
  expect(found.modules[0]!.files.map(({ path }) => path)).toEqual(["hook.ts"])
  const approved = found.modules[0]!.digest
  expect(await loadedWith(approved, root)).toEqual({ loaded: 1, waiting: 0, ran: false, reasons: [] })
})

/** What is not seen to be imported when the module is looked at. */
const UNSEEN: Readonly<Record<string, string>> = {
  "a computed name": `const { word } = await import("ti" + "des")`,
  "a computed path": `const { word } = await import("./li" + "b.js")`,
  createRequire: `import { createRequire } from "node:module"\nconst { word } = createRequire(import.meta.url)("./lib.cjs")`,
  "createRequire by another way": `const { createRequire } = process.getBuiltinModule("module")\nconst { word } = createRequire(import.meta.url)("./lib.cjs")`,
  "a worker": `import { Worker } from "node:worker_threads"\nnew Worker(new URL("./lib.js", import.meta.url))\nconst word = ""`,
  "an address of data": `const { word } = await import("data:text/javascript,export * from '" + new URL("./lib.js", import.meta.url) + "'")`,
  "a native module": `const { word } = await import("./lib" + ".node")`,
  WebAssembly: `const { word } = await import("./lib" + ".wasm")`,
  JSON: `const { default: word } = await import("./lib" + ".json", { with: { type: "json" } })`,
}

test.each(Object.entries(UNSEEN))(
  "code that comes by %s was not digested, and does not run",
  async (_road, source) => {
    const root = workspace({ "hook.ts": hook(source), "lib.json": "{}", "lib.node": "", "lib.wasm": "" })
    put(root, "node_modules/tides/package.json", `{ "name": "tides" }`)
    put(root, "lib.cjs", `require("node:fs").writeFileSync(${JSON.stringify(join(root, "ran"))}, "")\n`)
    for (const path of ["node_modules/tides/index.js", "lib.js"]) put(root, path, marks(root))
    const { loaded, ran, reasons } = await loadedWith(await digestIn(root), root)
    expect({ loaded, ran, count: reasons.length }).toEqual({ loaded: 0, ran: false, count: 1 })
    expect(reasons[0]).toMatch(/not among the files that were approved|can load code that was not approved/)
  },
)

test("a pipe in place of a module, an import or a package.json is not waited for", async () => {
  const root = workspace({
    "imports.ts": hook(`import { word } from "./pipe.js"`),
    "needs.ts": hook(`import { word } from "tides"`),
    "node_modules/tides/index.js": `export const word = "calm"\n`,
  })
  for (const path of ["pipe.ts", "pipe.js", "node_modules/tides/package.json", "package.json"])
    execFileSync("mkfifo", [join(root, path)])
  const names = ["./pipe.ts", "./imports.ts", "./needs.ts", "tides"]
  const { hooks, diagnostics } = await loadHooks(names, { root, approved: () => true })
  expect(hooks).toEqual([])
  expect(diagnostics.map(({ code }) => code)).toEqual([
    "not-a-regular-file",
    "hook-missing",
    "hook-not-loaded",
    "hook-not-loaded",
  ])
})

test("a module that is larger than any is refused, and not read", async () => {
  const root = workspace({ "large.ts": "", "imports.ts": `import "./large.ts"\n` })
  truncateSync(join(root, "large.ts"), 10_000_000_000)
  const { diagnostics } = await findHooks(["./large.ts", "./imports.ts"], root)
  expect(diagnostics.map((one) => "reason" in one && one.reason)).toEqual(
    Array(2).fill(`${join(root, "large.ts")} is larger than 4000000 bytes`),
  )
})

test("what looks like imports without end is looked at in no time", async () => {
  const root = workspace({
    "hook.ts": `${"import type ".repeat(50_000)}\n${"from ".repeat(50_000)}${" ".repeat(200_000)}`,
  })
  const { modules } = await findHooks(["./hook.ts"], root)
  expect(modules.length).toBe(1)
})

test("files that all import each other are not looked up without end", () => {
  const names = Array.from({ length: 300 }, (_, n) => `./m${n}.ts`)
  const text = names.map((name) => `import "${name}"`).join("\n")
  const root = workspace(Object.fromEntries(["./hook.ts", ...names].map((name) => [name, text])))
  const { modules, diagnostics } = findHooks(["./hook.ts"], root)
  expect(modules).toEqual([])
  expect(JSON.stringify(diagnostics)).toContain("it imports more than")
})
