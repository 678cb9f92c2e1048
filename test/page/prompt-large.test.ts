// A session of 5,000 calls and a prompt of a megabyte, whose names and texts are as hostile as a client could make them.
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { apiSurface } from "../../src/serve/api/api-surface.ts"
import { openTestGateway } from "../serve/gateway.ts"
import { axeProblems, widerThanWindow } from "./axe.ts"
import { type OpenOptions, openPage } from "./browser.ts"
import { CALLS, HOSTILE, largeSource } from "./large-source.ts"

async function open(options: Partial<OpenOptions> = {}): Promise<Page> {
  const sources = [largeSource()]
  const { url, code } = await openTestGateway({
    surfaces: (services) => [apiSurface({ ...services, sources: () => sources })],
  })
  const { page } = await openPage({ url, code, at: "/?view=prompt&source=captures", ...options })
  await page.locator(".text-pane, .no-text").first().waitFor()
  return page
}

/** The key of a row of other clients: kind, file, name. */
const HANDBOOK = new URLSearchParams({
  view: "prompt",
  source: "captures",
  section: "file:docs/HANDBOOK.md:",
})

const slider = (page: Page) => page.getByRole("slider", { name: "Call" })
const wordsOf = (page: Page) => slider(page).getAttribute("aria-valuetext")

test("all of 5,000 calls are on the timeline, and the picture of all of them leads to any", async () => {
  const page = await open()
  expect(await slider(page).getAttribute("aria-valuemax")).toBe(String(CALLS))
  expect(await wordsOf(page)).toContain("Call 5,000 of 5,000")
  const box = await slider(page).boundingBox()
  await page.mouse.click(box!.x + box!.width / 4, box!.y + box!.height - 6)
  await expect.poll(() => wordsOf(page)).toMatch(/^Call 1,2[45]\d of 5,000/)
  await page.keyboard.press("M")
  await expect.poll(() => wordsOf(page)).toContain("Call 1,000 of 5,000")
  await slider(page).focus()
  await page.keyboard.press("PageUp")
  await expect.poll(() => wordsOf(page)).toContain("Call 1,010 of 5,000")
  await page.keyboard.press("End")
  await expect.poll(() => wordsOf(page)).toContain("Call 5,000 of 5,000")
})

test("of a megabyte of text, only what is in the window is in the document", async () => {
  const page = await open({ at: `/?${HANDBOOK}` })
  const text = page.getByRole("listbox", { name: "Text of docs/HANDBOOK.md" })
  const shown = () => page.locator(".text-row").count()
  expect(await page.locator(".text-row").first().getAttribute("aria-setsize")).toBe("20001")
  expect(await shown()).toBeLessThan(100)
  await text.evaluate((element) => {
    element.scrollTop = element.scrollHeight
  })
  await page.getByText("20000. The keeper wrote down the wind and the light, 19999.").waitFor()
  expect(await shown()).toBeLessThan(100)
  expect(
    await text.evaluate((element) => element.querySelector(".text-row:last-child .text-margin")?.textContent),
  ).toBe("20000")
})

test("a link to a line far down shows it, and the calls that it was sent with", async () => {
  const page = await open({
    at: `/?${HANDBOOK}&line=docs%2FHANDBOOK.md%3A12345`,
  })
  await page.locator('.text-row[data-lit="yes"]', { hasText: "12345. The keeper" }).waitFor()
  expect(await page.locator(".carried-sum").innerText()).toContain("Only the newest calls were looked at.")
})

test("hostile names and texts are text, and hidden characters are seen", async () => {
  const page = await open({ at: `/?view=prompt&source=captures&call=call-4499` })
  expect(await page.title()).not.toContain("owned")
  expect(await page.locator("main img").count()).toBe(0)
  const list = page.getByRole("region", { name: "Sections" })
  expect(await list.innerText()).toContain(
    `<img src=x onerror="document.title='owned'">‹U+202E›evil‹U+202C›‹U+200B›`,
  )
  expect(await page.locator(".text-pane .mark-hidden").allInnerTexts()).toEqual([
    "U+202E",
    "U+202C",
    "U+200B",
  ])
  const note = await page.locator(".miss-note").innerText()
  expect(note).toContain("‹U+202E›evil")
  expect(note).not.toMatch(/[\u202e\u200b]/)
  await page.locator(".miss-note ins").waitFor()
  await page.keyboard.press("f")
  await page.keyboard.type(HOSTILE.slice(0, 10))
  await expect.poll(() => page.locator(".find-count").innerText()).toBe("1 of 2")
})

test("what is exact, redacted or partial is said plainly", async () => {
  const page = await open()
  expect(await page.locator(".actions-exact").innerText()).toBe(
    "Redacted: 1 secret was left out when it was recorded.",
  )
})

test.each([
  { width: 360, height: 740, dark: true },
  { width: 1_280, height: 800, dark: false },
])("axe finds nothing in hostile names, and nothing is cut off, at $width pixels", async (size) => {
  const page = await open({ ...size, at: "/?view=prompt&source=captures&call=call-4499" })
  expect(await axeProblems(page)).toEqual([])
  expect(await widerThanWindow(page)).toEqual([])
})
