// The one way to write a file: whole or not at all, with its mode, never through a link, and safe from a crash.
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openGate } from "../../src/files/gate/gate.ts"
import { markdownFiles } from "../../src/files/markdown-files.ts"
import { NotReplaced, type Replacement, replaceFile } from "../../src/files/replace-file.ts"
import { isTemporary, isTemporaryFor, temporaryName } from "../../src/files/temporary-name.ts"

const MODULE = resolve("src/files/replace-file.ts")

let root = ""
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-replace-")))
})
afterEach(() => rmSync(root, { recursive: true }))

const at = (name: string) => join(root, name)
const text = (name: string) => readFileSync(at(name), "utf8")
const modeOf = (name: string) => statSync(at(name)).mode & 0o7777

function replace(name: string, before: Replacement["before"] | string, after: string, mode?: number): void {
  const expected = typeof before === "string" && before !== "any" ? Buffer.from(before) : before
  replaceFile({
    ...{ path: at(name), before: expected as Replacement["before"], after: Buffer.from(after) },
    ...(mode !== undefined && { mode }),
  })
}

describe("what is written", () => {
  test.each([
    ["a new file", undefined, undefined],
    ["any content, of which there is none", undefined, "any"],
    ["any content", "old", "any"],
    ["the content that was expected", "old", "old"],
    ["an empty file", "", "any"],
  ] as const)("%s", (_what, old, before) => {
    if (old !== undefined) writeFileSync(at("file"), old)
    replace("file", before, "new text")
    expect([text("file"), readdirSync(root)]).toEqual(["new text", ["file"]])
  })

  test("in folders that do not exist yet, which are private for a private file", () => {
    replace("a/b/file", undefined, "x", 0o600)
    replace("c/file", undefined, "x")
    const shared = 0o777 & ~process.umask()
    expect([modeOf("a"), modeOf("a/b"), modeOf("a/b/file"), modeOf("c")]).toEqual([
      ...[0o700, 0o700, 0o600],
      shared,
    ])
  })

  test.each([0o600, 0o644, 0o755, 0o400])("a replaced file keeps its mode %o", (mode) => {
    writeFileSync(at("file"), "old")
    chmodSync(at("file"), mode)
    replace("file", "any", "new", 0o666)
    expect([modeOf("file"), text("file")]).toEqual([mode, "new"])
  })
})

describe("what is refused, with nothing changed and nothing left behind", () => {
  test.each([
    ["a file that should not exist", undefined, "file-changed", () => writeFileSync(at("file"), "theirs")],
    ["other content than expected", "old", "file-changed", () => writeFileSync(at("file"), "theirs")],
    ["no file, where there was one", "old", "file-changed", () => {}],
    ["a folder of that name", "any", "not-a-file", () => mkdirSync(at("file"))],
    ["a pipe of that name", "any", "not-a-file", () => spawnSync("mkfifo", [at("file")])],
    ["a link that should not exist", undefined, "file-changed", () => symlinkSync("target", at("file"))],
  ] as const)("%s", (_what, before, why, prepare) => {
    writeFileSync(at("target"), "theirs")
    prepare()
    const names = readdirSync(root)
    expect(() => replace("file", before, "mine")).toThrow(new NotReplaced(why))
    expect([readdirSync(root), text("target")]).toEqual([names, "theirs"])
  })

  test("a link in the place of the file", () => {
    writeFileSync(at("target"), "theirs")
    symlinkSync("target", at("file"))
    expect(() => replace("file", "any", "mine")).toThrow(expect.objectContaining({ code: "ELOOP" }))
    expect([text("target"), readdirSync(root)]).toEqual(["theirs", ["file", "target"]])
  })

  test.each(["link/file", "link/deep/file", "broken/file"])("a folder that is a link: %s", (name) => {
    mkdirSync(at("elsewhere"))
    symlinkSync("elsewhere", at("link"))
    symlinkSync("gone", at("broken"))
    expect(() => replace(name, undefined, "mine")).toThrow(new NotReplaced("folder-moved"))
    expect([readdirSync(at("elsewhere")), existsSync(at("gone"))]).toEqual([[], false])
  })
})

describe("after a crash", () => {
  const LEFT = temporaryName("file.md", "12-3")

  test("the file is whole, whenever the process was killed", async () => {
    const [old, fresh] = ["a", "b"].map((letter) => letter.repeat(3_000_000))
    const script = `import { replaceFile } from ${JSON.stringify(MODULE)}
      const texts = ["a", "b"].map((letter) => Buffer.from(letter.repeat(3_000_000)))
      for (let turn = 0; ; turn += 1) {
        replaceFile({ path: ${JSON.stringify(at("file.md"))}, before: "any", after: texts[turn % 2] })
        process.stdout.write(".")
      }`
    const child = spawn(process.execPath, ["--input-type=module", "-e", script])
    for (let seen = 0; seen < 5; ) seen += (await once(child.stdout, "data"))[0].length
    child.kill("SIGKILL")
    await once(child, "exit")
    expect([old, fresh]).toContain(text("file.md"))
    // At most the file that it was writing.
    expect(readdirSync(root).filter((name) => name !== "file.md" && !isTemporary(name))).toEqual([])
  })

  test("the next write deletes what was left, but not what may still be in use", () => {
    const anHourAgo = Date.now() / 1000 - 3_700
    writeFileSync(at(LEFT), "half")
    writeFileSync(at(temporaryName("file.md", "12-4")), "in use")
    writeFileSync(at(temporaryName("other.md", "12-5")), "another's")
    utimesSync(at(LEFT), anHourAgo, anHourAgo)
    utimesSync(at(temporaryName("other.md", "12-5")), anHourAgo, anHourAgo)
    replace("file.md", undefined, "whole")
    expect(readdirSync(root)).toEqual([".file.md.12-4.tmp", ".other.md.12-5.tmp", "file.md"])
  })

  test("what was left is in no list of Markdown files, and only full trust may read it", () => {
    writeFileSync(at("file.md"), "---\ntrust: full\n---\nsecret\n")
    linkSync(at("file.md"), at(LEFT))
    expect(markdownFiles(root).paths).toEqual(["file.md"])
    const gate = openGate({ root, folder: root, stores: [] })
    expect(gate.guardOf(at(LEFT))).toMatchObject({ trust: "full", isClosed: true })
  })
})

test.each([
  ["file.md", true],
  ["file", false],
  ["file.md.12", false],
])("a temporary file belongs to one name: %s", (name, isIts) =>
  expect(isTemporaryFor(temporaryName("file.md", "12-3"), name)).toBe(isIts),
)

/** Another machine or container can have a process with the same id. */
test("the temporary file of another writer is left alone, whatever its process id", () => {
  const theirs = Array.from({ length: 500 }, (_, count) =>
    temporaryName("file.md", `${process.pid}-${count}`),
  )
  for (const name of theirs) writeFileSync(at(name), "in use")
  replace("file.md", undefined, "mine")
  expect(readdirSync(root).toSorted()).toEqual([...theirs, "file.md"].toSorted())
})

test("the new content of a private file is private while it is written", () => {
  writeFileSync(at("file"), "old", { mode: 0o600 })
  const script = `import fs from "node:fs"
    import { syncBuiltinESMExports } from "node:module"
    const { writeSync } = fs
    fs.writeSync = (handle, ...rest) => {
      const { mode } = fs.fstatSync(handle)
      process.stdout.write((mode & 0o777).toString(8))
      return writeSync(handle, ...rest)
    }
    syncBuiltinESMExports()
    const { replaceFile } = await import(${JSON.stringify(MODULE)})
    replaceFile({ path: process.cwd() + "/file", before: "any", after: Buffer.from("x"), mode: 0o666 })`
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root })
  expect([run.stderr.toString(), run.stdout.toString(), text("file")]).toEqual(["", "600", "x"])
})

/** The second would be cut in the middle of a character that takes two units. */
test.each([`${"ü".repeat(120)}.md`, `${"a".repeat(39)}😀.md`, `${"😀".repeat(60)}.md`])(
  "a very long name has a temporary one that fits: %s",
  (name) => {
    replace(name, undefined, "text")
    expect([
      Buffer.byteLength(temporaryName(name, "4194304-9007199254740991")) < 255,
      readdirSync(root),
    ]).toEqual([true, [name]])
  },
)

/** Node records the calls itself, so that neither a tracer nor a stub is needed. */
test("the content reaches the disk before the name, and then the folder does", () => {
  const pattern = at("trace.json")
  const script = `import { replaceFile } from ${JSON.stringify(MODULE)}
    import { writeFileSync } from "node:fs"
    writeFileSync("old", "")
    const path = (name) => process.cwd() + "/" + name
    replaceFile({ path: path("new/file"), before: undefined, after: Buffer.from("x") })
    replaceFile({ path: path("old"), before: "any", after: Buffer.from("x") })`
  const flags = ["--trace-event-categories=node.fs.sync", `--trace-event-file-pattern=${pattern}`]
  const run = spawnSync(process.execPath, [...flags, "--input-type=module", "-e", script], { cwd: root })
  expect(run.stderr.toString()).toBe("")
  const { traceEvents } = JSON.parse(text("trace.json"))
  const calls: readonly string[] = traceEvents
    .filter(({ ph }: { readonly ph: string }) => ph === "B")
    .map(({ name }: { readonly name: string }) => name.replace("fs.sync.", ""))
  const kept = calls.slice(calls.indexOf("mkdir")).filter((name) => KEPT.has(name))
  expect(kept).toEqual([
    // The folder is made, and its name is on the disk.
    ...["mkdir", "fsync"],
    ...["write", "fsync", "link", "fsync"],
    ...["write", "fsync", "rename", "fsync"],
  ])
})

const KEPT = new Set(["mkdir", "write", "fsync", "link", "rename"])
