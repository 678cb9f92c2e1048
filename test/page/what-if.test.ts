// What if in a real browser: every control by keyboard, the comparison, the patch and its application, and what it does
// with texts that are made to break it.
import type { Locator, Page } from "playwright-core"
import { expect, test } from "vitest"
import { incipit } from "../../src/profiles/incipit/incipit.ts"
import { axeProblems, widerThanWindow } from "./axe.ts"
import { type OpenOptions, openPage } from "./browser.ts"
import { openWhatIfWorld, type WhatIfWorld } from "./what-if-world.ts"

const SAME_BYTES = "with the same bytes as on the server"

async function openWhatIf(world: WhatIfWorld, options: Partial<OpenOptions> = {}): Promise<Page> {
  const { page } = await openPage({
    ...{ url: world.url, code: world.code, at: "/?view=what-if", ...options },
  })
  await page.locator(".what-if[aria-busy=false]").waitFor()
  return page
}

test("by keyboard alone: a person, the budget, a section and a text change, and the patch is applied", async () => {
  const world = await openWhatIfWorld()
  const page = await openWhatIf(world)
  await page.getByText(SAME_BYTES).waitFor()
  await tabTo(page, page.getByLabel("Person", { exact: true }))
  await page.keyboard.type("mir")
  await settled(page)
  expect(await row(page, "user")).toMatch(/users\/mirela\/USER\.md/)
  expect(await row(page, "git")).toMatch(/not used.*→.*withheld.*needs full trust, has familiar/s)
  await tabTo(page, page.getByRole("button", { name: "Reset person" }), "Shift+Tab")
  await page.keyboard.press("Enter")
  await settled(page)
  expect(await page.getByText("The text is the same.").isVisible()).toBe(true)
  const budget = page.getByLabel("Budget", { exact: true })
  await tabTo(page, budget)
  await page.keyboard.press("ControlOrMeta+A")
  await page.keyboard.type("3000")
  await settled(page)
  expect(await row(page, "skills")).toMatch(/sent.*→.*dropped|truncated/s)
  await tabTo(page, page.getByRole("button", { name: "Reset budget" }), "Shift+Tab")
  await page.keyboard.press("Enter")
  await tabTo(page, page.getByLabel("on: skills", { exact: true }))
  await page.keyboard.press("Space")
  await settled(page)
  expect(await row(page, "skills")).toMatch(/included.*→.*not used.*switched off/s)
  await tabTo(page, page.getByRole("button", { name: "Edit soul" }), "Shift+Tab")
  await page.keyboard.press("Enter")
  const editor = page.getByLabel("Text of SOUL.md")
  await tabTo(page, editor)
  await page.keyboard.press("ControlOrMeta+End")
  await page.keyboard.type("Answer in one line.")
  await settled(page)
  expect(await page.locator(".text-diff-added").allTextContents()).toEqual([
    expect.stringContaining("Answer in one line."),
  ])
  await tabTo(page, page.getByRole("button", { name: "Make the patch" }))
  await page.keyboard.press("Enter")
  await tabTo(page, page.getByRole("button", { name: "Apply …" }))
  await page.keyboard.press("Enter")
  const dialog = page.getByRole("dialog", { name: "Apply the patch" })
  await dialog.getByText("SOUL.md, incipit.yaml. The agent uses it from its next turn.").waitFor()
  expect(world.read("SOUL.md")).not.toContain("Answer in one line.")
  await tabTo(page, dialog.getByRole("button", { name: "Apply", exact: true }))
  await page.keyboard.press("Enter")
  await page.getByText("Written: SOUL.md, incipit.yaml.").waitFor()
  expect(world.read("SOUL.md")).toMatch(/\nAnswer in one line\.$/)
  expect(world.read("incipit.yaml")).toMatch(/^# One agent.*\nprompt:\n {2}sections:\n {4}skills: off\n$/s)
  // The real prompt is the new one now.
  await settled(page)
  expect(await page.getByText("The text is the same.").isVisible()).toBe(true)
  expect(await page.locator(".wi-section[data-section=skills]").count()).toBe(0)
  // Nothing is left of the change.
  expect(new URL(page.url()).searchParams.get("off")).toBe(null)
  expect(await page.getByRole("button", { name: "Reset all" }).isDisabled()).toBe(true)
})

test("what is short is in the address, and a link shows the same", async () => {
  const world = await openWhatIfWorld()
  const page = await openWhatIf(world)
  await page.getByLabel("Situation", { exact: true }).selectOption("group")
  await page.getByLabel("Model", { exact: true }).selectOption("anthropic/claude-opus-5")
  await page.getByLabel("on: rules", { exact: true }).uncheck()
  await page.getByLabel("Budget", { exact: true }).fill("5000")
  await page.getByLabel("Time", { exact: true }).fill("2026-12-24T18:30")
  await settled(page)
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toEqual({
    ...{
      view: "what-if",
      situation: "group",
      model: "anthropic/claude-opus-5",
      off: "rules",
      budget: "5000",
    },
    time: String(Date.UTC(2026, 11, 24, 18, 30)),
  })
  const figures = await page.locator(".wi-figures").innerText()
  expect(figures).not.toContain("no price")
  const tokens = page.locator(".wi-figures tr", { hasText: "Input tokens" }).locator("td")
  for (const [at, name] of ["real", "changed"].entries()) {
    const stretches = await page
      .getByLabel(`Blocks of the ${name} prompt`)
      .locator("li .quiet")
      .allInnerTexts()
    const sum = stretches.reduce((before, count) => before + Number(count.replace(",", "")), 0)
    expect(sum).toBe(Number((await tokens.nth(at).innerText()).replace(/[≈, ]/g, "")))
  }
  expect(await page.getByText("Another model shares no cache").isVisible()).toBe(true)
  const link = new URL(page.url())
  // Its server ends.
  await page.close()
  const other = await openWhatIf(await world.again("anthropic/claude-sonnet-5-5"), {
    at: `${link.pathname}${link.search}`,
  })
  expect(await other.locator(".wi-figures").innerText()).toBe(figures)
  expect(await other.locator(".text-diff").innerText()).toContain("24")
  await other.getByRole("button", { name: "Reset all" }).click()
  await settled(other)
  expect(new URL(other.url()).search).toBe("?view=what-if")
  expect(await other.getByText("The text is the same.").isVisible()).toBe(true)
})

test("a file that changed since the patch was shown is not overwritten, and the page says so", async () => {
  const world = await openWhatIfWorld()
  const page = await openWhatIf(world, {
    at: "/?view=what-if&edit=file+SOUL.md",
    // The browser writes each refused request on its console.
    provoked: /409 \(Conflict\)/,
  })
  const patch = page.getByRole("group", { name: "The patch" })
  await page.getByLabel("Text of SOUL.md").fill("Shorter.\n")
  await page.getByRole("button", { name: "Make the patch" }).click()
  await patch.waitFor()
  // It is not that of another change.
  await page.getByLabel("Text of SOUL.md").fill("Short.\n")
  await patch.waitFor({ state: "detached" })
  await page.getByRole("button", { name: "Make the patch" }).click()
  await page.getByRole("button", { name: "Apply …" }).click()
  world.write("SOUL.md", "Written by somebody else.\n")
  await page.getByRole("dialog").getByRole("button", { name: "Apply", exact: true }).click()
  await page.getByText("The files have changed since the patch was shown. Nothing was written.").waitFor()
  expect(world.read("SOUL.md")).toBe("Written by somebody else.\n")
})

test("texts from files and people are shown as text, whatever is in them", async () => {
  const hostile =
    '<img src=x onerror="document.title=1"><script>document.title=2</script> \u202edesrever\u202c {{x}}'
  const world = await openWhatIfWorld({
    files: {
      "rules/<b>&amp;.md": `${hostile}\n`,
      "SOUL.md": `${hostile}\n${"x".repeat(5_000)}\n${"many words ".repeat(2_000)}\n`,
      "incipit.yaml": `users:\n  ada: { trust: full, match: ["terminal:*"] }\n  '<i>mal\u202e</i>': { trust: familiar }\n`,
    },
  })
  const page = await openWhatIf(world, { width: 360, height: 640 })
  await page.getByLabel("Person", { exact: true }).selectOption({ index: 2 })
  await settled(page)
  await page.getByLabel("Message", { exact: true }).fill(hostile)
  await settled(page)
  await page.getByRole("button", { name: "Edit soul" }).click()
  await page.getByLabel("Text of SOUL.md").fill("</soul><base>\n")
  await settled(page)
  await page.getByRole("button", { name: "Make the patch" }).click()
  await page.getByRole("group", { name: "The patch" }).waitFor()
  expect(await page.locator(".what-if img, .what-if script, .what-if i, .what-if b").count()).toBe(0)
  expect(await page.title()).toMatch(/^What if/)
  expect(await page.locator(".what-if").innerText()).not.toMatch(/[\u202a-\u202e]/)
  expect(await widerThanWindow(page)).toEqual([])
  await page.goto(`${world.url}/?view=what-if&time=9999999999999999`)
  await page.getByRole("alert").waitFor()
  expect(await page.getByRole("alert").innerText()).toMatch(/time/)
})

test("a profile of the workspace's own is said not to run here, and the server still compiles for others", async () => {
  const world = await openWhatIfWorld({ profile: { ...incipit, name: "keeper" } })
  const page = await openWhatIf(world)
  await page.getByText("is code of this workspace, and the browser runs none of it").waitFor()
  expect(await page.getByLabel("Budget", { exact: true }).count()).toBe(0)
  await page.getByLabel("Situation", { exact: true }).selectOption("group")
  await settled(page)
  expect(await row(page, "situation")).toMatch(/not used.*→.*included/s)
})

test("a page that compiles other bytes than its server says so, and shows what the server compiled", async () => {
  const world = await openWhatIfWorld()
  const { page } = await openPage({ url: world.url, code: world.code, at: "/?view=prompt" })
  // As a server of another version does.
  await page.route("**/api/what-if", async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll("<soul>", "<soul >") })
  })
  await page.getByRole("link", { name: "What if", exact: true }).click()
  await page.getByText("This browser does not compile what the server compiles").waitFor()
  expect(await page.getByLabel("Budget", { exact: true }).count()).toBe(0)
  expect(await page.getByRole("button", { name: "Make the patch" }).count()).toBe(0)
})

test("whoever is not an operator has no such view", async () => {
  const world = await openWhatIfWorld()
  const token = await world.token("ada", "dm", ["talk", "read"])
  const { page } = await openPage({ url: world.url, token, at: "/?view=what-if" })
  await page.getByRole("heading", { name: "Not shown here" }).waitFor()
  expect(await page.getByRole("link", { name: "Prompt" }).isVisible()).toBe(true)
  expect(await page.getByRole("link", { name: "What if" }).count()).toBe(0)
})

test("axe finds nothing, in the light and in the dark, and on a phone", async () => {
  const world = await openWhatIfWorld()
  for (const options of [{ width: 1280 }, { width: 360, height: 640, dark: true }]) {
    const at = "/?view=what-if&person=mirela&situation=group&off=rules&edit=file+SOUL.md"
    const page = await openWhatIf(await world.again("anthropic/claude-sonnet-5-5"), { ...options, at })
    await page.getByLabel("Text of SOUL.md").fill("Short.\n")
    await page.getByLabel("without text").check()
    await settled(page)
    await page.getByRole("button", { name: "Make the patch" }).click()
    await page.getByRole("group", { name: "The patch" }).waitFor()
    expect(await axeProblems(page)).toEqual([])
    expect(await widerThanWindow(page)).toEqual([])
    await page.getByRole("button", { name: "Apply …" }).click()
    expect(await axeProblems(page)).toEqual([])
    await page.close()
  }
})

/** Waits until what is shown belongs to the settings. */
async function settled(page: Page): Promise<void> {
  // A change is in the page before the next frame.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await page.locator(".what-if[aria-busy=false]").waitFor()
}

function row(page: Page, section: string): Promise<string> {
  return page.locator(`.wi-section[data-section="${section}"]`).innerText()
}

const MOST_KEYS = 300

async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  await target.waitFor()
  for (let pressed = 0; pressed < MOST_KEYS; pressed += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`the keyboard does not reach ${target}`)
}
