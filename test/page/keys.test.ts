// Keys that work everywhere, the search, and the colours.
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { oneWorldToLookAt } from "./prompt-world.ts"

const lookAt = oneWorldToLookAt()

async function looking(): Promise<Page> {
  const { page } = await lookAt({ at: "/?view=prompt" })
  await page.locator(".call[aria-busy=false]").waitFor()
  return page
}

const inAddress = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

test("g and a letter lead to a view, and back goes back; a letter that is typed into a field is a letter", async () => {
  const page = await looking()
  await page.keyboard.press("g")
  await page.keyboard.press("c")
  await page.getByRole("heading", { name: "Cache misses" }).waitFor()
  expect(inAddress(page, "view")).toBe("cache")
  await page.goBack()
  await page.locator(".call[aria-busy=false]").waitFor()
  const find = page.getByRole("textbox", { name: "Find in this prompt" })
  await page.keyboard.press("f")
  await page.keyboard.type("gc?/m")
  expect([await find.inputValue(), inAddress(page, "view"), await page.getByRole("dialog").count()]).toEqual([
    ...["gc?/m", "prompt", 0],
  ])
})

test("a question mark lists the keys of the view, and what is open above it has the keys", async () => {
  const page = await looking()
  await page.keyboard.press("?")
  const keys = page.getByRole("dialog", { name: "Keys" })
  expect(await keys.innerText()).toMatch(/g p\s+Prompt[\s\S]*m\s+next cache miss[\s\S]*j\s+next section/)
  const slider = page.getByRole("slider", { name: "Call" })
  await page.keyboard.press("ArrowLeft")
  await page.keyboard.press("Escape")
  await keys.waitFor({ state: "detached" })
  expect(await slider.getAttribute("aria-valuetext")).toContain("Call 10 of 10")
  await page.keyboard.press("ArrowLeft")
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toContain("Call 9 of 10")
})

test("the search finds by all words, those that begin with them first, and Enter goes there", async () => {
  const page = await looking()
  await page.keyboard.press("Control+k")
  const found = page.getByRole("listbox", { name: "Found" }).getByRole("option")
  const field = page.getByRole("combobox", { name: "Search for" })
  await page.keyboard.type("co")
  await expect.poll(async () => (await found.allInnerTexts())[0]).toMatch(/^Cost\s+view$/)
  await field.fill("SOUL section")
  await expect.poll(() => found.allInnerTexts()).toEqual([expect.stringMatching(/^soul\s+section$/)])
  await field.fill("soul nothing")
  await page.getByText("Nothing here has these words.").waitFor()
  await field.fill("section")
  const second = (await found.nth(1).locator("span").first().innerText()) ?? ""
  await page.keyboard.press("ArrowDown")
  expect(await found.nth(1).getAttribute("aria-selected")).toBe("true")
  await page.keyboard.press("Enter")
  await expect.poll(() => page.locator(".reading-head").innerText()).toContain(second)
})

test("the colours are those that were chosen, also after the page was loaded again", async () => {
  const page = await looking()
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await paper()
  const button = page.getByRole("button", { name: /^Colours:/ })
  await button.click()
  expect(await button.getAttribute("aria-label")).toBe("Colours: light. Change")
  await button.click()
  await expect.poll(paper).not.toBe(light)
  await page.reload()
  await page.locator(".call[aria-busy=false]").waitFor()
  expect([await button.getAttribute("aria-label"), (await paper()) === light]).toEqual([
    ...["Colours: dark. Change", false],
  ])
})
