// What if on `incipit inspect`: a folder without a running agent, read-only, compiled anew when a file changes.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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
  await page.getByRole("region", { name: "The patch" }).waitFor()
  expect(await page.getByRole("button", { name: "Copy" }).isVisible()).toBe(true)
  expect(await page.getByRole("button", { name: "Apply …" }).count()).toBe(0)
  await page.getByRole("button", { name: "Reset SOUL.md" }).click()
  writeFileSync(join(cwd, "SOUL.md"), "Written by the editor.\n")
  await expect.poll(() => page.getByLabel("Text of SOUL.md").inputValue()).toBe("Written by the editor.\n")
})
