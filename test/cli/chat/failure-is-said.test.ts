import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import { IncipitError } from "../../../src/base/error.ts"
import { failureText } from "../../../src/cli/chat/failure.ts"

/** What SQLite says of a statement, in a file that has no room for more. */
function failureOf(sql: string): unknown {
  const database = new DatabaseSync(":memory:")
  database.exec("PRAGMA max_page_count = 3; CREATE TABLE kept (text TEXT UNIQUE)")
  try {
    database.exec(sql)
  } catch (error) {
    return error
  } finally {
    database.close()
  }
  return undefined
}

test("a disk that is full is said, and is no end of the chat", () => {
  expect(failureText(failureOf("INSERT INTO kept VALUES (hex(zeroblob(10000)))"))).toBe(
    "this cannot be saved: database or disk is full. Check the folder, its permissions and the free disk space. If the file is damaged, move it away.",
  )
})

test("help about a command line is left out", () => {
  expect(failureText(new IncipitError("bad-argument", "there is no such\u0007 tool"))).toBe(
    "there is no such\\u0007 tool",
  )
})

test("a mistake of our own is none of it", () => {
  expect([
    failureText(failureOf("INSERT INTO kept VALUES ('a'), ('a')")),
    failureText(failureOf("INSERT INTO nowhere VALUES (1)")),
    failureText(new TypeError("no")),
  ]).toEqual([undefined, undefined, undefined])
})
