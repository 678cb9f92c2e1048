// Measures the page in a real browser: how large its scripts are, how long until something is seen, whether a task would
// cost a frame while one moves through 5,000 calls, and how long What if takes to compile. Markdown on stdout; exits with 1 if a
// target is missed. `npm run build` first.
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { serveLighthouse } from "../scripts/pictures/served-lighthouse.ts"
import { launchChromium } from "../test/page/chromium.ts"
import {
  checkTargets,
  digits,
  formatMs,
  machine,
  median,
  printTable,
  type Target,
} from "./measure/measure.ts"
import { type Frames, framesDuring } from "./page/frames.ts"
import { openLargeSession } from "./page/large-session.ts"

const ASSETS = "dist/page/page"
const TABLE = /^token-table-/
const SIZE_BYTES = 150_000
const FIRST_MS = 1_000
const FRAME_MS = 50
const COMPILE_MS = 50
const OPENINGS = 7
const COMPILES = 30

interface View {
  readonly name: string
  /** There when the view can be used. */
  readonly seen: string
}

const VIEWS: readonly View[] = [
  { name: "chat", seen: ".begin, article.turn, [aria-label=Message]" },
  { name: "prompt", seen: ".call[aria-busy=false] .text-row" },
  { name: "what-if", seen: ".what-if[aria-busy=false]" },
  { name: "cache", seen: ".money-facts" },
  { name: "cost", seen: ".treemap, .money-table" },
  { name: "diff", seen: ".diff" },
]

interface Opened extends View {
  readonly ms: number
  readonly slowestMs: number
  readonly bytes: number
}

/** A server for each view: its clock stands still, and so would its limit of requests a minute. */
async function openings(browser: Browser, view: View): Promise<Opened> {
  const lighthouse = await serveLighthouse()
  const times: number[] = []
  const scripts = new Set<string>()
  try {
    for (let run = 0; run < OPENINGS; run++) {
      const context = await browser.newContext()
      await signIn(context, lighthouse)
      const page = await context.newPage()
      page.on("response", (response) => scripts.add(new URL(response.url()).pathname))
      const start = performance.now()
      await page.goto(`${lighthouse.url}/?view=${view.name}`, { waitUntil: "commit" })
      await page.locator(view.seen).first().waitFor()
      times.push(performance.now() - start)
      await context.close()
    }
    const bytes = [...scripts].reduce((sum, path) => sum + compressedBytes(path), 0)
    return { ...view, ms: median(times), slowestMs: Math.max(...times), bytes }
  } finally {
    await lighthouse.close()
  }
}

function signIn(context: BrowserContext, { url, owner }: { readonly url: string; readonly owner: string }) {
  return context.addCookies([{ name: `incipit_${new URL(url).port}`, value: owner, url }])
}

/** Of a script, as it is sent; 0 for everything else, and for the table of tokens. */
function compressedBytes(path: string): number {
  const name = path.replace("/page/", "")
  const file = join(ASSETS, `${name}.br`)
  return name.endsWith(".js") && !TABLE.test(name) && existsSync(file) ? statSync(file).size : 0
}

async function compiles(browser: Browser): Promise<readonly number[]> {
  const lighthouse = await serveLighthouse()
  try {
    const context = await browser.newContext()
    await signIn(context, lighthouse)
    const page = await context.newPage()
    await page.goto(`${lighthouse.url}/?view=what-if`)
    await page.locator(".what-if[aria-busy=false]").waitFor()
    const budget = page.getByLabel("Budget", { exact: true })
    const times: number[] = []
    for (let run = 0; run < COMPILES; run++) {
      await budget.fill(String(2_000 + run * 200))
      await page.locator(".what-if[aria-busy=false]").waitFor()
      const note = await page.getByText("Compiled in this browser").innerText()
      times.push(Number(/in (\d+) ms/.exec(note)?.[1] ?? Number.NaN))
    }
    return times
  } finally {
    await lighthouse.close()
  }
}

interface Moved {
  readonly what: string
  readonly frames: Frames
}

async function moves(browser: Browser, isHuge: boolean): Promise<readonly Moved[]> {
  const server = await openLargeSession({ isHuge })
  const prompt = isHuge ? "prompts of a megabyte" : "prompts of 40 KB"
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${server.url}/login?${new URLSearchParams({ code: server.code })}`)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.goto(`${server.url}/?view=prompt`)
    await page.locator(".call[aria-busy=false]").waitFor()
    const moved: Moved[] = []
    for (const [what, move] of MOVES)
      moved.push({ what: `${what}, ${prompt}`, frames: await framesDuring(page, () => move(page)) })
    return moved
  } finally {
    await server.close()
  }
}

const MOVES: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ["nothing moves", (page) => page.waitForTimeout(2_000)],
  ["drag through all calls", dragAll],
  ["100 calls by arrow key", arrows],
  ["scroll the text", scrollText],
]

async function dragAll(page: Page): Promise<void> {
  const box = await page.getByRole("slider", { name: "Call" }).boundingBox()
  if (box === null) throw new Error("no timeline")
  const y = box.y + box.height - 6
  await page.mouse.move(box.x + box.width - 2, y)
  await page.mouse.down()
  await page.mouse.move(box.x + 2, y, { steps: 100 })
  await page.mouse.up()
}

async function arrows(page: Page): Promise<void> {
  await page.getByRole("slider", { name: "Call" }).focus()
  for (let run = 0; run < 100; run++) await page.keyboard.press("ArrowRight")
}

async function scrollText(page: Page): Promise<void> {
  await page.locator(".call[aria-busy=false] .text-row").first().hover()
  for (let run = 0; run < 100; run++) await page.mouse.wheel(0, 400)
}

const all = readdirSync(ASSETS).map((name) => `/page/${name.replace(/\.br$/, "")}`)
const wholeBytes = all.reduce((sum, path) => sum + compressedBytes(path), 0)
const browser = await launchChromium()
try {
  const opened: Opened[] = []
  for (const view of VIEWS) opened.push(await openings(browser, view))
  const moved = [...(await moves(browser, false)), ...(await moves(browser, true))]
  const times = await compiles(browser)
  print(opened, moved, times)
} finally {
  await browser.close()
}

function print(opened: readonly Opened[], moved: readonly Moved[], times: readonly number[]): void {
  console.log(`## The page: ${machine()}\n`)
  printTable(
    ["view", `first seen, median of ${OPENINGS}`, "slowest", "scripts, kB"],
    opened.map(({ name, ms, slowestMs, bytes }) => [
      name,
      formatMs(ms),
      formatMs(slowestMs),
      digits(bytes / 1_000),
    ]),
  )
  printTable(
    ["5,000 calls", "frames", "longest frame", "longest task, CPU"],
    moved.map(({ what, frames: { count, longestMs, longestCpuMs } }) => [
      what,
      String(count),
      formatMs(longestMs),
      formatMs(longestCpuMs),
    ]),
  )
  checkTargets(targetsOf(opened, moved, times))
}

function targetsOf(
  opened: readonly Opened[],
  moved: readonly Moved[],
  times: readonly number[],
): readonly Target[] {
  const slowest = Math.max(...opened.map(({ ms }) => ms))
  const longest = Math.max(...moved.map(({ frames }) => frames.longestCpuMs))
  return [
    {
      what: "first view, the slowest of them",
      bound: `under ${FIRST_MS / 1_000} s`,
      measured: formatMs(slowest),
      holds: slowest < FIRST_MS,
    },
    {
      what: "scripts of all views, by Brotli, without the table of tokens",
      bound: `under ${SIZE_BYTES / 1_000} kB`,
      measured: `${(wholeBytes / 1_000).toFixed(1)} kB`,
      holds: wholeBytes < SIZE_BYTES,
    },
    {
      what: "longest task with 5,000 calls, CPU",
      bound: `at most ${FRAME_MS} ms`,
      measured: formatMs(longest),
      holds: longest <= FRAME_MS,
    },
    {
      what: `What if of the sample, the slowest of ${COMPILES} after a change`,
      bound: `at most ${COMPILE_MS} ms`,
      measured: `${Math.max(...times)} ms, median ${median(times)} ms`,
      holds: Math.max(...times) <= COMPILE_MS,
    },
  ]
}
