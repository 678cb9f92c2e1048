// No words are lost: those that were stopped before they were answered, sent after a sign-in has ended, sent to a session
// that is gone, or sent over a connection that ended.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page, Route } from "playwright-core"
import { expect, test } from "vitest"
import { server } from "../agent/world/agent-world.ts"
import { modelAt } from "../agent/world/ask-model.ts"
import { openChatWorld } from "./chat-world.ts"

const INSTRUCTIONS = { "AGENTS.md": "Keep the lamp lit.\n" }
const ECHO = { files: INSTRUCTIONS, script: ({ message }: { message: string }) => `You said: ${message}` }

/** The first answer is held back, so that what follows waits. */
async function openBusyWorld() {
  const provider = await server(({ calls }) => ({
    ...{ kind: "reply", parts: [{ text: `Answer ${calls}.` }] },
    ...(calls === 1 && { slow: true }),
  }))
  const world = await openChatWorld({ files: INSTRUCTIONS, script: await modelAt(provider, "anthropic") })
  const chat = await world.page()
  await chat.say("What about the lamp, please?")
  await provider.held()
  await expect.poll(() => new URL(chat.page.url()).searchParams.get("session")).not.toBe(null)
  return { ...chat, provider }
}

function pending(page: Page) {
  return page.getByRole("article", { name: "Message that is on its way" })
}

test("messages that waited when the answer was stopped stay, also after a reload, and are sent again", async () => {
  const { page, say, field, turns, provider } = await openBusyWorld()
  await say("And what about the glass?")
  await say("And what about the wick?")
  await expect.poll(() => page.getByText("Waits until the agent has answered.").count()).toBe(2)
  await page.getByRole("button", { name: "Stop" }).click()
  const stopped = pending(page).filter({ hasText: "Stopped before it was answered." })
  await expect.poll(() => stopped.count()).toBe(2)
  provider.release(1_000)
  await page.reload()
  await expect.poll(() => stopped.count()).toBe(2)
  await stopped.first().getByRole("button", { name: "Send again" }).click()
  await expect.poll(() => stopped.count()).toBe(1)
  await page.locator(".answer", { hasText: "Answer 2." }).waitFor()
  expect(await turns.last().locator(".said").innerText()).toContain("And what about the")
  // What is being written stays.
  await field.fill("half a thou")
  await stopped.getByRole("button", { name: "Edit" }).click()
  expect(await field.inputValue()).toMatch(/^And what about the (?:glass|wick)\?\n\nhalf a thou$/)
  await page.reload()
  await turns.last().waitFor()
  expect(await pending(page).count()).toBe(0)
})

test("a message that waits outlives a reload, and is answered once", async () => {
  const { page, say, settled, provider } = await openBusyWorld()
  await say("And what about the glass?")
  await page.getByText("Waits until the agent has answered.").waitFor()
  await page.reload()
  await pending(page).filter({ hasText: "And what about the glass?" }).waitFor()
  provider.release(1_000)
  await settled(2)
  expect(await page.locator(".said").allInnerTexts()).toEqual([
    "What about the lamp, please?",
    "And what about the glass?",
  ])
})

test("what is sent after the sign-in has ended is in the field again after the next one", async () => {
  const world = await openChatWorld(ECHO)
  const { page, field, ask, say } = await world.page({ provoked: /status of 401|EventSource|MIME type/ })
  await ask("about the lamp today")
  const session = page.url()
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await say("words that took an hour")
  await page.waitForURL(/\/login\?next=/)
  await page.context().addCookies(cookies)
  await page.goto(session)
  await field.waitFor()
  await expect.poll(() => field.inputValue()).toBe("words that took an hour")
})

test("a session that is gone offers no field, and what was sent to it can be sent again", async () => {
  const world = await openChatWorld(ECHO)
  const { page, field, say } = await world.page({ provoked: /status of 404/ })
  let isHeld = true
  const held: Route[] = []
  await page.route("**/api/sessions/gone?*", (route) => (isHeld ? void held.push(route) : route.continue()))
  await page.goto(`${world.url}/?session=gone`)
  await say("are you there?")
  await pending(page).getByText("Not sent: This session belongs to somebody else").waitFor()
  isHeld = false
  for (const route of held) await route.continue()
  await page.getByText("That didn't work").waitFor()
  expect(await field.count()).toBe(0)
  expect(await pending(page).innerText()).toContain("are you there?")
  expect(await pending(page).getByRole("button", { name: "Send again" }).isVisible()).toBe(true)
})

test("a message stays until the server has said what became of it, whatever its headers say", async () => {
  const world = await openChatWorld(ECHO)
  const { page, ask, say, settled } = await world.page()
  await ask("about the lamp today")
  const bodies: string[] = [": waiting\n\n"]
  await page.route("**/api/sessions/*/messages", async (route) => {
    const headers = { "content-type": "text/event-stream" }
    const [body] = bodies.splice(0, 1)
    if (body !== undefined) return route.fulfill({ status: 200, headers, body })
    const answer = await route.fetch()
    return route.fulfill({ status: 200, headers, body: await answer.text() })
  })
  await say("about the glass today")
  await pending(page).getByText("Not sent: The server ended the connection").waitFor()
  await pending(page).getByRole("button", { name: "Send again" }).click()
  await settled(2)
  expect(await pending(page).count()).toBe(0)
  expect(await page.locator(".said").allInnerTexts()).toEqual([
    "about the lamp today",
    "about the glass today",
  ])
  bodies.push('event: error\ndata: {"error":{"code":"failed","message":"The lamp fell."}}\n\n')
  await say("about the wick today")
  await pending(page).getByText("Not sent: The lamp fell.").waitFor()
})

test("a message that is answered after a warning is neither failed nor lost", async () => {
  const world = await openChatWorld(ECHO)
  const { page, say, turns } = await world.page()
  // The configuration as it was before applies, and the sender is told first.
  writeFileSync(join(world.workspace, "incipit.yaml"), "users: [broken\n")
  await say("What about the lamp, please?")
  await page.locator(".answer", { hasText: "You said: What about the lamp, please?" }).waitFor()
  await expect.poll(() => turns.count()).toBe(1)
  expect(new URL(page.url()).searchParams.get("session")).not.toBe(null)
  expect(await pending(page).count()).toBe(0)
  expect(await page.getByRole("button", { name: "Send again" }).count()).toBe(0)
})

test("what was not sent is not there for whoever signs in next", async () => {
  const world = await openChatWorld(ECHO)
  const { page, field } = await world.page()
  await field.fill("a secret")
  const kept = () => page.evaluate(() => JSON.stringify(sessionStorage))
  await expect.poll(kept).toContain("a secret")
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByLabel("One-time code").waitFor()
  expect(await kept()).toBe("{}")
})
