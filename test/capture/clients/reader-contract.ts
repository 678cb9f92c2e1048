// What every reader keeps to, checked on recordings of our own making in its client's form: the two ways to read agree,
// reading can be cut off anywhere and go on, ids hold, garbage stops nothing, and the client's folder stays as it was.
import { execFileSync } from "node:child_process"
import {
  appendFileSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { type Diagnostic, sentence } from "../../../src/base/diagnostic.ts"
import type { CalledUsage, CapturedCall } from "../../../src/capture/call.ts"
import type { CaptureFile, CaptureReader, Place, Read } from "../../../src/capture/clients/reader.ts"

export interface ReaderCase {
  readonly name: string
  readonly reader: CaptureReader
  /** Writes what the client would into this home folder. */
  readonly record: (home: string) => void
  /** Where to look, for a client without a folder of its own. */
  readonly folders?: (home: string) => readonly string[]
  /** Whether files only ever grow by whole lines, so that reading can go on where it stopped. */
  readonly grows?: boolean
}

export interface AllRead<T> {
  readonly calls: readonly T[]
  readonly notes: readonly Diagnostic[]
  readonly after: Place
}

export async function readAll<T>(reads: AsyncIterable<Read<T>>, from = 0): Promise<AllRead<T>> {
  const calls: T[] = []
  const notes: Diagnostic[] = []
  let after = from
  for await (const read of reads) {
    if (read.kind === "note") notes.push(read.diagnostic)
    else {
      calls.push(read.call)
      expect(read.after).toBeGreaterThan(after)
      after = read.after
    }
  }
  return { calls, notes, after }
}

/** The client's files, as a reader finds them in this home. */
export async function filesIn(
  reader: CaptureReader,
  home: string,
  variables: Record<string, string> = {},
): Promise<readonly CaptureFile[]> {
  const found = await Promise.all(reader.folders({ home, variables }).map((folder) => reader.files(folder)))
  return found.flat()
}

export async function callsIn(reader: CaptureReader, home: string): Promise<readonly CapturedCall[]> {
  const found: CapturedCall[] = []
  for (const file of await filesIn(reader, home)) found.push(...(await readAll(reader.calls(file))).calls)
  return found
}

export function testReader({ name, reader: given, folders: named, record, grows = true }: ReaderCase): void {
  const reader =
    named === undefined ? given : { ...given, folders: ({ home }: { readonly home: string }) => named(home) }
  describe(`the reader of ${name}`, () => {
    const folders: string[] = []
    const recorded = () => {
      const home = mkdtempSync(join(tmpdir(), "reader-"))
      folders.push(home)
      record(home)
      return home
    }
    afterAll(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    })

    test("finds its files, and nothing in an empty home", async () => {
      const home = recorded()
      const files = await filesIn(reader, home)
      expect(files.length).toBeGreaterThan(0)
      for (const file of files) {
        expect(file.client).toBe(reader.client)
        expect(file.bytes).toBe(lstatSync(file.path).size)
        // A file that is named is found as well as its folder is.
        expect(await reader.files(file.path)).toEqual([file])
      }
      expect(await filesIn(reader, join(home, "nobody"))).toEqual([])
    })

    test("reads the same usage with requests and without, with the same ids every time", async () => {
      const home = recorded()
      const ids: string[] = []
      for (const file of await filesIn(reader, home)) {
        const usage = await readAll(reader.usage(file))
        const calls = await readAll(reader.calls(file))
        expect(inOrder(calls.calls.map(usageOf))).toEqual(inOrder(usage.calls))
        if (grows) expect(calls.after).toBe(usage.after)
        expect(usage.notes).toEqual([])
        expect(calls.notes).toEqual([])
        expect((await readAll(reader.usage(file))).calls).toEqual(usage.calls)
        ids.push(...usage.calls.map(({ id }) => id))
        for (const call of calls.calls) {
          expect(call.client).toBe(reader.client)
          expect(call.request === undefined).toBe(call.coverage === "none")
          for (const tokens of [call.usage.uncached, call.usage.read, call.usage.output])
            expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true)
        }
      }
      expect(ids.length).toBeGreaterThan(0)
      expect(new Set(ids).size).toBe(ids.length)
    })

    test("changes nothing in the client's folder", async () => {
      const home = recorded()
      const before = stateOf(home)
      for (const file of await filesIn(reader, home)) {
        await readAll(reader.usage(file))
        await readAll(reader.calls(file))
        // Reading that is given up halfway leaves nothing behind either.
        for await (const _ of reader.calls(file)) break
      }
      expect(stateOf(home)).toEqual(before)
    })

    test("follows no link out, and opens no pipe", async () => {
      const home = recorded()
      const [file] = await filesIn(reader, home)
      if (file === undefined) throw new Error("no file")
      const folder = dirname(file.path)
      // A name that fits as well as the file's own.
      const name = basename(file.path).replace(/(?=\.[a-z]+$)/, "0")
      symlinkSync("/etc/passwd", join(folder, name))
      const before = await filesIn(reader, home)
      rmSync(join(folder, name))
      execFileSync("mkfifo", [join(folder, name)])
      expect(await filesIn(reader, home)).toEqual(before)
      expect(await reader.files(join(folder, name))).toEqual([])
      expect(before.some(({ path }) => path.endsWith(name))).toBe(false)
    })

    if (!grows) return

    test("reads on where it stopped, wherever the file was cut", async () => {
      const home = recorded()
      for (const file of await filesIn(reader, home)) {
        const bytes = readFileSync(file.path)
        const whole = await readAll(reader.usage(file))
        for (const cut of cuts(bytes.length)) {
          writeFileSync(file.path, bytes.subarray(0, cut))
          const first = await readAll(reader.usage(file))
          expect(first.notes).toEqual([])
          appendFileSync(file.path, bytes.subarray(cut))
          const second = await readAll(reader.usage(file, first.after), first.after)
          expect([...first.calls, ...second.calls]).toEqual(whole.calls)
        }
      }
    })

    test("reads past garbage, and says so once", async () => {
      const home = recorded()
      for (const file of await filesIn(reader, home)) {
        const whole = await readAll(reader.calls(file))
        const lines = readFileSync(file.path, "utf8").split("\n").slice(0, -1)
        writeFileSync(
          file.path,
          lines.map((line, at) => `${GARBAGE[at % GARBAGE.length]}\n${line}\n`).join(""),
        )
        const usage = await readAll(reader.usage(file))
        const calls = await readAll(reader.calls(file))
        expect(calls.calls.map(({ id }) => id)).toEqual(whole.calls.map(({ id }) => id))
        expect(usage.calls).toEqual(calls.calls.map(usageOf))
        expect(calls.notes.length).toBeGreaterThan(0)
        const said = calls.notes.map((note) => sentence(note))
        expect(new Set(said).size).toBe(said.length)
      }
    })

    test("a file that shrinks to nothing, or goes, is no failure", async () => {
      const home = recorded()
      for (const file of await filesIn(reader, home)) {
        truncateSync(file.path, 0)
        expect((await readAll(reader.usage(file))).calls).toEqual([])
        rmSync(file.path)
        const { calls, notes } = await readAll(reader.calls(file))
        expect(calls).toEqual([])
        expect(notes.map(({ code }) => code)).toContain("capture-unreadable")
      }
    })
  })
}

/** A database is read in another order with requests than without. */
function inOrder(calls: readonly CalledUsage[]): readonly CalledUsage[] {
  return [...calls].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Lines that no client writes. Some have the words that readers look for. */
const GARBAGE: readonly string[] = [
  '{"type":"event_msg","payload":{"type":"token_count","usage":{',
  "\u0000\u0001 not JSON \u001b[31m",
  '["usage", "message", "tokens"]',
  `{"type":"message","message":{"usage":${"[".repeat(500)}${"]".repeat(500)}}}`,
  "null",
  '"usage"',
  '{"__proto__":{"type":"message","usage":{"input":1}},"type":7,"payload":"token_count","message":[],"usage":true}',
]

/** Every place in a small file; some of them in a larger one. */
function cuts(length: number): readonly number[] {
  const step = Math.max(1, Math.floor(length / 60))
  return Array.from({ length: Math.ceil(length / step) }, (_, at) => at * step)
}

function usageOf(call: CapturedCall): CalledUsage {
  const { id, client, session, project, at, model, usage, reportedUsd } = call
  return {
    ...{ id, client, session, at, model, usage },
    ...("project" in call && { project }),
    ...("reportedUsd" in call && { reportedUsd }),
  }
}

/** Names, bytes, times and modes of everything below a folder. */
function stateOf(folder: string): readonly unknown[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const { mtimeMs, ctimeMs, mode, size, ino } = lstatSync(path)
      const isFile = lstatSync(path).isFile()
      return { name, mtimeMs, ctimeMs, mode, size, ino, text: isFile ? readFileSync(path, "latin1") : "" }
    })
}
