// Changing what was said: edit and send again, regenerate, branch; stopping; messages that wait or could not be sent.
import { expect, test } from "vitest"
import { server } from "../agent/world/agent-world.ts"
import { modelAt } from "../agent/world/ask-model.ts"
import { openChatWorld } from "./chat-world.ts"

const INSTRUCTIONS = { "AGENTS.md": "Keep the lamp lit.\n" }
const ECHO = { files: INSTRUCTIONS, script: ({ message }: { message: string }) => `You said: ${message}` }

function sessionIn(url: string): string | null {
  return new URL(url).searchParams.get("session")
}

test("an earlier message is changed and sent again in a branch, and the old conversation stays", async () => {
  const world = await openChatWorld(ECHO)
  const { page, ask, field, turns, settled, answer } = await world.page()
  await ask("first words")
  await ask("second words")
  const old = sessionIn(page.url())
  await turns.first().getByRole("button", { name: "Edit" }).click()
  expect(await field.inputValue()).toBe("first words")
  expect(await page.getByText("Sending this begins a branch.").isVisible()).toBe(true)
  await field.press("Escape")
  expect(await field.inputValue()).toBe("")
  await turns.first().getByRole("button", { name: "Edit" }).click()
  await field.fill("other words")
  await field.press("Enter")
  await expect.poll(() => sessionIn(page.url())).not.toBe(old)
  await expect.poll(() => answer.innerText()).toBe("You said: other words")
  await page.locator('article.turn[aria-busy="true"]').waitFor({ state: "detached" })
  expect(await page.locator(".said").allInnerTexts()).toEqual(["other words"])
  await page.goBack()
  await settled(2)
  expect(await page.locator(".said").allInnerTexts()).toEqual(["first words", "second words"])
})

test("the arrow up takes the last message again; branching keeps what came before", async () => {
  const world = await openChatWorld(ECHO)
  const { page, ask, field, turns, settled } = await world.page()
  await ask("first words")
  await ask("second words")
  await field.press("ArrowUp")
  expect(await field.inputValue()).toBe("second words")
  await field.press("Escape")
  // What was being written comes back.
  await field.fill("half a thou")
  await turns.first().getByRole("button", { name: "Edit" }).click()
  expect(await field.inputValue()).toBe("first words")
  await page.getByRole("button", { name: "Cancel" }).click()
  expect(await field.inputValue()).toBe("half a thou")
  const old = sessionIn(page.url())
  await turns.first().getByRole("button", { name: "Branch" }).click()
  await expect.poll(() => sessionIn(page.url())).not.toBe(old)
  await settled(1)
  await ask("third words")
  await expect.poll(() => page.locator(".said").allInnerTexts()).toEqual(["first words", "third words"])
  expect(await page.locator(".line", { hasText: "The conversation went back to here." }).isVisible()).toBe(
    true,
  )
})

test("the last answer is made again", async () => {
  const provider = await server(({ calls }) => ({ kind: "reply", parts: [{ text: `Answer ${calls}.` }] }))
  const world = await openChatWorld({ files: INSTRUCTIONS, script: await modelAt(provider, "anthropic") })
  const { page, ask, turns, answer } = await world.page()
  await ask("What about the lamp then?")
  expect(await answer.innerText()).toBe("Answer 1.")
  await turns.last().getByRole("button", { name: "Regenerate" }).click()
  await expect.poll(() => answer.innerText()).toBe("Answer 2.")
  expect(await page.locator(".said").allInnerTexts()).toEqual(["What about the lamp then?"])
})

test("Escape stops an answer, and what was written stays", async () => {
  const parts = Array.from({ length: 50 }, (_, at) => ({ text: `word${at} ` }))
  const provider = await server([{ kind: "reply", parts, slow: true }])
  const world = await openChatWorld({ files: INSTRUCTIONS, script: await modelAt(provider, "anthropic") })
  const { page, say, field, settled } = await world.page()
  await say("Tell me all the words, please.")
  await expect
    .poll(() => {
      provider.release()
      return page.locator(".turns").innerText()
    })
    .toContain("word3")
  await field.press("Escape")
  await settled(1)
  const text = await page.locator(".turns").innerText()
  expect(text).toContain("word3")
  expect(text).toContain("Stopped.")
  expect(text).not.toContain("word49")
})

test("a message that was sent during an answer waits, says so, and is answered after it", async () => {
  const provider = await server(({ calls }) => ({
    ...{ kind: "reply", parts: [{ text: `Answer ${calls}.` }] },
    ...(calls === 1 && { slow: true }),
  }))
  const world = await openChatWorld({ files: INSTRUCTIONS, script: await modelAt(provider, "anthropic") })
  const { page, say, settled } = await world.page()
  await say("What about the lamp, please?")
  await provider.held()
  await expect.poll(() => sessionIn(page.url())).not.toBe(null)
  await say("And what about the glass?")
  await page.getByText("Waits until the agent has answered.").waitFor()
  provider.release(100)
  await settled(2)
  expect(await page.locator(".said, .answer").allInnerTexts()).toEqual([
    ...["What about the lamp, please?", "Answer 1."],
    ...["And what about the glass?", "Answer 2."],
  ])
})

test("a message that could not be sent says so, and is answered once when it is sent again", async () => {
  const world = await openChatWorld(ECHO)
  const { page, say, settled, field } = await world.page({ provoked: /ERR_CONNECTION_RESET|status of 503/ })
  const keys: (string | undefined)[] = []
  let isCut = true
  await page.route("**/api/sessions", async (route) => {
    if (route.request().method() !== "POST") return route.continue()
    keys.push(route.request().headers()["idempotency-key"])
    if (!isCut) return route.continue()
    // It reaches the server, and its answer is lost.
    await route.fetch()
    await route.abort("connectionreset")
  })
  await say("are you there at all?")
  await page.getByText("Not sent: The server cannot be reached.").waitFor()
  isCut = false
  await page.getByRole("button", { name: "Send again" }).click()
  await settled(1)
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect(await page.locator(".session-link").count()).toBe(1)
  expect(await page.locator(".said, .answer").allInnerTexts()).toEqual([
    ...["are you there at all?", "You said: are you there at all?"],
  ])
  isCut = true
  await page.locator("#view").press("N")
  await page.unroute("**/api/sessions")
  await page.route("**/api/sessions", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({
          status: 503,
          json: { error: { code: "busy", message: "Try again in a few seconds." } },
        })
      : route.continue(),
  )
  await say("and now?")
  await page.getByText("Not sent: Try again in a few seconds.").waitFor()
  await page.getByRole("button", { name: "Edit" }).click()
  expect(await field.inputValue()).toBe("and now?")
})

test("on a phone, the list of sessions opens above the conversation, and Escape only closes it", async () => {
  const world = await openChatWorld(ECHO)
  const { page, ask, field, turns } = await world.page({ width: 360, height: 640 })
  await ask("about the lamp today")
  const open = page.getByRole("button", { name: "Sessions" })
  const list = page.getByRole("dialog", { name: "Sessions" })
  await open.click()
  await list.waitFor()
  await page.keyboard.press("Escape")
  await list.waitFor({ state: "detached" })
  await open.click()
  await list.getByRole("link", { name: "New session" }).click()
  await list.waitFor({ state: "detached" })
  expect(await turns.count()).toBe(0)
  await field.fill("kept")
  await open.click()
  await list.getByRole("link", { name: "about the lamp today" }).click()
  await turns.first().waitFor()
  expect(await field.inputValue()).toBe("")
})

test("sessions are found by their words, and keys lead through the messages", async () => {
  const world = await openChatWorld(ECHO)
  const { page, ask, settled } = await world.page()
  for (const words of ["about the lamp today", "about the glass today"]) {
    await ask(words)
    await page.locator("#view").press("N")
    await page.getByRole("heading", { name: "Try one of these" }).waitFor()
  }
  const links = page.locator(".session-link")
  await expect
    .poll(() => links.locator("span:first-child").allInnerTexts())
    .toEqual([...["about the glass today", "about the lamp today"]])
  await page.getByRole("searchbox", { name: "Search sessions" }).fill("LAMP to")
  await expect.poll(() => links.count()).toBe(1)
  await links.first().click()
  await settled(1)
  await page.locator("#view").press("j")
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe("turn")
  await page.keyboard.press("?")
  expect(await page.getByRole("dialog", { name: "Keys" }).innerText()).toMatch(
    /Shift Enter[\s\S]*begin a new line/,
  )
})
