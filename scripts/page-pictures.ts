// Takes the pictures of the page for the docs: the real page in a real browser, in both colour schemes. The lighthouse is
// served after a morning of conversations with the offline model, and the session of examples/bill is inspected. Fonts
// differ between machines, so a test compares the text that is shown, not the pixels.
// `npm run pictures` writes both, from the last build.
import { globSync, rmSync, writeFileSync } from "node:fs"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { launchChromium } from "../test/page/chromium.ts"
import { inspectBill } from "./pictures/inspected-bill.ts"
import { type ServedLighthouse, serveLighthouse } from "./pictures/served-lighthouse.ts"

interface Picture {
  readonly name: string
  /** The place in the page. */
  readonly at: string
  /** Brings about what is shown, or waits for it. */
  readonly ready: (page: Page) => Promise<unknown>
  readonly width?: number
  readonly height?: number
}

const CHANGE = "change 2026-06-16,08:20,high,0.50 to 2026-06-16,08:25,high,0.52 in data/tides.csv"

const TWO_PEOPLE = new URLSearchParams({
  view: "diff",
  left: "now~u%3Aada~dm~",
  right: "now~u%3Amirela~group~",
  part: "guidelines",
})

const OF_LIGHTHOUSE: readonly Picture[] = [
  {
    name: "prompt",
    at: "/?view=prompt&section=soul",
    async ready(page) {
      await page.locator(".call[aria-busy=false]").waitFor()
      await page.keyboard.press("M")
      await page.getByText("call 6 of 12").waitFor()
      await page.locator(".call[aria-busy=false] .text-row").first().waitFor()
    },
  },
  {
    name: "narrow",
    at: "/?view=prompt",
    ready: (page) => page.locator(".call[aria-busy=false] .text-row").first().waitFor(),
    width: 360,
    height: 740,
  },
  {
    name: "what-if",
    at: "/?view=what-if",
    async ready(page) {
      await page.locator(".what-if[aria-busy=false]").waitFor()
      await page.getByLabel("Person", { exact: true }).selectOption({ label: "mirela: familiar trust" })
      await page.locator(".what-if[aria-busy=false]").waitFor()
    },
  },
  {
    name: "diff",
    at: `/?${TWO_PEOPLE}`,
    ready: (page) => page.locator(".diff-result[aria-busy=false]").waitFor(),
  },
  {
    name: "chat",
    at: "/?view=chat",
    async ready(page) {
      await page.getByText("which skills do you have?").first().click()
      await page.locator("article.turn").last().waitFor()
      await page.getByRole("textbox", { name: "Message", exact: true }).fill(CHANGE)
      await page.keyboard.press("Enter")
      await page.getByRole("region", { name: "Approval" }).waitFor()
    },
  },
]

const OF_BILL: readonly Picture[] = [
  {
    name: "cache",
    at: "/?view=cache",
    ready: (page) => page.getByRole("heading", { name: "Cache misses" }).waitFor(),
  },
  { name: "cost", at: "/?view=cost", ready: (page) => page.getByRole("table").first().waitFor() },
]

/** A day after the session was recorded. */
const AFTER_BILL = Date.UTC(2026, 10, 19, 9)

interface Taken {
  readonly light: Buffer
  readonly dark: Buffer
  /** What it says, line by line, without how long something took and without what depends on the width of letters. */
  readonly text: readonly string[]
}

/** The pictures by name, as PNG. */
export async function pagePictures(): Promise<ReadonlyMap<string, Taken>> {
  const browser = await launchChromium()
  try {
    return new Map([...(await lighthousePictures(browser)), ...(await billPictures(browser))])
  } finally {
    await browser.close()
  }
}

async function lighthousePictures(browser: Browser): Promise<ReadonlyMap<string, Taken>> {
  const lighthouse = await serveLighthouse()
  try {
    const context = await contextAt(browser, lighthouse.now())
    await signInWithToken(context, lighthouse)
    return await takeAll(OF_LIGHTHOUSE, context, lighthouse.url)
  } finally {
    await lighthouse.close()
  }
}

async function billPictures(browser: Browser): Promise<ReadonlyMap<string, Taken>> {
  const bill = await inspectBill()
  try {
    const context = await contextAt(browser, AFTER_BILL)
    const page = await context.newPage()
    await page.goto(`${bill.url}/login?${new URLSearchParams({ code: bill.code })}`)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.locator("#view").waitFor()
    return await takeAll(OF_BILL, context, bill.url)
  } finally {
    await bill.close()
  }
}

async function contextAt(browser: Browser, now: number): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...{ timezoneId: "UTC", locale: "en-US", reducedMotion: "reduce" },
    // For the style below, which is not the page's own.
    bypassCSP: true,
  })
  await context.clock.setFixedTime(now)
  return context
}

function signInWithToken(context: BrowserContext, { url, owner }: ServedLighthouse): Promise<void> {
  return context.addCookies([{ name: `incipit_${new URL(url).port}`, value: owner, url }])
}

async function takeAll(
  pictures: readonly Picture[],
  context: BrowserContext,
  url: string,
): Promise<ReadonlyMap<string, Taken>> {
  const taken = new Map<string, Taken>()
  for (const { name, at, ready, width = 1280, height = 800 } of pictures) {
    const page = await context.newPage()
    await page.setViewportSize({ width, height })
    await page.goto(`${url}${at}`)
    await page.addStyleTag({ content: WITHOUT_SCROLLBAR })
    await ready(page)
    // Nothing is drawn as focused or hovered.
    await page.mouse.move(0, 0)
    const inScheme = async (colorScheme: "light" | "dark") => {
      await page.emulateMedia({ colorScheme })
      return page.screenshot({ caret: "hide" })
    }
    const [light, dark] = [await inScheme("light"), await inScheme("dark")]
    taken.set(name, { light, dark, text: await linesOf(page) })
    await page.close()
  }
  return taken
}

/** The room that is kept for it would be empty. */
const WITHOUT_SCROLLBAR = "html { scrollbar-gutter: auto; }"

/** What is cut, wrapped or left out where there is no room. */
const DRAWN = [".text-pane", ".block-bar", ".treemap", ".cache-bar"]

async function linesOf(page: Page): Promise<readonly string[]> {
  const whole = await page.locator("#view").innerText()
  const drawn = await page.locator(`#view :is(${DRAWN.join(", ")})`).allInnerTexts()
  const text = drawn.reduce((left, part) => left.replace(part, ""), whole)
  const lines = text.split("\n").map((line) => line.trim().replace(/\b[\d.]+ (?:m?s|µs)\b/g, "… ms"))
  return lines.filter((line) => line !== "")
}

if (import.meta.main) {
  const folder = "docs/guide/pictures"
  const pictures = await pagePictures()
  for (const path of globSync(`${folder}/page-*.png`)) rmSync(path)
  for (const [name, { light, dark }] of pictures) {
    writeFileSync(`${folder}/page-${name}-light.png`, light)
    writeFileSync(`${folder}/page-${name}-dark.png`, dark)
  }
  const texts = Object.fromEntries([...pictures].map(([name, { text }]) => [name, text]))
  writeFileSync("scripts/pictures/shown.json", `${JSON.stringify(texts, undefined, 2)}\n`)
}
