// 0.1 recorded diagnostics under the type `finding`. A record that is only read is not migrated, so both names are read.
import { expect, test } from "vitest"
import { queryEvents } from "../../../src/record/ask/logs.ts"
import { seenEvents } from "../../../src/record/ask/visibility.ts"
import { openRecord } from "../../../src/record/write/record.ts"
import { NOON, openFile, openStore, recordFile } from "../record-file.ts"

async function earlier() {
  const path = recordFile()
  const record = openRecord(path)
  record.append({
    type: "diagnostic",
    at: NOON,
    trust: "public",
    session: "s",
    user: "bo",
    data: { code: "old", text: "disk full" },
  })
  record.append({ type: "message_sent", at: NOON, trust: "public" })
  await record.close()
  const database = openFile(path)
  database.run("UPDATE events SET event_type = 'finding' WHERE event_type = 'diagnostic'")
  return openStore(path)
}

test("they are found by the new name, and have it", async () => {
  const store = await earlier()
  const codes = async (text?: string) =>
    (await queryEvents(store, { types: ["diagnostic"], ...(text !== undefined && { text }) })).map(
      ({ type, data }) => [type, data?.code],
    )
  expect([await codes(), await codes("disk")]).toEqual([[["diagnostic", "old"]], [["diagnostic", "old"]]])
})

test("people who may not read reasons get none of theirs", async () => {
  const store = await earlier()
  const read = async (trust: "full" | "public") => {
    const sight = { trust, session: "s", user: "bo" }
    const found = await seenEvents(store, { types: ["finding"], sight, order: "oldest", limit: 9 })
    return found.map(({ data }) => data)
  }
  expect([await read("public"), await read("full")]).toEqual([
    [{ code: "old" }],
    [{ code: "old", text: "disk full" }],
  ])
})
