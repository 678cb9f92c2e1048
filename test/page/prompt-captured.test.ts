// Calls of another client on the page of `inspect`: its list is of owners, found in real files of a project.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import { inspectedPage } from "../../src/serve/page/inspected-page.ts"
import { openInspector } from "../../src/serve/page/open-inspector.ts"
import { callsOf, drafts, FIRST, lines, MINUTE } from "../capture/bill/conversation.ts"
import { sourceOver, writeCalls } from "../serve/page/captured-files.ts"
import { axeProblems, widerThanWindow } from "./axe.ts"
import { type OpenOptions, openPage } from "./browser.ts"

interface Captured {
  readonly project: string
  open(options?: Partial<OpenOptions>): Promise<Page>
}

/** Nine calls: a line of the system text changes before the fifth, and the last three come after a pause. */
async function captured(): Promise<Captured> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-captured-")))
  const project = join(folder, "project")
  mkdirSync(project)
  const rules = lines("The harbour", 30)
  writeFileSync(join(project, "CLAUDE.md"), rules)
  const sent = drafts(9, (draft, at) => ({
    ...draft,
    at: draft.at + (at >= 6 ? 41 * MINUTE : 0),
    system: at >= 4 ? FIRST.system.replace("rule number 9 in", "rule number 9 at") : FIRST.system,
    instructions: `Contents of ${project}/CLAUDE.md:\n\n${rules}`,
  }))
  writeCalls(folder, "calls.jsonl", callsOf(sent, { project }))
  const { source } = sourceOver(folder)
  const page = inspectedPage({ title: "tides", sources: () => [source], config: {} })
  const inspector = await openInspector({ page, port: undefined, now: Date.now, warn: () => {} })
  onTestFinished(async () => {
    await inspector.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    project,
    async open(options = {}) {
      const { url, code } = inspector
      const { page: opened } = await openPage({ url, code, at: "/?view=prompt", ...options })
      await opened.locator(".text-pane, .no-text").first().waitFor()
      return opened
    },
  }
}

const wordsOf = (page: Page) => page.getByRole("slider", { name: "Call" }).getAttribute("aria-valuetext")
const titles = (page: Page, selector: string) => page.locator(selector).allInnerTexts()

test("the list of another client's call is of owners: files, tools, servers, results, the client's own", async () => {
  const { open, project } = await captured()
  const page = await open()
  expect(await titles(page, ".sections-group h3")).toEqual([
    ...["Files", "Tools", "MCP servers", "Conversation", "Tool results", "The client's own"],
  ])
  expect(await titles(page, ".row-title > :first-child")).toEqual(
    expect.arrayContaining([`${project}/CLAUDE.md`, "Bash", "Read", "tides · list", "tides · get"]),
  )
  expect(await page.locator(".sections-head").count()).toBe(1)
  const tokens = await page
    .locator(".sections-group > ul > li > .row .row-tokens")
    .evaluateAll((all) => all.map((one) => Number(one.textContent?.replaceAll(",", ""))))
  const whole = Number((await page.locator(".row-whole .row-tokens").innerText()).replaceAll(",", ""))
  expect(Math.abs(tokens.reduce((sum, one) => sum + one, 0) - whole)).toBeLessThan(tokens.length)
})

test("a miss shows the changed text and its price", async () => {
  const { open } = await captured()
  const page = await open()
  await page.keyboard.press("M")
  await expect.poll(() => wordsOf(page)).toContain("cache miss: 42 min pause")
  await page.keyboard.press("M")
  await expect.poll(() => wordsOf(page)).toContain("Call 5 of 9")
  expect(await page.locator(".miss-note del").innerText()).toBe(
    "The agent keeps rule number 9 in its own words.",
  )
  expect(await page.locator(".miss-note ins").innerText()).toBe(
    "The agent keeps rule number 9 at its own words.",
  )
  expect(await page.locator(".miss-note .figure").innerText()).toMatch(/^\$0\.0\d+ · [\d,]+ tokens again$/)
})

test("a line of a file of the project leads to its calls, and the file can be opened in an editor", async () => {
  const { open, project } = await captured()
  const page = await open()
  await page.locator(".row", { hasText: "CLAUDE.md" }).click()
  await page.locator(".text-margin", { hasText: /^12$/ }).click()
  await expect
    .poll(() => page.locator(".carried-sum").innerText())
    .toMatch(/^Sent with 9 calls of this session: \d+ tokens, \$0\.00\d+, 9 Nov 08:00 to 9 Nov 08:49\.$/)
  expect(await page.getByRole("link", { name: "Open in editor" }).getAttribute("href")).toBe(
    `vscode://file${project}/CLAUDE.md:12`,
  )
  expect(await page.locator(".actions-exact").innerText()).toMatch(/^(?:Exact|Partial|Redacted)/)
})

test.each([
  { width: 360, height: 740, dark: false },
  { width: 1_280, height: 800, dark: true },
])("axe finds nothing in another client's call, at $width pixels", async (size) => {
  const page = await (await captured()).open(size)
  await page.keyboard.press("m")
  await expect.poll(() => wordsOf(page)).toContain("cache miss")
  expect(await axeProblems(page)).toEqual([])
  expect(await widerThanWindow(page)).toEqual([])
})
