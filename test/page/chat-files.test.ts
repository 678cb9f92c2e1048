// Files in the chat: chosen, pasted, dropped; refused before they are sent if the server would refuse them.
import type { Route } from "playwright-core"
import { expect, test } from "vitest"
import { LIMITS, SENT_TYPES } from "../../page/views/chat/composer/attachments.ts"
import {
  isTakenType,
  MOST_FILE_BYTES,
  MOST_FILES,
  MOST_TEXT_FILE_BYTES,
} from "../../src/agent/inbox/message/message-files.ts"
import { clientOf, OPERATOR } from "../serve/api/api-client.ts"
import { axeProblems } from "./axe.ts"
import { openChatWorld } from "./chat-world.ts"

const INSTRUCTIONS = { "AGENTS.md": "Keep the lamp lit.\n" }

test("the page has the limits of the server", () => {
  expect(LIMITS).toEqual({ files: MOST_FILES, bytes: MOST_FILE_BYTES, textBytes: MOST_TEXT_FILE_BYTES })
  expect(SENT_TYPES.filter((type) => !isTakenType(type))).toEqual([])
})

test("a message that is changed, or answered again, keeps its files, except those that one removes", async () => {
  const seen: string[][] = []
  const world = await openChatWorld({
    files: INSTRUCTIONS,
    script: ({ message }) => {
      seen.push([...message.matchAll(/\[file (\S+)\]/g)].map(([, name = ""]) => name))
      return "I read it."
    },
  })
  const { page, field, settled, turns } = await world.page()
  const chips = page.getByRole("list", { name: "Attached files" }).getByRole("listitem")
  await page.getByLabel("Files to attach").setInputFiles([
    { name: "lens.txt", mimeType: "text/plain", buffer: Buffer.from("fresnel\n") },
    { name: "lamp.txt", mimeType: "text/plain", buffer: Buffer.from("lit\n".repeat(1_000)) },
    { name: "lamp.png", mimeType: "image/png", buffer: Buffer.from([137, 80, 78, 71]) },
  ])
  await expect.poll(() => chips.count()).toBe(3)
  await field.fill("What is in here?")
  await field.press("Enter")
  await settled(1)
  await page.reload()
  await settled(1)
  expect(await axeProblems(page)).toEqual([])
  const session = page.url()
  await turns.last().getByRole("button", { name: "Regenerate" }).click()
  await expect.poll(() => page.url()).not.toBe(session)
  await settled(1)
  expect(await page.locator(".said .file").allInnerTexts()).toEqual(["lamp.png"])
  await turns.last().getByRole("button", { name: "Edit" }).click()
  await expect.poll(() => field.inputValue()).toBe("What is in here?")
  expect(await chips.allInnerTexts()).toEqual(
    ["lens.txt", "lamp.txt", "lamp.png"].map((name) => expect.stringContaining(name)),
  )
  await page.getByRole("button", { name: "Remove lens.txt" }).click()
  await page.getByRole("button", { name: "Remove lamp.png" }).click()
  const branch = page.url()
  await field.press("Enter")
  await expect.poll(() => page.url()).not.toBe(branch)
  await settled(1)
  await expect.poll(() => page.locator(".said .file").count()).toBe(0)
  expect(seen).toEqual([["lens.txt", "lamp.txt"], ["lens.txt", "lamp.txt"], ["lamp.txt"]])
})

test("files that are no longer kept are asked for, and the words are there", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script: () => "I read it." })
  const { page, field, settled, turns } = await world.page({ provoked: /status of 404/ })
  await page
    .getByLabel("Files to attach")
    .setInputFiles([{ name: "lamp.png", mimeType: "image/png", buffer: Buffer.from([137, 80, 78, 71]) }])
  await field.fill("What is in here?")
  await field.press("Enter")
  await settled(1)
  await page.route("**/messages/*", (route) =>
    route.fulfill({ status: 404, json: { error: { code: "not-found", message: "There is nothing here." } } }),
  )
  await turns.last().getByRole("button", { name: "Regenerate" }).click()
  await page.getByText("The files of this message are no longer there. Attach them again.").waitFor()
  expect(await field.inputValue()).toBe("What is in here?")
})

test("a message is read once, whatever is pressed meanwhile; only what is gone is called gone", async () => {
  const world = await openChatWorld({ files: INSTRUCTIONS, script: () => "I read it." })
  const { page, field, settled, turns } = await world.page({ provoked: /status of 503/ })
  await page
    .getByLabel("Files to attach")
    .setInputFiles([{ name: "lamp.png", mimeType: "image/png", buffer: Buffer.from([137, 80, 78, 71]) }])
  await field.fill("What is in here?")
  await field.press("Enter")
  await settled(1)
  const session = page.url()
  const held: Route[] = []
  let isFull = true
  await page.route("**/messages/*", (route) =>
    isFull
      ? route.fulfill({ status: 503, json: { error: { code: "busy", message: "Try again soon." } } })
      : void held.push(route),
  )
  const again = turns.last().getByRole("button", { name: "Regenerate" })
  await again.click()
  await page.getByText("Try again soon.").waitFor()
  expect(await page.getByText("no longer there").count()).toBe(0)
  isFull = false
  // What comes after the reader has gone elsewhere is dropped.
  await turns.last().getByRole("button", { name: "Edit" }).click()
  await expect.poll(() => held.length).toBe(1)
  await page.locator("#view").press("N")
  await page.getByRole("heading", { name: "Try one of these" }).waitFor()
  const read = page.waitForResponse("**/messages/*")
  await held.pop()?.continue()
  await (await read).finished()
  await page.goBack()
  await settled(1)
  expect(await field.inputValue()).toBe("")
  await again.click()
  await again.click()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  for (const route of held) await route.continue()
  await expect.poll(() => page.url()).not.toBe(session)
  await settled(1)
  expect(held).toHaveLength(1)
  await expect.poll(() => page.locator(".session-link").count()).toBe(2)
})

test("files that are chosen, pasted and dropped are sent; others are refused with the reason", async () => {
  const world = await openChatWorld({
    files: INSTRUCTIONS,
    script: ({ message }) => (message.includes("fresnel") ? "I read it." : "I did not read it."),
  })
  const { page, field, settled, answer } = await world.page()
  const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })
  await page
    .getByLabel("Files to attach")
    .setInputFiles([
      file("lens.ts", "video/mp2t", Buffer.from("// fresnel\n")),
      file("lamp.zip", "application/zip", Buffer.from("PK")),
      file("empty.txt", "text/plain", Buffer.alloc(0)),
      file("huge.txt", "text/plain", Buffer.alloc(1_000_001, "a")),
    ])
  const chips = page.getByRole("list", { name: "Attached files" }).getByRole("listitem")
  await expect.poll(() => chips.allInnerTexts()).toEqual([expect.stringContaining("lens.ts")])
  expect((await page.getByRole("alert").innerText()).split(/\n+/)).toEqual([
    "lamp.zip: this kind of file cannot be read by models. Attach images, PDFs or text.",
    "empty.txt: the file is empty.",
    "huge.txt: the text files of a message may have 1 MB together.",
  ])
  for (const kind of ["paste", "drop"] as const)
    await page.evaluate((type) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array([137, 80, 78, 71])], `${type}.png`, { type: "image/png" }))
      const target = document.querySelector(type === "paste" ? "textarea" : ".turns, .begin")
      const event =
        type === "paste"
          ? new ClipboardEvent(type, { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true })
      target?.dispatchEvent(event)
    }, kind)
  await expect.poll(() => chips.count()).toBe(3)
  await page.getByRole("button", { name: "Remove drop.png" }).click()
  await field.fill("What is in here?")
  await field.press("Enter")
  await settled(1)
  expect(await answer.innerText()).toBe("I read it.")
  expect(await chips.count()).toBe(0)
  const client = await clientOf(world, OPERATOR)
  const session = new URL(page.url()).searchParams.get("session")
  const { json } = await client.get(`/api/sessions/${session}`)
  expect(json.messages[0].files).toEqual([{ mediaType: "image/png", name: "paste.png" }])
  expect(json.messages[0].text).toContain("[file lens.ts]")
})
