// Node runs compiled code that it finds in its cache. A folder for that which somebody else could have filled is not used.
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { incipit } from "../run.ts"

let temporary = ""
let compiled = ""
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), "incipit-tmp-"))
  compiled = join(temporary, `incipit-compiled-${process.getuid?.() ?? "user"}`)
})
afterEach(() => rmSync(temporary, { recursive: true }))

/** What is in the folder for compiled code after a run that uses the folder for temporary files. */
function filesAfterRun(): readonly string[] {
  const { status, stderr } = run(["--version"])
  expect([status, stderr]).toEqual([0, ""])
  return readdirSync(compiled)
}

function run(args: readonly string[]) {
  return incipit(args, { env: { TMPDIR: temporary } })
}

function folderOfBundles(): string {
  return join(compiled, `${process.version}-${process.arch}-bundles`)
}

/** The bundles of which compiled code is kept: those that have been loaded. */
function bundles(folder = folderOfBundles()): readonly string[] {
  return readdirSync(folder)
    .map((name) => name.replace(/-[0-9a-f]+$/, ""))
    .filter((name) => name !== TABLES && name !== RUNTIME)
    .toSorted()
}

/** The tables of the token counter. */
const TABLES = "o200k"
/** A few functions of the bundler, in a file of their own or in another, as it likes. */
const RUNTIME = "rolldown-runtime.cjs"

function keptAs(bundle: string): string {
  return readdirSync(folderOfBundles()).find((name) => name.startsWith(`${bundle}-`)) ?? bundle
}

test("compiled code is kept where only the user can write", () => {
  filesAfterRun()
  expect(bundles()).toEqual(["main.cjs", "start.cjs"])
  expect((statSync(compiled).mode & 0o777).toString(8)).toBe("700")
  expect(readdirSync(temporary)).toHaveLength(1)
})

test("it is kept in the folder that NODE_COMPILE_CACHE names, as Node does", () => {
  const chosen = join(temporary, "chosen")
  expect(incipit(["--version"], { env: { TMPDIR: temporary, NODE_COMPILE_CACHE: chosen } }).status).toBe(0)
  expect(readdirSync(temporary)).toEqual(["chosen"])
  expect(bundles(join(chosen, `${process.version}-${process.arch}-bundles`))).toEqual([
    "main.cjs",
    "start.cjs",
  ])
})

test("a build loads what it needs and nothing else", () => {
  expect(run(["build", "--workspace", "examples/lighthouse", "--tools", "none"]).status).toBe(0)
  expect(bundles()).toEqual(["build.cjs", "main.cjs", "prompt.cjs", "start.cjs"])
})

test("what a command needs of a shared bundle is added by its first run", () => {
  run(["--version"])
  const path = join(folderOfBundles(), keptAs("main.cjs"))
  const { size } = statSync(path)
  run(["build", "--workspace", "examples/lighthouse", "--tools", "none"])
  expect(statSync(path).size).toBeGreaterThan(size)
})

test("what is kept is used, and made again if it is damaged or of another bundle", () => {
  const first = run(["help", "build"])
  const path = join(folderOfBundles(), keptAs("main.cjs"))
  const kept = statSync(path).ino
  expect(run(["help", "build"])).toEqual(first)
  expect(statSync(path).ino).toBe(kept)
  for (const at of [0, 4, 5_000]) {
    const bytes = readFileSync(path)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    writeFileSync(path, bytes)
    const { ino } = statSync(path)
    expect(run(["help", "build"])).toEqual(first)
    expect(statSync(path).ino).not.toBe(ino)
  }
})

test("the tables of the token counter are used as they were kept, and computed again if they are damaged or cut off", () => {
  const at = ["--now", "2026-06-15T09:00:00Z"]
  const build = () => run(["build", "--workspace", "examples/lighthouse", "--tools", "none", "--json", ...at])
  const first = build()
  const path = join(folderOfBundles(), TABLES)
  const kept = readFileSync(path)
  const { ino } = statSync(path)
  expect(build()).toEqual(first)
  expect(statSync(path).ino).toBe(ino)
  const damaged = [0, 4, 8, kept.length - 1].map((place) => kept.with(place, (kept[place] ?? 0) ^ 1))
  for (const bytes of [...damaged, kept.subarray(0, 1_000), Buffer.concat([kept, kept])]) {
    writeFileSync(path, bytes)
    expect(build()).toEqual(first)
    expect(readFileSync(path).equals(kept)).toBe(true)
  }
})

// The bundler cannot escape what is in a text of `String.raw`.
test("a bundle is ASCII, as it is read", () => {
  const read = readdirSync("dist/bin").filter((name) => name.endsWith(".cjs"))
  const others = read.filter((name) => /[\x80-\xff]/.test(readFileSync(join("dist/bin", name), "latin1")))
  expect(others).toEqual([])
})

test("Node's variable turns it off", () => {
  const env = { TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: "1" }
  expect(incipit(["--version"], { env }).status).toBe(0)
  expect(readdirSync(temporary)).toEqual([])
})

test("a folder that others may write to is not used", () => {
  mkdirSync(compiled)
  chmodSync(compiled, 0o777)
  expect(filesAfterRun()).toEqual([])
})

test("a link in its place is not followed", () => {
  mkdirSync(join(temporary, "elsewhere"), { mode: 0o700 })
  symlinkSync(join(temporary, "elsewhere"), compiled)
  expect(filesAfterRun()).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)("a folder of another user is not used", () => {
  mkdirSync(compiled, { mode: 0o700 })
  chownSync(compiled, 12_345, 12_345)
  expect(filesAfterRun()).toEqual([])
})
