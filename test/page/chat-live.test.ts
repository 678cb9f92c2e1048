// What happens elsewhere appears in the chat: another browser, another client, a connection that was gone, and what the
// agent says beside its answer. What a reader may not see does not.
import { expect, test } from "vitest"
import { refuse, say as saying, server } from "../agent/world/agent-world.ts"
import { modelAt } from "../agent/world/ask-model.ts"
import { clientOf, OPERATOR } from "../serve/api/api-client.ts"
import { openChatWorld } from "./chat-world.ts"

const INSTRUCTIONS = { "AGENTS.md": "Keep the lamp lit.\n" }
const ECHO = { files: INSTRUCTIONS, script: ({ message }: { message: string }) => `You said: ${message}` }

test("two browsers in one session show the same, as it happens", async () => {
  const world = await openChatWorld(ECHO)
  const one = await world.page()
  await one.ask("from the first browser")
  const at = `/${new URL(one.page.url()).search}`
  const other = await world.page({ at })
  await other.settled(1)
  await other.ask("from the second browser")
  await one.settled(2)
  const texts = (chat: typeof one) => chat.page.locator(".said, .answer").allInnerTexts()
  const all = [
    ...["from the first browser", "You said: from the first browser"],
    ...["from the second browser", "You said: from the second browser"],
  ]
  await expect.poll(() => texts(one)).toEqual(all)
  expect(await texts(other)).toEqual(all)
})

test("a session that another client continues is continued on the screen, and so is the list", async () => {
  const world = await openChatWorld(ECHO)
  const { page, ask, settled } = await world.page()
  await ask("from the browser")
  const session = new URL(page.url()).searchParams.get("session")
  const client = await clientOf(world, OPERATOR)
  await client.post(`/api/sessions/${session}/messages`, { text: "from a program" })
  await settled(2)
  await expect
    .poll(() => page.locator(".said, .answer").allInnerTexts())
    .toEqual([
      ...["from the browser", "You said: from the browser"],
      ...["from a program", "You said: from a program"],
    ])
  await client.post("/api/sessions", { text: "begun by a program" })
  await page.getByRole("link", { name: "begun by a program" }).waitFor()
})

test("an answer that came before the page could hear of it is shown once it can", async () => {
  const world = await openChatWorld(ECHO)
  const { page, ask, say, settled } = await world.page()
  await ask("before")
  const connect = Promise.withResolvers<void>()
  await page.route("**/api/events", async (route) => {
    await connect.promise
    await route.continue()
  })
  await page.reload()
  await settled(1)
  const begun = page.waitForResponse((response) => response.url().endsWith("/messages"))
  await say("while nothing is heard")
  await begun
  const session = new URL(page.url()).searchParams.get("session")
  const client = await clientOf(world, OPERATOR)
  await expect
    .poll(async () => JSON.stringify((await client.get(`/api/sessions/${session}`)).json))
    .toContain("You said: while nothing is heard")
  connect.resolve()
  await page.getByText("You said: while nothing is heard").waitFor()
  await settled(2)
})

test("what was missed while the connection was gone is read", async () => {
  const world = await openChatWorld(ECHO)
  const { page, ask, settled } = await world.page()
  await ask("before")
  const session = new URL(page.url()).searchParams.get("session")
  // As a server that has forgotten its events does.
  await page.route("**/api/events", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: "event: missed\ndata: {}\n\n" }),
  )
  await page.reload()
  await settled(1)
  await page.getByText("Connection lost. Connecting again").waitFor()
  const client = await clientOf(world, OPERATOR)
  await client.post(`/api/sessions/${session}/messages`, { text: "in the meantime" })
  await page.unroute("**/api/events")
  await settled(2)
  await expect
    .poll(() => page.locator(".said, .answer").allInnerTexts())
    .toEqual([...["before", "You said: before"], ...["in the meantime", "You said: in the meantime"]])
})

test.each(["that the server still has", "of another process"])(
  "an answer %s is whole although the page is loaded again while it is written",
  async (which) => {
    const parts = Array.from({ length: 30 }, (_, at) => ({ text: `word${at} ` }))
    const provider = await server([{ kind: "reply", parts, slow: true }])
    const world = await openChatWorld({ files: INSTRUCTIONS, script: await modelAt(provider, "anthropic") })
    const { page, say, settled, answer } = await world.page()
    await say("Tell me all the words, please.")
    await expect
      .poll(() => {
        provider.release()
        return page.locator(".turns").innerText()
      })
      .toContain("word5")
    if (which === "of another process")
      await page.route("**/api/events", (route) =>
        // The server sends only what comes from now on.
        route.continue({ headers: { ...route.request().headers(), "last-event-id": "unknown" } }),
      )
    await page.reload()
    // What was written before is there before anything else comes.
    if (which === "that the server still has") await expect.poll(() => answer.innerText()).toContain("word5")
    await page.locator(".said").waitFor()
    await expect
      .poll(() => {
        provider.release()
        return page.locator(".turns").innerText()
      })
      .toContain("word20")
    provider.release(100)
    await settled(1)
    await expect
      .poll(async () => (await answer.innerText()).split(/\s+/))
      .toEqual(parts.map(({ text }) => text.trim()))
    expect(await page.locator(".said").allInnerTexts()).toEqual(["Tell me all the words, please."])
  },
)

test("an answer is whole after the browser has given up its connection", async () => {
  const parts = Array.from({ length: 30 }, (_, at) => ({ text: `word${at} ` }))
  const provider = await server([{ kind: "reply", parts, slow: true }])
  const world = await openChatWorld({ files: INSTRUCTIONS, script: await modelAt(provider, "anthropic") })
  const { page, say, settled, answer } = await world.page()
  await page.addInitScript(() => {
    const Browsers = EventSource
    window.EventSource = class extends Browsers {
      constructor(url: string | URL) {
        super(url)
        document.addEventListener("give-up", () => {
          this.close()
          this.dispatchEvent(new Event("error"))
        })
      }
    }
  })
  await page.reload()
  await say("Tell me all the words, please.")
  await expect
    .poll(() => {
      provider.release()
      return page.locator(".turns").innerText()
    })
    .toContain("word5")
  await page.evaluate(() => document.dispatchEvent(new Event("give-up")))
  const lost = page.getByText("Connection lost. Connecting again")
  await lost.waitFor()
  await lost.waitFor({ state: "detached" })
  const words = async () => (await answer.innerText()).split(/\s+/)
  const before = (await words()).length
  await expect
    .poll(async () => {
      provider.release()
      return (await words()).length
    })
    .toBeGreaterThan(before)
  const now = await words()
  expect(now).toEqual(parts.slice(0, now.length).map(({ text }) => text.trim()))
  provider.release(100)
  await settled(1)
  await expect.poll(words).toEqual(parts.map(({ text }) => text.trim()))
})

test("a prompt that is looked at while it is answered shows what the cache did, once there is an answer", async () => {
  const provider = await server([{ kind: "reply", parts: [{ text: "Lit." }], slow: true }])
  const world = await openChatWorld({ files: INSTRUCTIONS, script: await modelAt(provider, "anthropic") })
  const { page, say } = await world.page()
  await say("Is the lamp lit, and since when?")
  await provider.held()
  await page.getByRole("link", { name: "Prompt", exact: true }).first().click()
  await page.getByText("What the cache did with this call isn't known.").waitFor()
  provider.release(100)
  await page.locator(".block-bar-brackets").waitFor()
})

test("retries, and what failed, are said in a line", async () => {
  const provider = await server([refuse(529), saying("The lamp is lit."), refuse(400)])
  const world = await openChatWorld({ files: INSTRUCTIONS, script: await modelAt(provider, "anthropic") })
  const { page, ask, turns } = await world.page()
  await ask("How is the lamp, please?")
  expect(await turns.first().innerText()).toMatch(
    /The model did not answer \(.+\)\. Try 2 .*\.\n+The lamp is lit\./,
  )
  await ask("And how is the glass?")
  expect(await turns.last().locator(".line.bad").innerText()).toContain("This message cannot be answered")
  expect(await turns.last().getByRole("button", { name: "Send again" }).isVisible()).toBe(true)
  expect(await page.locator(".answer").count()).toBe(1)
  // The conversation has left it out, and what was said is there all the same.
  expect(await page.locator(".said").allInnerTexts()).toEqual([
    "How is the lamp, please?",
    "And how is the glass?",
  ])
})

test("delegated work is beneath the call that delegated it", async () => {
  const world = await openChatWorld({
    files: INSTRUCTIONS,
    script: ({ message, results: [result] }) => {
      if (message.includes("count the boats")) return "Three **boats**."
      return result === undefined
        ? [{ name: "delegate", input: { task: "count the boats" } }]
        : "There are three."
    },
  })
  const { page, ask, answer } = await world.page()
  await ask("how many boats are there?")
  await page.getByText("Delegated").click()
  expect(await page.locator(".tool .part").innerText()).toContain("Three boats.")
  // It is no session of theirs, and has one all the same.
  await expect.poll(() => page.locator(".session-link").count()).toBe(1)
  await page.getByRole("link", { name: "Its session" }).click()
  await expect.poll(() => page.locator(".said").allInnerTexts()).toEqual(["count the boats"])
  expect(await answer.innerText()).toBe("Three boats.")
  await page.getByText("You can read this conversation but not continue it.").waitFor()
})

test("people without full trust see their conversation without costs, inputs, results and the sessions of others", async () => {
  const world = await openChatWorld({ files: { ...INSTRUCTIONS, "notes.md": "The lamp is lit.\n" } })
  const owner = await world.page()
  await owner.ask("What files are here?")
  const { page, ask } = await world.page({ who: { user: "ada", scopes: ["talk", "read"] } })
  expect(await page.locator(".session-link").count()).toBe(0)
  expect(await page.getByText("offline").count()).toBe(0)
  await ask("What files are here?")
  const text = await page.locator(".turns").innerText()
  expect(text).not.toMatch(/tokens|cached|free/)
  expect(await page.locator(".tool summary").count()).toBe(0)
  expect(await page.getByRole("button", { name: /Not a/ }).count()).toBe(0)
  await owner.page.getByRole("link", { name: /ada/ }).click()
  await owner.page.getByText("You can read this conversation but not continue it.").waitFor()
  expect(await owner.field.count()).toBe(0)
})
