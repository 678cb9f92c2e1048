// Plans in the chat: what is asked for with "Plan first" can be read, changed and approved where it was asked for.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { axeProblems } from "./axe.ts"
import { openChatWorld } from "./chat-world.ts"

const INSTRUCTIONS = { "AGENTS.md": "Keep the lamp lit.\n" }

function planOf(goal: string, step: string): string {
  return `Here it is.\n\n# Plan: ${goal}\n\n## Steps\n\n1. ${step}\n`
}

/** Plans, changes the plan once asked to, and says what it was told to carry out. */
function script({ message }: { message: string }) {
  if (message.startsWith("Carry out")) return `Doing: ${/1\. (.*)/.exec(message)?.[1]}`
  return message.includes("brush")
    ? planOf("Clean the lamp", "Take the brush.")
    : planOf("Clean the lamp", "Take the cloth.")
}

test("a plan is changed, approved and carried out, and plan mode ends", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script })
  const { page, ask, settled, answer, field } = await world.page({ width: 360, height: 740 })
  const modes: unknown[] = []
  page.on("request", (request) => {
    if (request.method() === "POST" && /sessions$|messages$/.test(request.url()))
      modes.push(request.postDataJSON().planMode)
  })
  const mode = page.getByRole("button", { name: "Plan first" })
  const card = page.getByRole("region", { name: "Plan" })
  await mode.click()
  await ask("Clean the lamp, please.")
  await card.getByText("Go ahead with the plan “Clean the lamp”?").waitFor()
  await card.getByText("Show the plan").click()
  expect(await card.getByRole("group", { name: "The plan" }).innerText()).toContain("Take the cloth.")
  expect(await axeProblems(page)).toEqual([])
  // The mode is kept by the page alone.
  await page.reload()
  await card.getByRole("button", { name: "Ask for changes" }).click()
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await mode.getAttribute("aria-pressed")).toBe("true")
  await ask("Use the brush.")
  await card.getByText("Show the plan").click()
  await card.getByText("Take the brush.").waitFor()
  await card.getByRole("button", { name: "Go ahead" }).click()
  await settled(3)
  expect(await answer.innerText()).toBe("Doing: Take the brush.")
  await card.waitFor({ state: "detached" })
  expect(await mode.getAttribute("aria-pressed")).toBe("false")
  expect(modes).toEqual([true, true, false])
})

test("a plan that was edited in its file is shown as it is, and approved only as it was shown", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script })
  const { page, ask, settled, answer } = await world.page({ provoked: /status of 409/ })
  await page.getByRole("button", { name: "Plan first" }).click()
  await ask("Clean the lamp, please.")
  const card = page.getByRole("region", { name: "Plan" })
  const go = card.getByRole("button", { name: "Go ahead" })
  await go.waitFor()
  const name = /Plan saved as (\S+)\./.exec(await page.locator(".turns").innerText())?.[1]
  const path = join(world.workspace, ".incipit/plans", `${name}.md`)
  writeFileSync(path, readFileSync(path, "utf8").replace("the cloth", "two cloths"))
  await go.click()
  await card.getByText("The plan has changed since you read it").waitFor()
  expect(await page.locator(".answer").count()).toBe(1)
  await card.getByText("Show the plan").click()
  await card.getByText("Take two cloths.").waitFor()
  await go.click()
  await settled(2)
  expect(await answer.innerText()).toBe("Doing: Take two cloths.")
})

test("a plan that is dismissed asks no more, also after the page is loaded again", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script })
  const { page, ask, settled } = await world.page()
  await page.getByRole("button", { name: "Plan first" }).click()
  await ask("Clean the lamp, please.")
  const card = page.getByRole("region", { name: "Plan" })
  await card.getByRole("button", { name: "Dismiss" }).click()
  await card.waitFor({ state: "detached" })
  const read = page.waitForResponse((response) => response.url().endsWith("/plan"))
  await page.reload()
  await settled(1)
  expect(await (await read).json()).toMatchObject({ plan: null })
  expect(await card.count()).toBe(0)
})

test("plan mode is that of its session: no message ends it in another one", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script })
  const { page, ask, settled, turns } = await world.page()
  const modes: unknown[] = []
  page.on("request", (request) => {
    if (request.method() === "POST" && /sessions$|messages$/.test(request.url()))
      modes.push(request.postDataJSON().planMode)
  })
  const mode = page.getByRole("button", { name: "Plan first" })
  const card = page.getByRole("region", { name: "Plan" })
  const begin = async (words: string) => {
    await page.locator("#view").press("N")
    await page.getByRole("heading", { name: "Try one of these" }).waitFor()
    await ask(words)
  }
  await ask("What about the lamp?")
  expect(await mode.getAttribute("aria-pressed")).toBe("false")
  await page.locator("#view").press("N")
  await mode.click()
  await ask("Clean the lamp, please.")
  // What was chosen for the new session is chosen for the one that it became.
  await expect.poll(() => mode.getAttribute("aria-pressed")).toBe("true")
  const planned = page.url()
  await begin("What about the glass?")
  expect(await mode.getAttribute("aria-pressed")).toBe("false")
  await page.goBack()
  await expect.poll(() => page.url()).toBe(planned)
  await card.getByRole("button", { name: "Go ahead" }).click()
  await settled(2)
  await ask("And the glass?")
  await page.getByRole("link", { name: "What about the lamp?" }).first().click()
  await expect.poll(() => turns.count()).toBe(1)
  await ask("And the wick?")
  expect(modes).toEqual([undefined, true, undefined, false, undefined, undefined])
})
