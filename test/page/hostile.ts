// Texts that a page must not trust, and what to look at after it has shown them.
import type { Page } from "playwright-core"
import { expect } from "vitest"

/** Markup, a link that runs, overrides of the direction, characters that are not seen, and half a surrogate pair. */
export const HOSTILE = [
  `<img src=x onerror="window.owned=1"><script>window.owned=1</script><a href="javascript:window.owned=1">`,
  `"><svg onload=window.owned=1> \u202eevil\u2066\u200b\u00ad\u2028 {{constructor}} \u0000\u001b[2J \ud800`,
  `[x](javascript:window.owned=1) ![](https://evil.example/pixel.png) __proto__`,
].join(" ")

/** Marks that are drawn above the letter before them, and a word without a place to break. */
export const TALL = `Z${"\u030d\u0489".repeat(400)}${"W".repeat(400)}`

/** What a name may not have when it is shown: it would change what stands beside it, or look like another name. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

/** What people and models say is shown as it is, in a box of its own. Fields have what is to be edited. */
const SPOKEN = ".said-text, .markdown, .long, .spoken, textarea, input, [data-exact]"

/** Nothing ran, and no name of the page can be mistaken for something else. */
export async function expectHarmless(page: Page): Promise<void> {
  const seen = await page.evaluate((spoken) => {
    const found: string[] = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (node.parentElement?.closest(spoken) === null) found.push(node.nodeValue ?? "")
    for (const element of document.querySelectorAll("[title], [aria-label], [placeholder], [aria-valuetext]"))
      for (const name of ["title", "aria-label", "placeholder", "aria-valuetext"])
        found.push(element.getAttribute(name) ?? "")
    const links = [...document.querySelectorAll("a[href]")].map((link) => (link as HTMLAnchorElement).href)
    const loads = [...document.querySelectorAll("[src], [srcset], [style*='url'], iframe, object, embed")]
    const outside = loads.filter((one) => !(one.getAttribute("src") ?? "").startsWith("/"))
    return { found, links, outside: outside.map((one) => one.outerHTML), owned: "owned" in globalThis }
  }, SPOKEN)
  expect(seen.owned).toBe(false)
  expect(seen.outside).toEqual([])
  expect(seen.links.filter((link) => !/^(?:https?:\/\/|mailto:|vscode:\/\/file\/[^/])/.test(link))).toEqual(
    [],
  )
  expect(seen.found.filter((text) => HIDDEN.test(text)).map((text) => JSON.stringify(text))).toEqual([])
}
