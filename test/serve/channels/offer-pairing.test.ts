// A stranger's code is made when it is sent: no disk has it, and one that may not have arrived is no longer valid.
import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import type { Channel } from "../../../src/serve/channels/channel.ts"
import { offerPairing, readyPart } from "../../../src/serve/channels/offer-pairing.ts"
import { testStore } from "../../agent/world/temporary-store.ts"

const CHANNEL: Channel = {
  name: "list",
  parts: (text) => [JSON.stringify(text)],
  send: async () => undefined,
}
const MESSAGE = {
  ...{ place: { channel: "list:66" }, sender: "list:66", text: "hello" },
  ...{ isRoom: false, isAddressed: true },
}

test("each attempt to send it has a new code, and only the last one pairs", async () => {
  const { store, database } = testStore()
  for (let times = 0; times < 3; times += 1) await offerPairing(store, { channel: CHANNEL, message: MESSAGE })
  const delivery = await store.deliveries.take("list", 0)
  expect(await store.deliveries.take("list", 0)).toMatchObject({ id: delivery?.id })
  const code = async () => {
    const part = await readyPart(store.pairings, CHANNEL, delivery?.body ?? "")
    return part && /: ([A-Z2-9]{8})"$/.exec(part.body)?.[1]
  }
  const [first = "", second = ""] = [await code(), await code()]
  expect([first.length, second.length, first === second]).toEqual([8, 8, false])
  const stored = JSON.stringify(
    ["deliveries", "pairings"].map((table) => database.all(`SELECT * FROM ${table}`)),
  )
  expect([stored.includes(first), stored.includes(second)]).toEqual([false, false])
  const confirm = (given: string) =>
    store.pairings.confirm({
      ...{ hash: createHash("sha256").update(given).digest("hex"), user: "bo", mostWrong: 5 },
    })
  expect(await confirm(first)).toBe(undefined)
  expect(await confirm(second)).toMatchObject({ channel: "list", sender: "66", user: "bo" })
  // The owner was faster than another attempt.
  expect(await code()).toBe(undefined)
})
