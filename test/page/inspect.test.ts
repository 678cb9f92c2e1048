// `incipit inspect` in a real browser: the page follows a folder while somebody edits it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { inspecting } from "../cli/commands/inspected.ts"
import { incipit } from "../cli/run.ts"
import { axeProblems } from "./axe.ts"
import { openPage } from "./browser.ts"

test("the page shows the prompt of a folder, and the next one when a file is saved", async () => {
  const folder = mkdtempSync(join(tmpdir(), "incipit-inspect-page-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [home, cwd] = [join(folder, "home"), join(folder, "boats")]
  for (const path of [home, cwd]) mkdirSync(path)
  const soul = join(cwd, "SOUL.md")
  writeFileSync(soul, "Boats come first.\n")
  const inspected = await inspecting({ cwd, home })
  const code = new URL(inspected.shown().out.trim()).searchParams.get("code") ?? ""
  const { page } = await openPage({ url: inspected.url, code })
  await page.getByText("Not sent yet, so nothing is cached.").waitFor()
  // The folder names no model, and there is no way through a single version.
  expect(await page.locator(".figures").innerText()).toMatch(/^tokens, estimated\n[\d,]+$/)
  expect(await page.getByRole("slider", { name: "Call" }).count()).toBe(0)
  expect(await page.getByRole("navigation").getByRole("link").allInnerTexts()).not.toContain("Chat")
  expect(await page.locator(".sections-head h2").allInnerTexts()).toEqual(["In the prompt", "Left out"])
  expect(await axeProblems(page)).toEqual([])
  for (const view of ["Cache", "Cost"]) {
    await page.getByRole("link", { name: view, exact: true }).click()
    await page.getByText("then start incipit inspect again").waitFor()
    await page.goBack()
  }
  await page.getByRole("link", { name: "Diff", exact: true }).click()
  await page.getByText("This is the only version. Save a file, and the next one appears here.").waitFor()
  await page.goBack()
  await page.locator(".row-title", { hasText: "soul" }).first().click()
  await page.getByText("Boats come first.").first().waitFor()
  writeFileSync(soul, "People come first.\n")
  await page.getByText("version 2 of 2").waitFor()
  await page.getByText("People come first.").first().waitFor()
  writeFileSync(join(cwd, "incipit.yaml"), "model: [\n")
  await page.getByText("version 3 of 3").waitFor()
  await page
    .getByText(/incipit\.yaml:/)
    .first()
    .waitFor()
})

test("a report has no calls, and no view that compiles it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "incipit-inspect-page-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [home, cwd] = [join(folder, "home"), join(folder, "boats")]
  for (const path of [home, cwd]) mkdirSync(path)
  writeFileSync(join(cwd, "SOUL.md"), "Boats come first.\n")
  const { stdout } = incipit(["build", "--json"], { cwd, env: { HOME: home } })
  writeFileSync(join(cwd, "prompt.json"), stdout)
  const inspected = await inspecting({ cwd, home, words: ["prompt.json"] })
  const code = new URL(inspected.shown().out.trim()).searchParams.get("code") ?? ""
  const { page } = await openPage({ url: inspected.url, code, at: "/?view=what-if" })
  await page.getByText("This view is not part of what inspect shows here. Choose another view.").waitFor()
  for (const view of ["Cache", "Cost"]) {
    await page.getByRole("link", { name: view, exact: true }).click()
    await page.getByText("A report has no calls. Start incipit inspect in its folder.").waitFor()
  }
  await page.getByRole("link", { name: "Diff", exact: true }).click()
  await page.getByText("A report has one version.").waitFor()
})
