// The page in a real Chromium, in front of a real server. Every page that a test opens is watched: an error on its
// console, a refusal by its policy, or a request to anywhere else fails the test.
import type { Browser, Page } from "playwright-core"
import { expect, onTestFinished } from "vitest"
import { launchChromium } from "./chromium.ts"

export interface OpenedPage {
  readonly page: Page
  /** What the console and the page itself complained about so far. */
  readonly complaints: readonly string[]
}

export interface OpenOptions {
  /** Where the server is. */
  readonly url: string
  /** Signs in first. */
  readonly code?: string
  /** The secret of a token: the browser has signed in before. */
  readonly token?: string
  /** The place to open, such as "/?view=cache". */
  readonly at?: string
  /** Complaints that the test provokes. */
  readonly provoked?: RegExp
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  /** On a phone: it is used with a finger. */
  readonly isTouch?: boolean
}

let launched: Promise<Browser> | undefined

/** One browser for all tests of a process; each page has its own profile. */
function browser(): Promise<Browser> {
  launched ??= launchChromium()
  return launched
}

export async function openPage(options: OpenOptions): Promise<OpenedPage> {
  const { provoked, url, code, token, at = "/", width = 1280, height = 800, dark = false } = options
  const { isTouch = false } = options
  const context = await (await browser()).newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    timezoneId: "UTC",
    locale: "en-US",
    reducedMotion: "reduce",
    ...{ hasTouch: isTouch, isMobile: isTouch },
  })
  // Waiting ends with the test, however slow the machine is.
  context.setDefaultTimeout(0)
  if (token !== undefined)
    await context.addCookies([{ name: `incipit_${new URL(url).port}`, value: token, url }])
  const page = await context.newPage()
  const complaints: string[] = []
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.stack ?? error.message}`))
  page.on("request", (request) => {
    const target = request.url()
    if (!/^(?:data|blob):/.test(target) && !target.startsWith(`${url}/`)) complaints.push(`asked ${target}`)
  })
  onTestFinished(async () => {
    // A request that a test answers itself may still be under way.
    if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" })
    await context.close()
    expect(complaints.filter((text) => provoked?.test(text) !== true)).toEqual([])
  })
  if (code !== undefined) {
    const next = new URLSearchParams({ code, next: at })
    await page.goto(`${url}/login?${next}`)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.locator("#view").waitFor()
  } else await page.goto(`${url}${at}`)
  return { page, complaints }
}
