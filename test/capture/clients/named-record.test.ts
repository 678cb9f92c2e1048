// Our own record in a folder that somebody names, which may have come from elsewhere: read like any client's files,
// without a trace beside it.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { NAMED_RECORD } from "../../../src/capture/clients/incipit-record.ts"
import { callOf, openIn } from "../keep/captured-calls.ts"
import { filesIn, readAll, testReader } from "./reader-contract.ts"

const made = mkdtempSync(join(tmpdir(), "incipit-named-"))
afterAll(() => rmSync(made, { recursive: true, force: true }))
const { captures } = openIn({ folder: made })
for (const id of ["1", "2", "3"])
  await captures.keep(callOf({ id, client: "incipit", request: { system: id, messages: [] } }))
await captures.close()

const STATE = ".local/state/incipit"

testReader({
  ...{ name: "a record in a named folder", reader: NAMED_RECORD, grows: false },
  record: (home) => cpSync(made, join(home, STATE), { recursive: true }),
})

test.for([
  ["a link to another file", (path: string) => symlinkSync("/etc/hostname", path), "a link is in the way"],
  [
    "another program's file",
    (path: string) => writeFileSync(path, "not a database"),
    "file is not a database",
  ],
] as const)("%s in place of a record is named by its own path", async ([, plant, why]) => {
  const home = mkdtempSync(join(made, "home-"))
  const path = join(home, STATE, "captures", "record.db")
  mkdirSync(join(path, ".."), { recursive: true })
  plant(path)
  const [file] = await filesIn(NAMED_RECORD, home)
  if (file === undefined) throw new Error("no file")
  const { calls, notes } = await readAll(NAMED_RECORD.calls(file))
  const said = `${path}: This file cannot be read (${why}). Its calls are missing.`
  expect([calls, notes.map((note) => sentence(note))]).toEqual([[], [said]])
})
