// What if on `incipit inspect`: a folder without a running agent, read-only, compiled anew when a file changes.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Route } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import { inspecting } from "../cli/commands/inspected.ts"
import { openPage } from "./browser.ts"

test("a folder is compiled in the page as `build` compiles it, and can be saved as a patch but not applied", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-inspect-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const cwd = join(folder, "workspace")
  const home = join(folder, "home")
  mkdirSync(home)
  cpSync("examples/lighthouse", cwd, { recursive: true })
  const inspected = await inspecting({ cwd, home })
  const code = new URL(inspected.shown().out.trim().split("\n")[0] ?? "").searchParams.get("code") ?? ""
  const { page } = await openPage({ url: inspected.url, code, at: "/?view=what-if&edit=file+SOUL.md" })
  await page.getByText("with the same bytes as on the server").waitFor()
  await page.getByLabel("Person", { exact: true }).selectOption("mirela")
  await page.locator(".wi-section[data-section=user]", { hasText: "users/mirela/USER.md" }).waitFor()
  await page.getByRole("button", { name: "Reset person" }).click()
  await page.getByLabel("Text of SOUL.md").fill("Short.\n")
  await page.getByRole("button", { name: "Make the patch" }).click()
  await page.getByRole("group", { name: "The patch" }).waitFor()
  expect(await page.getByRole("button", { name: "Copy" }).isVisible()).toBe(true)
  expect(await page.getByRole("button", { name: "Apply …" }).count()).toBe(0)
  await page.getByRole("button", { name: "Reset SOUL.md" }).click()
  writeFileSync(join(cwd, "SOUL.md"), "Written by the editor.\n")
  await expect.poll(() => page.getByLabel("Text of SOUL.md").inputValue()).toBe("Written by the editor.\n")
})

test("an input that was asked for earlier and comes later does not end the newer comparison", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-inspect-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [home, cwd] = [join(folder, "home"), join(folder, "workspace")]
  for (const path of [home, cwd]) mkdirSync(path)
  writeFileSync(join(cwd, "SOUL.md"), "Boats come first.\n")
  const inspected = await inspecting({ cwd, home })
  const code = new URL(inspected.shown().out.trim().split("\n")[0] ?? "").searchParams.get("code") ?? ""
  const { page } = await openPage({ url: inspected.url, code, at: "/?view=what-if&edit=file+SOUL.md" })
  const current = page.locator(".what-if[aria-busy=false]")
  await current.waitFor()
  const held: Route[] = []
  await page.route("**/api/what-if", async (route) => {
    // Other people's inputs are loaded ahead.
    if (route.request().postData() === "{}") held.push(route)
    else await route.continue()
  })
  for (const [at, text] of ["One.\n", "Two.\n"].entries()) {
    writeFileSync(join(cwd, "SOUL.md"), text)
    await expect.poll(() => held.length).toBe(at + 1)
  }
  const answers = await Promise.all(held.map(async (route) => ({ route, response: await route.fetch() })))
  await Promise.all(answers.toReversed().map(({ route, response }) => route.fulfill({ response })))
  await current.waitFor()
  expect(await page.getByLabel("Text of SOUL.md").inputValue()).toBe("Two.\n")
})

test("What if says what is wrong with the folder, or with the agent that is asked for", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-inspect-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [home, cwd] = [join(folder, "home"), join(folder, "workspace")]
  for (const path of [home, cwd]) mkdirSync(path)
  const { url, cookie } = await (await inspecting({ home, cwd })).signIn()
  const ask = async (body: object) => {
    const headers = { cookie, origin: url, "content-type": "application/json" }
    const answered = await fetch(`${url}/api/what-if`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    })
    return `${answered.status} ${await answered.text()}`
  }
  expect(await ask({ agent: "../x" })).toContain(
    '422 {"error":{"code":"no-agent","message":"there is no agent',
  )
  writeFileSync(join(cwd, "incipit.yaml"), "users: [\n")
  expect(await ask({})).toContain('422 {"error":{"code":"bad-configuration","message":"incipit.yaml')
})
