// A conversation in the browser, from the first words to the link to the prompt, with the keyboard alone.
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { server } from "../agent/world/agent-world.ts"
import { modelAt } from "../agent/world/ask-model.ts"
import type { Part } from "../agent/world/servers/script.ts"
import { axeProblems, widerThanWindow } from "./axe.ts"
import { openChatWorld } from "./chat-world.ts"

/** Without any, each turn says so. */
const INSTRUCTIONS = { "AGENTS.md": "Keep the lamp lit.\n" }

test("a first message begins a session, and its answer has its cost and its prompt", async () => {
  const world = await openChatWorld({ files: { "notes.md": "The lamp is lit.\n" } })
  const { page, field, ask, turns, answer } = await world.page()
  expect(await page.getByRole("heading", { name: "Try one of these" }).isVisible()).toBe(true)
  expect(await page.getByText("No API key was found, so the offline model answers").isVisible()).toBe(true)
  await page.keyboard.press("w")
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await ask("What files are here?")
  expect(new URL(page.url()).searchParams.get("session")).toMatch(/.+/)
  expect(await answer.innerText()).toContain("notes.md")
  expect(await page.locator(".tool summary").innerText()).toContain("list")
  const foot = turns.last().locator("footer")
  await foot.getByText("offline, free").waitFor()
  expect(await foot.innerText()).toMatch(/offline, free · [\d,]+ tokens · \d+% cached · 2 calls/)
  const prompt = await foot.getByRole("link", { name: "Prompt" }).getAttribute("href")
  expect(prompt).toMatch(/^\/\?call=[^&]+&session=[^&]+&source=agent&view=prompt$/)
  const sessions = page.getByRole("navigation", { name: "Sessions" }).first()
  expect(await sessions.locator("[aria-current]").innerText()).toContain("What files are here?")
  // The field keeps the focus, so one can go on.
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await ask("read notes.md")
  expect(await answer.innerText()).toContain("The lamp is lit.")
  await turns.first().getByRole("link", { name: "Prompt" }).click()
  await page.getByText("call 2 of 4").waitFor()
  await page.goBack()
  await turns.nth(1).waitFor()
})

test("the three things to try work", async () => {
  const world = await openChatWorld()
  const { page, settled } = await world.page()
  for (const name of ["What files are here?", "How much did today cost?"]) {
    await page.getByRole("button", { name }).click()
    await settled(1)
    await page.locator("#view").press("N")
    await page.getByRole("heading", { name: "Try one of these" }).waitFor()
  }
  await page.getByRole("button", { name: "Run ls -la" }).click()
  await page.getByRole("region", { name: "Approval" }).getByRole("button", { name: "Yes" }).click()
  await settled(1)
  expect(await page.locator(".tool").innerText()).toContain("Approved.")
})

const STORY = Array.from({ length: 40 }, (_, at) => `Line ${at + 1} of the story of the lamp.\n\n`)

/** The classes of what moves without having been scrolled, as the browser itself sees it. */
async function movesOf(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const own = globalThis as unknown as { moved: string[] }
    own.moved = []
    // The types do not know what moved.
    type Shift = { readonly sources: readonly { readonly node: Node | null }[] }
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as readonly unknown[] as readonly Shift[])
        for (const { node } of sources) own.moved.push(node instanceof Element ? node.className : "text")
    }).observe({ type: "layout-shift" })
  })
  return () => page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)
}

test("an answer grows at the end, and whoever reads above stays where they are", async () => {
  const parts: Part[] = STORY.map((text) => ({ text }))
  const provider = await server([{ kind: "reply", parts, slow: true }])
  const world = await openChatWorld({ files: INSTRUCTIONS, script: await modelAt(provider, "anthropic") })
  const { page, say, answer, settled } = await world.page({ height: 500 })
  const moves = await movesOf(page)
  await say("Tell me the story of the lamp, please.")
  const scroller = page.getByRole("group", { name: "Conversation" })
  const fromEnd = () =>
    scroller.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)
  const until = async (line: number) => {
    await expect
      .poll(async () => {
        provider.release(2)
        return page.locator(".turns").innerText()
      })
      .toContain(`Line ${line} of`)
  }
  await until(20)
  await expect.poll(fromEnd).toBeLessThan(2)
  const first = await page.locator(".answer p").first().boundingBox()
  await until(22)
  await expect.poll(fromEnd).toBeLessThan(2)
  // Upwards, and only upwards: what is there does not change its height.
  const later = await page.locator(".answer p").first().boundingBox()
  expect(later?.y).toBeLessThan(first?.y ?? 0)
  await scroller.evaluate((element) => {
    element.scrollTop = 60
  })
  const latest = page.getByRole("button", { name: "Latest" })
  await latest.waitFor()
  await until(30)
  expect(await scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(60)
  await latest.click()
  await latest.waitFor({ state: "detached" })
  provider.release(1_000)
  await settled(1)
  await expect.poll(fromEnd).toBeLessThan(2)
  expect(await answer.locator("p").count()).toBe(40)
  // Below what is written is a line that moves down; nothing that one reads moves.
  expect(
    (await moves()).filter((name) => !/^(?:turn-foot|turn-actions|chat-row composer-end)/.test(name)),
  ).toEqual([])
})

test("a screen reader hears whole sentences, each once", async () => {
  const parts: Part[] = ["The lamp", " is lit. The", " glass is **cle", "an**.\n\n- one\n- two\n"].map(
    (text) => ({ text }),
  )
  const provider = await server([{ kind: "reply", parts, slow: true }])
  const world = await openChatWorld({ files: INSTRUCTIONS, script: await modelAt(provider, "anthropic") })
  const { page, say, settled } = await world.page()
  const spoken = page.getByRole("log", { name: "Answer" })
  const seen: string[] = []
  await page.exposeFunction("heard", (text: string) => seen.push(text))
  await spoken.evaluate((element) => {
    new MutationObserver((changes) => {
      // The test exposed it.
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          (globalThis as unknown as { heard(text: string | null): void }).heard(node.textContent)
    }).observe(element, { childList: true })
  })
  await say("How is the lamp?")
  for (let at = 0; at < 40; at += 1) {
    provider.release()
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  provider.release(1_000)
  await settled(1)
  await expect.poll(() => seen.length).toBeGreaterThanOrEqual(4)
  expect(seen.map((text) => text.trim())).toEqual(["The lamp is lit.", "The glass is clean.", "one", "two"])
})

test("what is being written outlives a look at another view and a reload", async () => {
  const world = await openChatWorld()
  const { page, field } = await world.page()
  await field.fill("half a thou")
  await page.getByRole("link", { name: "Prompt", exact: true }).click()
  await page.getByRole("link", { name: "Chat", exact: true }).click()
  expect(await field.inputValue()).toBe("half a thou")
  await page.reload()
  expect(await field.inputValue()).toBe("half a thou")
})

test("axe finds nothing, in the dark, in the light, on a phone, and with everything on the screen", async () => {
  const world = await openChatWorld({ files: { "notes.md": "The lamp was cleaned.\n" } })
  for (const options of [{ width: 1280 }, { width: 360, height: 640, dark: true }]) {
    const { page, say, ask } = await world.page(options)
    expect(await axeProblems(page)).toEqual([])
    await ask("What files are here?")
    await say("change cleaned to polished in notes.md")
    await page.getByRole("region", { name: "Approval" }).waitFor()
    await page.locator(".tool summary").first().click()
    expect(await axeProblems(page)).toEqual([])
    expect(await widerThanWindow(page)).toEqual([])
    await page.keyboard.press("Escape")
    await page.getByRole("region", { name: "Approval" }).waitFor({ state: "detached" })
  }
})
