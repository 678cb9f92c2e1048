// Updates of Telegram come from outside: whatever they hold, they are read or left, and nothing breaks.
import fc from "fast-check"
import { expect, test } from "vitest"
import { incoming } from "../../../src/serve/channels/telegram/incoming.ts"
import { readUpdate } from "../../../src/serve/channels/telegram/update.ts"

const BOT = { id: 99, username: "lamp_bot", seesAll: false }
const API = { download: () => Promise.reject(new Error("nothing is loaded here")) }

/** A field as Telegram sends it, or anything else. */
const or = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: usual }, fc.jsonValue({ maxDepth: 2 }))
const id = or(fc.integer({ min: -1_000, max: 1_000 }))
const person = or(
  fc.record({ id, is_bot: or(fc.boolean()), first_name: or(fc.string()) }, { requiredKeys: [] }),
)
const file = or(
  fc.record(
    { file_id: or(fc.string()), width: id, height: id, mime_type: or(fc.string()) },
    { requiredKeys: [] },
  ),
)
const message = or(
  fc.record(
    {
      message_id: id,
      chat: or(
        fc.record({ id, type: or(fc.constantFrom("private", "group", "channel")) }, { requiredKeys: [] }),
      ),
      ...{ from: person, sender_chat: person, text: or(fc.string()), caption: or(fc.string()) },
      entities: or(
        fc.array(or(fc.record({ type: or(fc.constant("mention")), offset: id, length: id, user: person }))),
      ),
      ...{ photo: or(fc.array(file)), document: file, reply_to_message: person, forward_origin: person },
      ...{ edit_date: id, migrate_to_chat_id: id, message_thread_id: id, is_topic_message: or(fc.boolean()) },
    },
    { requiredKeys: [] },
  ),
)
const update = or(
  fc.record(
    { update_id: id, message, edited_message: message, callback_query: person },
    { requiredKeys: [] },
  ),
)

test("any update is read or left", () => {
  fc.assert(
    fc.property(update, (given) => {
      const read = readUpdate(given)?.message
      const taken = read && incoming(read, BOT, API)
      if (taken === undefined) return
      expect([taken.place.channel, taken.sender].every((one) => /^telegram:-?\d+$/.test(one))).toBe(true)
      expect(taken.text !== "" || (taken.files ?? []).length > 0).toBe(true)
    }),
    { numRuns: 500 },
  )
})
