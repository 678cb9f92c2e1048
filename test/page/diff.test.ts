// Diff in a real browser: two calls by section and by line, other sessions, and the prompt as it would be now.
import type { Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import { axeProblems, widerThanWindow } from "./axe.ts"
import { type OpenOptions, openPage } from "./browser.ts"
import { openPromptWorld, type PromptWorld, type PromptWorldOptions } from "./prompt-world.ts"

async function world(options: PromptWorldOptions = {}): Promise<PromptWorld> {
  const opened = await openPromptWorld(options)
  onTestFinished(() => opened.close())
  return opened
}

async function operator({ url, code }: PromptWorld, options: Partial<OpenOptions> = {}): Promise<Page> {
  const { page } = await openPage({ url, code, at: "/?view=diff", ...options })
  await page.locator(".diff-sum").waitFor()
  return page
}

const inAddress = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const sum = (page: Page) => page.locator(".diff-sum").innerText()
const parts = (page: Page) =>
  page
    .locator(".diff-row")
    .evaluateAll((rows) =>
      rows.map((row) =>
        [
          row.querySelector(".diff-sign")?.textContent,
          row.querySelector(".diff-name")?.firstChild?.textContent,
        ].join(" "),
      ),
    )

test("the newest call and the one before it: sections that came, went and changed, and the lines of one", async () => {
  const page = await operator(await world())
  expect(await sum(page)).toMatch(
    /^\d added, \d removed, \d changed\. 8,\d\d\d to 9,\d\d\d tokens, \+\d\d\d\.$/,
  )
  expect(await parts(page)).toContain("± recall")
  await page.getByRole("button", { name: /^recall/ }).focus()
  await page.keyboard.press("Enter")
  await expect.poll(() => inAddress(page, "part")).toBe("recall")
  const text = page.getByRole("region", { name: "recall" })
  expect(await text.locator(".text-diff-sign").allInnerTexts()).toContain("−")
  expect(await text.locator(".text-diff-sign").allInnerTexts()).toContain("+")
  await page.getByRole("checkbox", { name: /unchanged/ }).check()
  expect(await parts(page)).toContain("= soul")
})

test("by keyboard: another call, the sides swapped, and back; the address shows it to others", async () => {
  const opened = await world()
  const page = await operator(opened)
  const left = page.getByRole("spinbutton", { name: "Before: call" })
  await left.fill("1")
  await left.press("Enter")
  await page.getByRole("spinbutton", { name: "After: call" }).focus()
  await expect.poll(() => sum(page)).toMatch(/ to 9,\d\d\d tokens, \+\d,\d\d\d\.$/)
  await page.getByRole("button", { name: "Swap" }).focus()
  await page.keyboard.press("Enter")
  await expect.poll(() => sum(page)).toMatch(/^.*9,\d\d\d to \d,\d\d\d tokens, −\d,\d\d\d\.$/)
  const { pathname, search } = new URL(page.url())
  const shown = await sum(page)
  await page.goto(`${opened.url}${pathname}${search}`)
  await page.locator(".diff-sum").waitFor()
  expect(await sum(page)).toBe(shown)
})

test("as it would be now: an edited file, another person, another profile", async () => {
  const opened = await world()
  const page = await operator(opened)
  await page.getByRole("combobox", { name: "Before: what" }).selectOption("(now)")
  await page.getByRole("combobox", { name: "After: what" }).selectOption("(now)")
  await expect.poll(() => sum(page)).toMatch(/^No differences\./)
  await page.getByRole("combobox", { name: "After: person" }).selectOption("u:mirela")
  await expect.poll(() => sum(page)).toMatch(/removed/)
  await expect.poll(() => parts(page)).toContain("− delegate")
  // The tools stand first, but nothing of theirs can be read, and more of the base text has changed.
  expect(await page.locator(".diff-text h2").innerText()).toBe("base")
  await page.getByRole("combobox", { name: "After: profile" }).selectOption("pi")
  await expect.poll(() => parts(page)).toContain("+ pi/skills")
})

test("a prompt that was sent and the same one now differ by what was edited since", async () => {
  const opened = await world()
  const page = await operator(opened)
  const right = inAddress(page, "right")
  await page.getByRole("combobox", { name: "Before: what" }).selectOption("(now)")
  await expect.poll(() => sum(page)).toContain("has no conversation")
  expect(inAddress(page, "right")).not.toBe(right)
  await page.getByRole("button", { name: /^soul/ }).click()
  const text = page.getByRole("region", { name: "soul" })
  await text.waitFor()
  // The call was sent before the file was edited, and the agent waits for the next version to write it.
  const removed = await text.locator(".text-diff-removed .text-diff-text").allInnerTexts()
  expect(removed.join("\n")).toContain("Keep answers short on Fridays.")
  // Of the tools there is a text on one side only, and everything else is as it was.
  await page.getByRole("checkbox", { name: /unchanged, \d\d not compared$/ }).check()
  const all = await parts(page)
  expect(all.filter((name) => /^. (?:base|identity|rules|guidelines|delegate|edit)$/.test(name))).toEqual([
    ...["? delegate", "? edit", "= base", "= identity", "= guidelines", "= rules"],
  ])
  await page.getByRole("button", { name: /^edit/ }).click()
  await page.getByText("Its text isn't known on both sides.").waitFor()
})

test("a session without calls says so", async () => {
  const opened = await world({ messages: ["Hello."] })
  const session = await opened.send("Thanks.")
  const token = await opened.token("ada", "dm", ["talk", "read"])
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const forked = await fetch(`${opened.url}/api/sessions/${session}/fork`, {
    method: "POST",
    headers,
    body: "{}",
  })
  const { session: branch } = (await forked.json()) as { readonly session: string }
  const page = await operator(opened, { at: `/?view=diff&session=${session}` })
  const before = page.getByRole("group", { name: "Before" })
  await before.getByRole("combobox", { name: "Before: session" }).selectOption(branch)
  await before.getByText("No calls in this session.").waitFor()
})

test("a session with one call has nothing to compare with, and says what has", async () => {
  const opened = await world()
  // Every later answer is one call.
  const headers = { authorization: `Bearer ${await opened.token("ada")}`, "content-type": "application/json" }
  const body = JSON.stringify({ model: "main", messages: [{ role: "user", content: "Hello." }] })
  const answered = await fetch(`${opened.url}/v1/chat/completions`, { method: "POST", headers, body })
  const session = answered.headers.get("x-incipit-session") ?? ""
  const page = await operator(opened, { at: `/?view=diff&session=${session}` })
  await page.getByText("This session has one call. Choose another session, or As it would be now.").waitFor()
})

test("the text of a part stays beside it, however far down the list it is", async () => {
  const page = await operator(await world(), { at: "/?view=diff&all=1" })
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await page.locator(".diff-row").last().click()
    const box = await page.locator(".diff-text h2").boundingBox()
    expect(box?.y).toBeGreaterThan(47)
    expect(box?.y).toBeLessThan(700)
    await page.locator(".diff-row").nth(3).click()
  }
})

test("axe finds nothing, in the light, in the dark, and on a phone", async () => {
  const opened = await world()
  const page = await operator(opened, { at: "/?view=diff&all=1", width: 360 })
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    expect(await axeProblems(page)).toEqual([])
    expect(await widerThanWindow(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
  }
})

test("others compare their own calls only", async () => {
  const opened = await world({ messages: ["Hello."] })
  const owner = await operator(opened)
  await expect.poll(() => inAddress(owner, "right")).toBeNull()
  const token = await opened.token("mirela")
  const { page } = await openPage({ url: opened.url, at: "/?view=diff", token })
  await page.getByRole("heading", { name: "Nothing to compare yet" }).waitFor()
})

const HOSTILE = '<img src=x onerror="alert(1)">\u202e gnitirw'

test("hostile text is text, with what cannot be seen as numbers", async () => {
  const opened = await world({ messages: ["Hello.", HOSTILE] })
  const page = await operator(opened)
  const left = page.getByRole("spinbutton", { name: "Before: call" })
  await left.fill("1")
  await left.press("Enter")
  await page.getByRole("button", { name: /^User messages/ }).click()
  const added = page.locator(".text-diff-added .text-diff-text")
  await added.first().waitFor()
  expect((await added.allInnerTexts()).join("\n")).toContain('<img src=x onerror="alert(1)">‹U+202E› gnitirw')
  expect(await page.locator("img").count()).toBe(0)
})
