// The timeline's drawing: what was written to the cache is hatched, and nothing is thrown while the page is left or while
// there is nothing to draw on.
import type { Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import { openPage } from "./browser.ts"
import { openPromptWorld } from "./prompt-world.ts"

async function drawn(): Promise<Page> {
  const world = await openPromptWorld()
  onTestFinished(() => world.close())
  const { page } = await openPage({
    url: world.url,
    code: world.code,
    at: "/?view=prompt",
    provoked: /willReadFrequently/,
  })
  // As in a page that is being left: second canvases and their pictures are gone.
  await page.addInitScript(() => {
    const gone = () => {
      throw new DOMException("The image source is gone.", "InvalidStateError")
    }
    const { prototype } = CanvasRenderingContext2D
    Object.assign(prototype, { createPattern: gone, drawImage: gone })
    Object.assign(OffscreenCanvas.prototype, { getContext: gone, transferToImageBitmap: gone })
  })
  await page.reload()
  await page.locator(".call[aria-busy=false]").waitFor()
  return page
}

/** How often the colour changes in the column of the canvas in which it changes most. */
function changes(page: Page): Promise<number> {
  return page.locator(".timeline canvas").evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement) || canvas.width === 0) return 0
    const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
    const colour = (x: number, y: number) =>
      pixels.slice(4 * (y * canvas.width + x), 4 * (y * canvas.width + x) + 4).join()
    const rows = Array.from({ length: canvas.height - 1 }, (_, y) => y)
    const columns = Array.from({ length: canvas.width }, (_, x) => x)
    return Math.max(...columns.map((x) => rows.filter((y) => colour(x, y) !== colour(x, y + 1)).length))
  })
}

const HATCHED = 10

test("what was written to the cache is hatched", async () => {
  const page = await drawn()
  await expect.poll(() => changes(page)).toBeGreaterThan(HATCHED)
})

test("leaving a page that is drawing throws nothing", async () => {
  const page = await drawn()
  for (const view of ["cost", "cache", "prompt"]) {
    await page.getByRole("slider", { name: "Call" }).or(page.locator(".cost-top")).first().waitFor()
    const left = page.waitForEvent("framenavigated")
    await page.evaluate((next) => {
      document
        .querySelector(".timeline-slider")
        ?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }))
      requestAnimationFrame(() => location.assign(`/?view=${next}`))
    }, view)
    await left
  }
  await page.locator(".call[aria-busy=false]").waitFor()
})

test("a timeline that has no room is not drawn, and is drawn once it has", async () => {
  const page = await drawn()
  await expect.poll(() => changes(page)).toBeGreaterThan(HATCHED)
  const show = (display: string) =>
    page.locator(".timeline").evaluate((element, style) => {
      if (element instanceof HTMLElement) element.style.display = style
    }, display)
  await show("none")
  await page.keyboard.press("ArrowLeft")
  await page.getByText(/^call 9 of 10/).waitFor({ state: "attached" })
  await page.setViewportSize({ width: 900, height: 800 })
  await show("")
  await expect.poll(() => changes(page)).toBeGreaterThan(HATCHED)
})
