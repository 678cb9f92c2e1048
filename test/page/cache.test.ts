// Cache in a real browser, in front of an agent that has talked: the misses with their causes and prices, and the same
// calls in other ways.
import type { Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import { axeProblems, widerThanWindow } from "./axe.ts"
import { type OpenOptions, openPage } from "./browser.ts"
import { openPromptWorld, type PromptWorld, type PromptWorldOptions } from "./prompt-world.ts"

async function world(options: PromptWorldOptions = {}): Promise<PromptWorld> {
  const opened = await openPromptWorld(options)
  onTestFinished(() => opened.close())
  return opened
}

async function operator({ url, code }: PromptWorld, options: Partial<OpenOptions> = {}): Promise<Page> {
  const { page } = await openPage({ url, code, at: "/?view=cache", ...options })
  await page.getByRole("heading", { name: "Cache misses" }).waitFor()
  return page
}

const inAddress = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

test("the sum of the session, and the miss with its cause and its price", async () => {
  const page = await operator(await world())
  expect(await page.locator(".money-facts").innerText()).toMatch(
    /^from the cache\n76%\ncalls\n10\ninput tokens\n69,\d\d\d\nall calls\n\$0\.048\d$/,
  )
  const misses = await page.locator(".cache-miss").allInnerTexts()
  expect(misses.map((text) => text.replaceAll(/\n+/g, "\n"))).toEqual([
    expect.stringMatching(
      /^43 min pause\n\$0\.01\d\d 7,0\d\d tokens\nIt read 0 of 7,0\d\d cached tokens\. The cache expired: 43 min since the previous call, TTL 5 min\. It cost \$0\.01\d\d more than a hit\.\nShow call 5\nIts prompt\n18 Nov 09:59$/,
    ),
  ])
})

test("by keyboard: from the miss to its call, to its prompt, and to the simulation", async () => {
  const page = await operator(await world())
  await page.getByRole("button", { name: "Show call 5" }).focus()
  await page.keyboard.press("Enter")
  await expect
    .poll(() => page.getByRole("slider", { name: "Call" }).getAttribute("aria-valuetext"))
    .toContain("Call 5 of 10")
  expect(await page.locator(".cache-miss").getAttribute("aria-current")).toBe("true")
  await page.getByRole("button", { name: "Simulate" }).focus()
  await page.keyboard.press("Enter")
  await page.getByRole("row", { name: /As sent/ }).waitFor()
  expect(inAddress(page, "simulated")).toBe("1")
  const rows = await page.locator(".cache-ways tbody tr").allInnerTexts()
  expect(rows.map((row) => row.split(/[\t\n]/)[0])).toEqual([
    "As sent",
    "Another cache lifetime",
    "Prompt cached for 1h",
    "Other cache marks",
    "Marks after the prompt and the last message",
    "One mark, after the prompt",
    "No marks",
    "Another provider, at its own prices",
    ...["openai/gpt-5.6-sol", "google/gemini-2.5-pro", "deepseek/deepseek-chat", "xai/grok-4"],
  ])
  // The pause is shorter than an hour, so the prompt would still have been there.
  expect(rows[2]).toMatch(/−\$0\.00\d\d \(−\d+%\)/)
  await page.getByRole("link", { name: "Its prompt" }).focus()
  await page.keyboard.press("Enter")
  await page.locator(".text-pane, .no-text").first().waitFor()
  expect(inAddress(page, "view")).toBe("prompt")
})

test("axe finds nothing, in the light, in the dark, and on a phone; nothing is wider than the window", async () => {
  const opened = await world()
  const page = await operator(opened, { at: "/?view=cache&simulated=1", width: 360 })
  await page.getByRole("row", { name: /As sent/ }).waitFor()
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    expect(await axeProblems(page)).toEqual([])
    expect(await widerThanWindow(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
  }
})

test("without full trust there are no figures, and the view says so", async () => {
  const opened = await world({ messages: ["Hello."] })
  const token = await opened.token("mirela")
  await fetch(`${opened.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "main", messages: [{ role: "user", content: "Hello." }] }),
  })
  const { page } = await openPage({ url: opened.url, at: "/?view=cache", token })
  await page.getByRole("heading", { name: "No cache figures" }).waitFor()
})

const HOSTILE = '<img src=x onerror="alert(1)">\u202e gnitirw'

test("hostile text in a file that changed is text", async () => {
  const opened = await world({
    files: { "SOUL.md": `# Soul\n\nBe kind.\n${HOSTILE}\n` },
    messages: [HOSTILE, HOSTILE],
  })
  const page = await operator(opened)
  expect(await page.locator("select").allInnerTexts()).toEqual([expect.stringContaining("<img")])
  expect(await page.locator("img").count()).toBe(0)
})
