// The prompt of a call in a real browser, in front of a real gateway whose agent has talked: by mouse and by keyboard, for
// an operator and for others.
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

async function operator({ url, code }: PromptWorld, options: Partial<OpenOptions> = {}): Promise<Page> {
  const { page } = await openPage({ url, code, at: "/?view=prompt", ...options })
  await page.locator(".text-pane, .no-text").first().waitFor()
  return page
}

const lookAt = oneWorldToLookAt()

/** The same page, of the world that nobody changes. */
async function looking(options: Partial<OpenOptions> = {}): Promise<Page> {
  const { page } = await lookAt({ at: "/?view=prompt", ...options })
  await page.locator(".text-pane, .no-text").first().waitFor()
  return page
}

const slider = (page: Page) => page.getByRole("slider", { name: "Call" })
const wordsOf = (page: Page) => slider(page).getAttribute("aria-valuetext")
const figures = (page: Page) => page.locator(".figures").innerText()
/** A place in the address. */
const inAddress = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

test("the newest call is shown first: figures, blocks, what was sent, and what was not and why", async () => {
  const page = await operator(await world())
  expect(await wordsOf(page)).toMatch(
    /^Call 10 of 10, 10:03, 9,[01]\d\d tokens, 96% from the cache, \$0\.0018$/,
  )
  expect(await figures(page)).toMatch(
    /^this call\n\$0\.0018\ntokens\n9,[01]\d\d\nfrom the cache\n96%\nsince the last call\n\+33\d\noutput\n7\nmodel\nanthropic\/claude-sonnet-5-5$/,
  )
  const blocks = page.getByRole("region", { name: "Blocks of the prompt" })
  expect(
    await blocks
      .getByRole("button")
      .evaluateAll((all) => all.map((one) => one.getAttribute("title")?.split(":")[0])),
  ).toEqual([...["tools", "rarely changes", "per session", "conversation", "turn context"]])
  expect(await blocks.locator("li").allInnerTexts()).toEqual([
    expect.stringMatching(/^read from the cache 8,7\d\d$/),
    expect.stringMatching(/^written to the cache 33\d$/),
  ])
  const sections = page.getByRole("region", { name: "Sections" })
  expect(await sections.locator('[data-key="soul"]').innerText()).toMatch(
    /^soul\nSOUL\.md:1-30\n4\d\d\n included\nread\nunder \$0\.0001$/,
  )
  expect(await sections.locator('[data-key="missing:git"]').innerText()).toBe(
    "git\n not used: The working directory isn't in a Git repository, or its state wasn't read.",
  )
})

test("the figures of the list add up to the tokens of the call", async () => {
  const page = await looking()
  const tokens = await page
    .locator(".sections-group > ul > li > .row .row-tokens")
    .evaluateAll((all) => all.map((one) => Number(one.textContent?.replaceAll(",", ""))))
  const sum = tokens.reduce((total, one) => total + one, 0)
  const whole = Number((await page.locator(".row-whole .row-tokens").innerText()).replaceAll(",", ""))
  // Each is rounded by itself.
  expect(Math.abs(sum - whole)).toBeLessThan(tokens.length)
})

test("arrow keys, m and the space bar move through the calls, and the address follows", async () => {
  const page = await looking()
  await page.keyboard.press("m")
  await expect
    .poll(() => wordsOf(page))
    .toMatch(
      /^Call 5 of 10, 09:59, 7,5\d\d tokens, 0% from the cache, \$0\.0190, cache miss: 43 min pause, \$0\.0169$/,
    )
  expect(await page.locator(".miss-note").innerText()).toMatch(
    /Cache miss: 43 min pause[\s\S]*It read 0 of 7,0\d\d cached tokens\. The cache expired: 43 min since the previous call, TTL 5 min\./,
  )
  await page.keyboard.press("ArrowLeft")
  await expect.poll(() => wordsOf(page)).toContain("Call 4 of 10")
  await slider(page).focus()
  await page.keyboard.press("Home")
  await expect.poll(() => wordsOf(page)).toContain("Call 1 of 10")
  await page.keyboard.press("ArrowRight")
  await expect.poll(() => wordsOf(page)).toContain("Call 2 of 10")
  await expect.poll(() => inAddress(page, "call")).toMatch(/\.2$/)
  const link = page.url()
  await page.keyboard.press(" ")
  await expect.poll(() => wordsOf(page)).toContain("Call 10 of 10")
  await page.goto(link)
  await expect.poll(() => wordsOf(page)).toContain("Call 2 of 10")
})

test("a button that has the focus takes the space bar for itself", async () => {
  const page = await looking()
  await page.locator('[data-key="soul"]').focus()
  await page.keyboard.press(" ")
  await expect.poll(() => inAddress(page, "section")).toBe("soul")
  expect(await wordsOf(page)).toContain("Call 10 of 10")
})

test("dragging stops at a miss until one pulls on, and shows its price", async () => {
  const page = await looking()
  const box = await slider(page).boundingBox()
  const pitch = 40
  const at = (call: number) => [box!.x + (call - 0.5) * pitch, box!.y + 40] as const
  await page.mouse.move(...at(8))
  await page.mouse.down()
  await expect.poll(() => wordsOf(page)).toContain("Call 8 of 10")
  await page.mouse.move(...at(3))
  await expect.poll(() => wordsOf(page)).toContain("Call 5 of 10")
  await page.mouse.move(at(3)[0] - 10, at(3)[1])
  expect(await page.locator(".miss-note").getAttribute("data-miss")).toBe("yes")
  expect(await wordsOf(page)).toContain("Call 5 of 10")
  await page.mouse.move(...at(2))
  await expect.poll(() => wordsOf(page)).toContain("Call 2 of 10")
  await page.mouse.up()
})

test("a click on a word lights up its file and line, and a line says in which calls it was sent", async () => {
  const page = await looking()
  await page.locator('[data-key="soul"]').click()
  await page.getByText("Short sentences. Plain words.").click({ position: { x: 150, y: 8 } })
  await expect.poll(() => inAddress(page, "line")).toBe("SOUL.md:5")
  const lit = page.locator('.text-row[data-lit="yes"]')
  expect(await lit.locator(".text-margin").innerText()).toBe("5")
  expect(await lit.locator(".mark-word").innerText()).toMatch(/^[A-Za-z]+$/)
  await expect
    .poll(() => page.locator(".carried-sum").innerText())
    .toMatch(/^Sent with 9 calls of this session: 1\d\d tokens, \$0\.\d+, 18 Nov 09:14 to 18 Nov 10:03\.$/)
  await expect.poll(() => wordsOf(page)).toMatch(/^Call 10 of 10.*, pointed out$/)
  await page.locator(".text-margin", { hasText: /^7$/ }).first().click()
  await expect.poll(() => inAddress(page, "line")).toBe("SOUL.md:7")
  expect(await page.locator(".mark-word").count()).toBe(0)
  const link = page.url()
  await page.goto("about:blank")
  await page.goto(link)
  await expect
    .poll(() => page.locator('.text-row[data-lit="yes"] .text-margin').first().innerText())
    .toBe("7")
  expect(await page.locator(".reading-head").innerText()).toContain("soul")
})

test("the arrow keys go from line to line of the text", async () => {
  const page = await looking({ at: "/?view=prompt&section=soul" })
  const text = page.getByRole("listbox", { name: "Text of soul" })
  await text.focus()
  await page.keyboard.press("ArrowDown")
  await expect.poll(() => inAddress(page, "line")).toBe("SOUL.md:1")
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("ArrowDown")
  await expect.poll(() => inAddress(page, "line")).toBe("SOUL.md:3")
  const active = await text.getAttribute("aria-activedescendant")
  expect(await page.locator(`#${active}`).innerText()).toContain("## Voice")
  // It scrolls the text, and plays nothing.
  await page.keyboard.press(" ")
  expect(await wordsOf(page)).toContain("Call 10 of 10")
})

test("a section says why it was sent, since when it is cached, and what an edit would cost", async () => {
  const page = await looking({ at: "/?view=prompt&section=soul" })
  const facts = await page.locator(".facts").innerText()
  expect(facts).toMatch(
    /^Sent because\nrequired, open to familiar trust and above\nCached since\n09:59, read 5 times\nIf you edit it\n5,4\d\d tokens written again, about \$0\.01\d\d more now, about \$0\.00\d\d when the prompt is rebuilt anyway \(estimated\)$/,
  )
  const link = page.getByRole("link", { name: "Edit and compare" })
  expect(new URLSearchParams((await link.getAttribute("href"))!.slice(2)).get("section")).toBe("soul")
})

test("words are found in the whole prompt, and Enter goes from place to place", async () => {
  const page = await looking({ at: "/?view=prompt&section=soul" })
  await page.keyboard.press("f")
  await page.keyboard.type("fresnel lens")
  const found = page.locator(".find-count")
  await expect.poll(() => found.innerText()).toMatch(/^1 of \d$/)
  expect(await page.locator(".mark-found-here").innerText()).toBe("Fresnel lens")
  await page.getByRole("textbox", { name: "Find in this prompt" }).fill("lamp-log")
  await expect.poll(() => page.locator(".reading-head").innerText()).toContain("Whole prompt")
  await page.keyboard.press("Enter")
  await expect.poll(() => found.innerText()).toMatch(/^2 of \d+$/)
  expect(await page.locator(".mark-found-here").innerText()).toBe("lamp-log")
  // From the first place to the last one.
  await page.keyboard.press("Shift+Enter")
  await page.keyboard.press("Shift+Enter")
  await expect.poll(() => found.innerText()).toMatch(/^(\d+) of \1$/)
  await page.getByRole("textbox", { name: "Find in this prompt" }).fill("not in here at all")
  await expect.poll(() => found.innerText()).toBe("not in this prompt")
})

test("a block of the bar is chosen with the keyboard, and its text is shown", async () => {
  const page = await looking()
  await page.getByRole("button", { name: /^per session:/ }).focus()
  await page.keyboard.press("Enter")
  await expect.poll(() => inAddress(page, "block")).toBe("system-session")
  expect(await page.locator(".reading-head").innerText()).toMatch(/^per session\n\d+ tokens/)
  expect(await page.locator(".text-pane").innerText()).toContain("Ada Lindqvist")
})

test("the request is copied as it was sent", async () => {
  const page = await looking()
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  expect(await page.locator(".actions-exact").innerText()).toBe(
    "Exact: this is what was sent, byte for byte.",
  )
  await page.getByRole("button", { name: "Copy request as JSON" }).click()
  await page.getByText("Request copied.").waitFor()
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))
  expect(copied.model).toBe("claude-sonnet-5-5")
})

test("a section that this call does not have says so, and a name of something missing gives its reason", async () => {
  const page = await looking({ at: "/?view=prompt&section=nothing" })
  expect(await page.locator(".no-text").innerText()).toContain("This call has nothing with this name.")
  await page.locator('[data-key="missing:git"]').click()
  await expect
    .poll(() => page.locator(".no-text").innerText())
    .toBe(
      "Not in this prompt: not used. The working directory isn't in a Git repository, or its state wasn't read.",
    )
})

test("an operator sees what was withheld from somebody, and why", async () => {
  const page = await operator(await world({ as: "mirela" }))
  await page.locator('[data-key="withheld:USER.md"]').click()
  await expect
    .poll(() => page.locator(".no-text").innerText())
    .toBe("Not in this prompt: withheld. Needs inner trust.")
  expect(await page.locator(".reading-head").innerText()).toBe("USER.md")
})

test("others see their own prompt, and nothing of what is withheld or of what it cost", async () => {
  const opened = await world({ as: "mirela" })
  const owner = await operator(opened)
  expect(await owner.locator(".row-missing", { hasText: "withheld" }).count()).toBeGreaterThan(0)
  const { page } = await openPage({
    url: opened.url,
    token: await opened.token("mirela"),
    at: "/?view=prompt",
  })
  await page.locator(".text-pane").waitFor()
  expect(await page.locator(".row-missing").count()).toBe(0)
  expect(await page.locator("main").innerText()).not.toMatch(/withheld|\$\d|If you edit it/)
})

test("whoever may read and not operate sees what it cost, and nothing about changing it", async () => {
  const opened = await world({ messages: ["Hello."] })
  const token = await opened.token("ada", "dm", ["read"])
  const { page } = await openPage({ url: opened.url, token, at: "/?view=prompt&section=identity" })
  await page.getByText("Sent because").waitFor()
  const text = await page.locator("main").innerText()
  expect(text).toMatch(/\$\d/)
  expect(text).not.toMatch(/If you edit it|Edit and compare/)
})

test.each([
  { width: 360, height: 740, dark: false },
  { width: 768, height: 1_024, dark: true },
  { width: 1_280, height: 800, dark: false },
  { width: 2_560, height: 1_300, dark: true },
])("axe finds nothing, and nothing is cut off, at $width pixels", async (size) => {
  const page = await looking({ ...size, at: "/?view=prompt&section=soul&line=SOUL.md:5" })
  await page.locator(".carried-sum", { hasText: "Sent with" }).waitFor()
  expect(await axeProblems(page)).toEqual([])
  expect(await widerThanWindow(page)).toEqual([])
  await page.keyboard.press("m")
  await page.locator('.miss-note[data-miss="yes"]').waitFor()
  expect(await axeProblems(page)).toEqual([])
  expect(await widerThanWindow(page)).toEqual([])
})

test("moving through the calls shifts nothing: figures, timeline, bar and panes stay where they are", async () => {
  const page = await looking()
  const places = () =>
    page.evaluate(() =>
      [".figures", ".timeline", ".block-bar", ".panes"].map((name) => {
        const { top, height } = document.querySelector(name)!.getBoundingClientRect()
        return name === ".panes" ? top : [top, height]
      }),
    )
  const before = await places()
  for (let call = 9; call > 0; call -= 1) {
    await page.keyboard.press("ArrowLeft")
    await expect.poll(() => wordsOf(page)).toContain(`Call ${call} of 10`)
    await page.locator('.call[aria-busy="false"]').waitFor()
    expect(await places()).toEqual(before)
  }
})
