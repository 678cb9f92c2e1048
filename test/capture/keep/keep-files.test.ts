// `incipit capture` reads each file once: what is new is added, and a file that was replaced or cut doubles nothing.
import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { captureFile } from "../../../src/capture/clients/client-files.ts"
import type { CaptureReader } from "../../../src/capture/clients/reader.ts"
import { keepFiles } from "../../../src/capture/keep/keep-files.ts"
import { callOf, NOON, newFolder, openIn, readCalls } from "./captured-calls.ts"

/** One id a line; the place is the number of lines. */
function lineReader(read: string[]): CaptureReader {
  return {
    ...{ client: "other", title: "Lines", folders: () => [], files: async () => [] },
    async *usage() {},
    async *calls({ path }) {
      read.push(path)
      const ids = readFileSync(path, "utf8").split("\n").slice(0, -1)
      for (const [at, id] of ids.entries()) yield { kind: "call", call: callOf({ id }), after: at + 1 }
    },
  }
}

test("a second run reads only what is new; a file that was cut or replaced starts over", async () => {
  const folder = newFolder()
  const path = join(folder, "calls.txt")
  const read: string[] = []
  const reader = lineReader(read)
  const capture = async () => {
    const { files, captures } = openIn({ folder })
    const file = captureFile(path, "other")
    if (file === undefined) throw new Error("there is no file")
    const kept = await keepFiles([{ reader, file }], { captures, since: 0, placesFile: files.places })
    await captures.close()
    return [kept.calls, kept.filesRead]
  }
  writeFileSync(path, "one\ntwo\n")
  expect(await capture()).toEqual([2, 1])
  expect(await capture()).toEqual([0, 0])
  appendFileSync(path, "three\n")
  expect(await capture()).toEqual([1, 1])
  writeFileSync(path, "one\nfour\n")
  expect(await capture()).toEqual([1, 1])
  writeFileSync(`${path}.new`, "one\ntwo\nthree\nfour\nfive\n")
  renameSync(`${path}.new`, path)
  expect(await capture()).toEqual([1, 1])
  expect((await readCalls(folder)).map(({ id }) => id)).toEqual(["one", "two", "three", "four", "five"])
  expect(read).toHaveLength(4)
  expect(statSync(join(folder, "captures", "places.json")).mode & 0o777).toBe(0o600)
})

test("calls before the given moment are left out", async () => {
  const folder = newFolder()
  const path = join(folder, "calls.txt")
  writeFileSync(path, "one\n")
  const { files, captures } = openIn({ folder })
  const file = captureFile(path, "other")
  if (file === undefined) throw new Error("there is no file")
  const found = [{ reader: lineReader([]), file }]
  const kept = await keepFiles(found, { captures, since: NOON + 1, placesFile: files.places })
  await captures.close()
  expect(kept.calls).toBe(0)
})

test("a call that the proxy has captured is not kept again under the id of the client's own file", async () => {
  const folder = newFolder()
  const path = join(folder, "calls.txt")
  writeFileSync(path, "own-1\nown-2\n")
  const { files, captures } = openIn({ folder })
  await captures.keep(callOf({ id: "msg_wire", client: "opencode", via: "wire", at: NOON - 900 }))
  await captures.recorder.flush()
  const file = captureFile(path, "other")
  if (file === undefined) throw new Error("there is no file")
  const plain = lineReader([])
  const reader: CaptureReader = {
    ...plain,
    async *calls(place) {
      for await (const read of plain.calls(place))
        yield read.kind === "call" ? { ...read, call: { ...read.call, client: "opencode" } } : read
    },
  }
  const kept = await keepFiles([{ reader, file }], { captures, since: 0, placesFile: files.places })
  await captures.close()
  expect(kept.calls).toBe(1)
  expect((await readCalls(folder)).map(({ id }) => id)).toEqual(["msg_wire", "own-2"])
})
