// A long conversation: earlier messages on demand, without moving what one reads.
import { expect, test } from "vitest"
import { clientOf, OPERATOR } from "../serve/api/api-client.ts"
import { openChatWorld } from "./chat-world.ts"

const TURNS = 70

test("earlier messages are read on demand, and what is on the screen stays where it is", async () => {
  const world = await openChatWorld({
    files: { "AGENTS.md": "Keep the lamp lit.\n" },
    script: ({ message }) => `You said: ${message}`,
  })
  const client = await clientOf(world, OPERATOR)
  const { session } = (await client.post("/api/sessions", { text: "words number 0" })).json
  for (let at = 1; at < TURNS; at += 1)
    await client.post(`/api/sessions/${session}/messages`, { text: `words number ${at}` })
  const { page, turns, ask } = await world.page({ at: `/?session=${session}` })
  await page.getByText(`You said: words number ${TURNS - 1}`).waitFor()
  expect(await turns.count()).toBeLessThan(TURNS)
  const scroller = page.getByRole("group", { name: "Conversation" })
  await scroller.evaluate((element) => {
    element.scrollTop = 0
  })
  const first = turns.first()
  const text = await first.innerText()
  const before = (await first.boundingBox())?.y ?? 0
  await page.getByRole("button", { name: "Earlier messages" }).click()
  await expect.poll(() => turns.count()).toBe(TURNS)
  const same = turns.nth(TURNS - 50)
  await expect.poll(async () => Math.abs(((await same.boundingBox())?.y ?? 0) - before)).toBeLessThan(60)
  expect(await same.innerText()).toBe(text)
  // What came before stays when the end is read again.
  await ask("one more")
  expect(await turns.count()).toBe(TURNS + 1)
  expect(await turns.first().innerText()).toContain("words number 0")
})

test("the list keeps all sessions that were read, also when a new one pushes others off its first page", async () => {
  const world = await openChatWorld({ files: { "AGENTS.md": "Keep the lamp lit.\n" }, script: () => "Lit." })
  const client = await clientOf(world, OPERATOR)
  const begin = (at: number) => client.post("/api/sessions", { text: `Is lamp number ${at} lit by now?` })
  for (let at = 0; at < 53; at += 1) await begin(at)
  const { page, turns, ask } = await world.page()
  await page.getByRole("button", { name: "Older sessions" }).click()
  const links = page.locator(".session-link")
  await expect.poll(() => links.count()).toBe(53)
  await begin(53)
  await expect.poll(() => links.count()).toBe(54)
  // One that is used again is the first, wherever it was.
  await links.last().click()
  await turns.first().waitFor()
  await ask("And now?")
  await expect.poll(() => links.first().innerText()).toContain("Is lamp number 0 lit by now?")
  expect(await links.count()).toBe(54)
  expect(await links.first().locator("span").first().getAttribute("title")).toBe(
    "Is lamp number 0 lit by now?",
  )
})
