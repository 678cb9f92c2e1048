// Approvals in the browser, from the question to what was done: with the mouse, with keys, from another session, from
// another browser, and too late.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { openChatWorld } from "./chat-world.ts"

const INSTRUCTIONS = { "AGENTS.md": "Keep the lamp lit.\n" }
const NOTES = `${Array.from({ length: 20 }, (_, at) => `Line ${at + 1}.`).join("\n")}\nThe lamp was cleaned.\n`

test("an edit is shown line by line, and is made after a yes with the key", async () => {
  const world = await openChatWorld({ files: { ...INSTRUCTIONS, "notes.md": NOTES } })
  const { page, say, settled, field } = await world.page()
  await say("change cleaned to polished in notes.md")
  const card = page.getByRole("region", { name: "Approval" })
  await card.waitFor()
  expect(await card.getByRole("heading").innerText()).toBe("Change notes.md?")
  expect(await card.innerText()).toMatch(/on behalf of the owner · expires in \d+ /)
  expect(await card.locator(".change-line").allInnerTexts()).toEqual([
    expect.stringContaining("17 unchanged lines"),
    expect.stringMatching(/18[\s\S]*Line 18\./),
    expect.stringMatching(/19[\s\S]*Line 19\./),
    expect.stringMatching(/20[\s\S]*Line 20\./),
    expect.stringMatching(/21\s+−\s+removed:\s+The lamp was cleaned\./),
    expect.stringMatching(/21\s+\+\s+added:\s+The lamp was polished\./),
  ])
  // What is typed into the field is no answer.
  await field.fill("y")
  expect(readFileSync(join(world.workspace, "notes.md"), "utf8")).toBe(NOTES)
  await field.fill("")
  await page.getByRole("group", { name: "Conversation" }).focus()
  await page.keyboard.press("y")
  await card.waitFor({ state: "detached" })
  await settled(1)
  expect(readFileSync(join(world.workspace, "notes.md"), "utf8")).toContain("The lamp was polished.")
  expect(await page.locator(".tool").innerText()).toContain("Approved.")
})

test("a command is shown in full with what is not seen in it, and is not run after a no", async () => {
  const world = await openChatWorld({
    files: INSTRUCTIONS,
    script: ({ results: [result] }) =>
      result === undefined
        ? [
            {
              name: "shell",
              input: { command: `touch lit \u202e# sdrawkcab\u200b\n${"echo long; ".repeat(500)}` },
            },
          ]
        : "I did not run it.",
  })
  const { page, say, settled, answer } = await world.page()
  await say("light the lamp")
  const card = page.getByRole("region", { name: "Approval" })
  await card.waitFor()
  const asked = await card.getByRole("group", { name: "What is asked" }).innerText()
  expect(asked).toContain("touch lit U+202E# sdrawkcabU+200B")
  expect(asked).toContain("echo long; ".repeat(500).trim())
  expect(await card.innerText()).toContain(`in ${world.workspace}`)
  await card.getByRole("button", { name: "No" }).click()
  await settled(1)
  expect(await answer.innerText()).toBe("I did not run it.")
  expect(existsSync(join(world.workspace, "lit"))).toBe(false)
  expect(await page.locator(".tool").innerText()).toContain("Not approved.")
})

test("always lasts for the rest of the session, and for no other", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS })
  const { page, say, ask, settled } = await world.page()
  const card = page.getByRole("region", { name: "Approval" })
  await say("run echo one")
  await card.getByRole("button", { name: "Always" }).click()
  await settled(1)
  await ask("run echo two")
  expect(await page.locator(".answer").last().innerText()).toContain("two")
  await page.getByRole("group", { name: "Conversation" }).press("N")
  await say("run echo three")
  await card.waitFor()
  await card.getByRole("button", { name: "No" }).click()
  await settled(1)
})

test("changes to the agent itself and what a rule asks about are approved one by one", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, config: "approve:\n  ask: [shell]\n" })
  const { page, say, settled } = await world.page()
  const card = page.getByRole("region", { name: "Approval" })
  await say("change lit to dark in AGENTS.md")
  await card.waitFor()
  expect(await card.innerText()).toContain("this file is read into the agent’s prompt")
  expect(await card.getByRole("button").allInnerTexts()).toEqual(["Yes", "No"])
  await page.getByRole("group", { name: "Conversation" }).focus()
  await page.keyboard.press("a")
  await page.keyboard.press("n")
  await settled(1)
  expect(readFileSync(join(world.workspace, "AGENTS.md"), "utf8")).toBe("Keep the lamp lit.\n")
})

test("a question in another session is counted in the bar, which leads to it, and an answer elsewhere ends it", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS })
  const one = await world.page()
  const other = await world.page({ width: 360, height: 640 })
  await one.say("run echo lit")
  await one.page.getByRole("region", { name: "Approval" }).waitFor()
  expect(await one.page.getByRole("link", { name: "waiting in other sessions" }).count()).toBe(0)
  const waiting = other.page.getByRole("link", { name: "1 approval waiting in other sessions" })
  await waiting.click()
  const there = other.page.getByRole("region", { name: "Approval" })
  expect(await there.innerText()).toContain("echo lit")
  expect(await waiting.count()).toBe(0)
  await there.getByRole("button", { name: "Yes" }).click()
  await one.page.getByRole("region", { name: "Approval" }).waitFor({ state: "detached" })
  for (const page of [one, other]) {
    await page.settled(1)
    expect(await page.answer.innerText()).toContain("lit")
  }
})

test("a question that nobody answers expires, and is said to have", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, approvalMs: 1_500 })
  const { page, say, settled } = await world.page()
  await say("run echo lit")
  await settled(1)
  await page.getByRole("region", { name: "Approval" }).waitFor({ state: "detached" })
  expect(await page.locator(".tool").innerText()).toContain("Not approved.")
})

test("who may not approve sees that somebody is asked, and not about what", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS })
  const { page, say } = await world.page({ who: { user: "cleo", scopes: ["talk"] } })
  await say("run echo secret-words")
  await page.getByText("waits for approval").first().waitFor()
  expect(await page.getByRole("region", { name: "Approval" }).count()).toBe(0)
  expect(await page.getByRole("link", { name: "waiting in other sessions" }).count()).toBe(0)
  await page.keyboard.press("Escape")
  await page.getByText("Stopped.").first().waitFor()
})

test("what was not approved or was stopped is no failure, also after a reload", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS })
  const { page, say, settled } = await world.page()
  const card = page.getByRole("region", { name: "Approval" })
  const outcomes = () => page.locator(".tool-outcome").allInnerTexts()
  await say("run echo one")
  await card.getByRole("button", { name: "No" }).click()
  await settled(1)
  await say("run echo two")
  await card.waitFor()
  await page.getByRole("textbox", { name: "Message", exact: true }).press("Escape")
  await settled(2)
  expect(await outcomes()).toEqual(["not approved", "stopped"])
  await page.reload()
  await settled(2)
  expect(await outcomes()).toEqual(["not approved", "stopped"])
  expect(await page.locator(".tool-outcome.bad").count()).toBe(0)
  expect(await page.locator(".turns").innerText()).toContain("Stopped.")
})

test("a command that goes on out of sight has a shadow at the edge, until its end", async () => {
  const world = await openChatWorld({
    files: INSTRUCTIONS,
    script: ({ results }) =>
      results.length === 0 ? [{ name: "shell", input: { command: "echo long\n".repeat(80) } }] : "No.",
  })
  const { page, say, settled } = await world.page({ width: 360, height: 640 })
  const card = page.getByRole("region", { name: "Approval" })
  await say("light the lamp")
  const asked = card.getByRole("group", { name: "What is asked" })
  await asked.waitFor()
  await page.getByRole("group", { name: "Conversation" }).focus()
  await asked.evaluate((element) => {
    element.style.color = "transparent"
    element.scrollIntoView({ block: "end" })
  })
  // Without the scroll bar.
  const edge = async () => {
    const { x = 0, y = 0, height = 0 } = (await asked.boundingBox()) ?? {}
    const clip = { x: x + 10, y: y + height - 4, width: 50, height: 3 }
    return (await page.screenshot({ clip })).toString("base64")
  }
  const before = await edge()
  await asked.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  expect(await edge()).not.toBe(before)
  await card.getByRole("button", { name: "No" }).click()
  await settled(1)
})
