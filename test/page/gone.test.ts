// Links to what is not there any more, a server and a sign-in that have ended: the page says what is missing and how to
// go on.
import type { Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import { axeProblems } from "./axe.ts"
import { openPage } from "./browser.ts"
import { oneWorldToLookAt, openPromptWorld } from "./prompt-world.ts"

const look = oneWorldToLookAt()
const NOT_FOUND = /Failed to load resource.*404/
const UNREACHED = /Failed to (?:load resource|fetch)|ERR_CONNECTION|EventSource|reconnect/i

test("a link to a call that was removed says that another one is shown, until one chooses a call", async () => {
  const { page } = await look({ at: "/?view=prompt&call=gone" })
  const note = page.getByText("The call of this link isn't in this session any more.")
  await note.waitFor()
  await page.locator(".call[aria-busy=false]").waitFor()
  expect(await axeProblems(page)).toEqual([])
  await page.keyboard.press("ArrowLeft")
  await note.waitFor({ state: "detached" })
})

test("a link to a session that was removed says so, and the list of sessions names the choice", async () => {
  const { page } = await look({ at: "/?view=cache&session=gone", provoked: NOT_FOUND })
  await page.getByRole("heading", { name: "This session isn't here any more" }).waitFor()
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0)
  const list = page.getByLabel("Session", { exact: true })
  expect(await list.locator("option:checked").innerText()).toBe("Not in this list")
  await list.selectOption({ index: 1 })
  await page.getByRole("heading", { name: "Cache misses" }).waitFor()
})

test("a link to a person who is gone can be taken back in What if", async () => {
  const { page } = await look({ at: "/?view=what-if&person=nobody", provoked: /400|404/ })
  await page.getByText('incipit.yaml has no user "nobody"').waitFor()
  await page.getByRole("button", { name: "Reset all" }).focus()
  await page.keyboard.press("Enter")
  await page.locator(".what-if[aria-busy=false]").waitFor()
})

test("a view that is first opened after the server has ended says that the server cannot be reached", async () => {
  const world = await openPromptWorld({ messages: ["Hello."] })
  const token = await world.token(undefined, "dm", ["read", "operate"])
  const { page } = await openPage({ url: world.url, token, at: "/?view=prompt", provoked: UNREACHED })
  await page.locator(".call[aria-busy=false]").waitFor()
  await world.close()
  await page.getByRole("link", { name: "Cost" }).click()
  await page.getByText("The server cannot be reached. Is it still running?").waitFor()
})

test("a view whose script is lost says so, and no other view does", async () => {
  const { page } = await look({ at: "/?view=cache", provoked: /Failed to load resource|ERR_FAILED/ })
  await page.getByRole("heading", { name: "Cache misses" }).waitFor()
  await page.route(/cost-view-.*\.js/, (route) => route.abort())
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  await page.route("**/api/page", async (route) => {
    asked.resolve()
    await answer.promise
    await route.continue()
  })
  await page.getByRole("link", { name: "Cost" }).click()
  await asked.promise
  await page.getByRole("link", { name: "Cache" }).click()
  const answered = page.waitForResponse("**/api/page")
  answer.resolve()
  await answered
  await page.getByRole("heading", { name: "Cache misses" }).waitFor()
  await page.getByRole("link", { name: "Cost" }).click()
  await page.getByText("This view could not be loaded. Load the page again.").waitFor()
})

test("a sign-in that has ended leads to the form, which knows the way back", async () => {
  const world = await openPromptWorld({ messages: ["Hello.", "Thanks."] })
  onTestFinished(() => world.close())
  // Who may not approve anything asks for nothing by the clock.
  const token = await world.token(undefined, "dm", ["read"])
  for (const leave of [
    // A view that was opened before, and reads its data; one whose script is only for those who are signed in.
    async (page: Page) => page.getByRole("slider", { name: "Call" }).press("Home"),
    async (page: Page) => page.getByRole("link", { name: "Cost" }).click(),
  ]) {
    const { page } = await openPage({
      ...{ url: world.url, token, at: "/?view=prompt", provoked: /status of 40[14]|MIME type/ },
    })
    await page.locator(".call[aria-busy=false]").waitFor()
    await page.waitForLoadState("networkidle")
    await page.context().clearCookies()
    await leave(page)
    await page.waitForURL(/\/login\?next=%2F%3F.*view%3D/)
  }
})
