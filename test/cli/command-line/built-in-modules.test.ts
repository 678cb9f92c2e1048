// The command line asks for Node's own modules instead of importing them, which would load more than it uses.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { askForBuiltins } from "../../../scripts/ask-for-builtins.ts"

test.each([
  [
    'import{join}from"node:path";join("a")',
    'const {join}=globalThis.process.getBuiltinModule("node:path");join("a")',
  ],
  [
    'import{a as b,$c as isInside}from"./basis.js";import{type,EOL as end}from"node:os";import{d}from"./start.js";f()',
    'import{a as b,$c as isInside}from"./basis.js";import{d}from"./start.js";const {type,EOL:end}=globalThis.process.getBuiltinModule("node:os");f()',
  ],
  [
    'import process from"node:process";process.exit()',
    'const process=globalThis.process.getBuiltinModule("node:process");process.exit()',
  ],
  ['import*as sp from"path";sp.join()', 'const sp=globalThis.process.getBuiltinModule("path");sp.join()'],
  [
    'import fs,{constants}from"node:fs";fs.openSync(constants)',
    'const fs=globalThis.process.getBuiltinModule("node:fs");const {constants}=globalThis.process.getBuiltinModule("node:fs");fs.openSync(constants)',
  ],
  [
    'import fs,*as all from"fs";',
    'const fs=globalThis.process.getBuiltinModule("fs");const all=globalThis.process.getBuiltinModule("fs");',
  ],
  ['import"./other.js";import{x}from"yaml";x()', 'import"./other.js";import{x}from"yaml";x()'],
  ['const text=`\nimport{join}from"node:path";`', 'const text=`\nimport{join}from"node:path";`'],
])("%s", (code, expected) => {
  expect(askForBuiltins(code)).toBe(expected)
})

test("no chunk imports one", () => {
  // A worker thread starts from the other file, as it was compiled.
  const chunks = readdirSync("dist/bin").filter((name) => name.endsWith(".js") && !name.includes("thread"))
  const importing = chunks.filter((name) => {
    const code = readFileSync(join("dist/bin", name), "utf8")
    return /^(?:import[^;]*;)*import[^;]*"node:/.test(code)
  })
  expect([chunks.length > 20, importing]).toEqual([true, []])
})
