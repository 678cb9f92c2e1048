// Cost in a real browser, in front of an agent that has talked: by whose text it was, by day, session, person and model,
// and the ways from a figure to its calls.
import type { Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import { axeProblems, widerThanWindow } from "./axe.ts"
import { type OpenOptions, openPage } from "./browser.ts"
import {
  oneWorldToLookAt,
  openPromptWorld,
  type PromptWorld,
  type PromptWorldOptions,
} from "./prompt-world.ts"

async function world(options: PromptWorldOptions = {}): Promise<PromptWorld> {
  const opened = await openPromptWorld(options)
  onTestFinished(() => opened.close())
  return opened
}

/** The agent's clock is not the browser's, so all time is asked for. */
async function operator({ url, code }: PromptWorld, options: Partial<OpenOptions> = {}): Promise<Page> {
  const { page } = await openPage({ url, code, at: "/?view=cost&since=all", ...options })
  await page.locator(".money-facts").waitFor()
  return page
}

const lookAt = oneWorldToLookAt()

/** The same page, of the world that nobody changes. */
async function looking(): Promise<Page> {
  const { page } = await lookAt({ at: "/?view=cost&since=all" })
  await page.locator(".money-facts").waitFor()
  return page
}

const inAddress = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const dollars = (text: string | undefined) => Number(text?.replace(/^\$/, ""))

test("the treemap and the table have the same figures, and they add up to the total", async () => {
  const page = await operator(await world())
  const total = dollars((await page.locator(".money-facts dd").first().innerText()) ?? "")
  expect(total).toBeGreaterThan(0.04)
  const groups = await page
    .locator(".money-group")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")))
  const titles = groups.map(([title]) => title ?? "")
  expect(titles).toContain("Instruction files")
  expect(titles).toContain("Tools")
  expect(titles).toContain("Tool results")
  const sum = groups.reduce((all, [, cost]) => all + dollars(cost), 0)
  expect(Math.abs(sum - total)).toBeLessThan(0.0001 * groups.length)
  const leaves = await page.locator(".treemap-leaf title").allTextContents()
  const rows = await page
    .locator("tr:has(.cost-name)")
    .evaluateAll((all) =>
      all.map(
        (row) =>
          `${row.querySelector(".cost-name > span, span.cost-name")?.firstChild?.textContent}: ${row.children[1]?.textContent}`,
      ),
    )
  expect(leaves.toSorted()).toEqual(rows.toSorted())
})

test("by keyboard: a file opens to its calls, and leads to them with its lines marked", async () => {
  const page = await looking()
  const soul = page.getByRole("button", { name: /^SOUL\.md/ })
  await soul.focus()
  await page.keyboard.press("Enter")
  await page.getByText(/^Lines 1–\d+ rode in \d+ calls, 18 Nov 09:14 to 18 Nov 10:03:/).waitFor()
  expect(await soul.getAttribute("aria-expanded")).toBe("true")
  await page.getByRole("link", { name: "Show it in these calls" }).focus()
  await page.keyboard.press("Enter")
  await page.locator(".text-pane").first().waitFor()
  expect(inAddress(page, "line")).toBe("SOUL.md:1")
})

test("a click in the treemap opens the row", async () => {
  const page = await looking()
  await page.locator(".treemap-leaf", { hasText: "AGENTS.md" }).click()
  await expect
    .poll(() => page.getByRole("button", { name: /^AGENTS\.md/ }).getAttribute("aria-expanded"))
    .toBe("true")
})

test("by day, session, person and model; from a day to its sessions, from a person to theirs, and on to the text", async () => {
  const page = await looking()
  const way = (name: string) => page.getByRole("navigation", { name: "Sum up" }).getByRole("link", { name })
  await way("By day").click()
  await page.getByRole("link", { name: "2026-11-18", exact: true }).click()
  await expect.poll(() => inAddress(page, "day")).toBe("2026-11-18")
  await page.getByRole("link", { name: "When is the next tide window for the jetty?", exact: true }).waitFor()
  await way("By model").click()
  await page.getByRole("rowheader", { name: "anthropic/claude-sonnet-5-5" }).waitFor()
  await way("By person").click()
  await page.getByRole("link", { name: "ada", exact: true }).click()
  await page.getByText("Only sessions of ada.").waitFor()
  await page.getByRole("link", { name: /^Its texts ?: When is/ }).click()
  await page.getByText("Only one session.").waitFor()
  await page.getByRole("button", { name: /^SOUL\.md/ }).waitFor()
  await way("By session").click()
  await page.getByRole("link", { name: "When is the next tide window for the jetty?", exact: true }).click()
  await page.getByRole("heading", { name: "Cache misses" }).waitFor()
})

test("axe finds nothing, in the light, in the dark, and on a phone, where there is only the table", async () => {
  const opened = await world()
  const page = await operator(opened, { width: 360 })
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    for (const way of ["By text", "By day", "By session"]) {
      await page.getByRole("link", { name: way, exact: true }).click()
      await page.locator('.cost-shown[aria-busy="false"] .money-table').waitFor()
      expect(await axeProblems(page)).toEqual([])
      expect(await widerThanWindow(page)).toEqual([])
    }
    expect(await page.locator(".treemap").count()).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  await page.getByRole("link", { name: "By text", exact: true }).click()
  const treemap = page.locator(".treemap")
  await treemap.waitFor()
  await page.setViewportSize({ width: 360, height: 800 })
  await treemap.waitFor({ state: "hidden" })
})

test("without full trust the view says why it is empty; a period without calls leads to all time", async () => {
  const opened = await world({ messages: ["Hello."] })
  const { page } = await openPage({ url: opened.url, at: "/?view=cost", token: await opened.token("mirela") })
  await page.getByRole("heading", { name: "Costs need full trust" }).waitFor()
  const other = await operator(opened)
  await other.goto(`${opened.url}/?view=cost&day=2001-01-01`)
  await other.getByRole("link", { name: "Look at all time" }).click()
  await other.locator(".money-table").waitFor()
})

const HOSTILE = '<img src=x onerror="alert(1)">\u202e gnitirw'

test("hostile titles are text", async () => {
  const opened = await world({ messages: [HOSTILE] })
  const page = await operator(opened, { at: "/?view=cost&since=all&by=session" })
  expect(await page.locator("tbody th").first().innerText()).toContain("<img src=x onerror")
  expect(await page.locator("tbody th").first().innerText()).toContain("‹U+202E›")
  expect(await page.locator("img").count()).toBe(0)
})
