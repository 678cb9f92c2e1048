// What a reader with a screen reader, a keyboard or a small screen would stumble over.
import axe from "axe-core"
import type { Page } from "playwright-core"

/** What axe finds, as `rule: element` lines. */
export async function axeProblems(page: Page): Promise<readonly string[]> {
  // The policy of the page allows no inline script; the tool's own evaluation is outside of it.
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    // It was put there by the line above.
    const { axe: own } = globalThis as unknown as { axe: typeof import("axe-core") }
    const { violations } = await own.run(document)
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}

/** What is wider than the window; none may be, because a page that scrolls sideways hides things. */
export function widerThanWindow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll("main *")]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .map((element) => `${element.tagName} ${element.className}`)
  })
}
