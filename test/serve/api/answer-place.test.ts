// Where an answer is: the headers of a stream name its session and turn, whatever the turn begins with.
import { expect, test } from "vitest"
import { refuse, say } from "../../agent/world/agent-world.ts"
import { openPageWorld, type PageWorld } from "../page/page-world.ts"

/** As the owner. */
async function send({ url, token }: PageWorld, path: string) {
  const response = await fetch(`${url}/api/sessions${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await token(undefined)}`,
      accept: "text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({ text: "when is high water?" }),
  })
  const text = await response.text()
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data))
  const place = ["session", "turn"].map((name) => response.headers.get(`x-incipit-${name}`))
  const { session, turn } = events.at(-1).reply
  return { kinds: events.map(({ kind }) => kind), session, place, told: [session, turn] }
}

test("a message to an agent whose configuration cannot be read", async () => {
  const world = await openPageWorld({ scripts: [say("High water at two.")] })
  world.write("incipit.yaml", "users: [broken\n")
  const { kinds, place, told } = await send(world, "")
  expect(kinds.slice(0, 2)).toEqual(["diagnostic", "turn-started"])
  expect(place).toEqual(told)
  // Once: the next message goes on with the last good one.
  expect((await send(world, "")).kinds[0]).toBe("turn-started")
})

test("a message to a session that a provider asked to wait", async () => {
  const world = await openPageWorld({ scripts: [refuse(429, { "retry-after": "3600" })] })
  const { session } = await send(world, "")
  const { kinds, place, told } = await send(world, `/${session}/messages`)
  expect(kinds).toEqual(["queued", "turn-finished"])
  expect(place).toEqual(told)
})
