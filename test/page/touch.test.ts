// The page on a phone: what one presses with a finger is large enough to be hit.
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { oneWorldToLookAt } from "./prompt-world.ts"

const look = oneWorldToLookAt()

const PRESSED = "a, button, select, summary, input, textarea, .button"
/** Those that every view has, and the fields of forms. */
const MAIN = ".views a, .bar-end button, button.main, select"

/**
 * What is narrower or lower than so many pixels. A check box is pressed with its label, a link in a sentence is as high as
 * the sentence, and a block of the bar is as wide as its tokens: the list below it has the same.
 */
function smaller(page: Page, selector: string, pixels: number): Promise<readonly string[]> {
  return page.locator(selector).evaluateAll(
    (all, least) =>
      all.flatMap((element) => {
        const isInText = element.tagName === "A" && getComputedStyle(element).display === "inline"
        if (isInText || element.matches(".block, .skip") || !element.checkVisibility()) return []
        const { width, height } = (element.closest("label") ?? element).getBoundingClientRect()
        const name = element.getAttribute("aria-label") ?? element.textContent
        return width >= least && height >= least ? [] : [`${width} x ${height}: ${name}`]
      }),
    pixels,
  )
}

test.each([
  { at: "/?view=prompt&section=soul", ready: ".call[aria-busy=false] .text-row" },
  { at: "/?view=what-if&person=mirela", ready: ".what-if[aria-busy=false]" },
  { at: "/?view=cache", ready: ".cache-miss" },
  { at: "/?view=cost", ready: ".cost-name" },
  { at: "/?view=cost&by=session", ready: "table" },
  { at: "/?view=diff&all=1", ready: ".diff-sum" },
])("what is pressed is large enough for a finger: $at", async ({ at, ready }) => {
  const { page } = await look({ at, isTouch: true, width: 360, height: 740 })
  await page.locator(ready).first().waitFor()
  expect(await smaller(page, PRESSED, 24)).toEqual([])
  expect(await smaller(page, MAIN, 40)).toEqual([])
})

test("the note of a miss is whole, and the keys can be closed", async () => {
  const { page } = await look({ at: "/?view=prompt", isTouch: true, width: 360, height: 740 })
  await page.getByRole("button", { name: "Next miss" }).tap()
  const note = page.locator(".miss-note[data-miss=yes]")
  await note.waitFor()
  const [shown, whole] = await note.evaluate(({ clientHeight, scrollHeight }) => [clientHeight, scrollHeight])
  expect(whole).toBe(shown)
  await page.getByRole("button", { name: "Keys" }).tap()
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).tap()
  expect(await page.getByRole("dialog").count()).toBe(0)
})

test("in a conversation too", async () => {
  const { page } = await look({ at: "/?view=chat", isTouch: true, width: 360, height: 740 })
  await page.getByRole("button", { name: "Sessions" }).tap()
  await page.getByRole("dialog").getByRole("link", { name: "When is the next tide window" }).tap()
  await page.locator("article.turn").last().waitFor()
  expect(await smaller(page, PRESSED, 24)).toEqual([])
  expect(await smaller(page, MAIN, 40)).toEqual([])
})
