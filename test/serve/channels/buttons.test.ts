// Approvals by Telegram's buttons: only the person who was asked can answer, and everything else is a no.
import { afterEach, beforeEach, expect, test } from "vitest"
import { createBotApi } from "../../../src/serve/channels/telegram/bot-api.ts"
import { type Buttons, createButtons } from "../../../src/serve/channels/telegram/buttons.ts"
import type { Approval } from "../../../src/tools/host.ts"
import { type FakeTelegram, fakeTelegram } from "./fake-telegram.ts"

let server: FakeTelegram
let buttons: Buttons

beforeEach(async () => {
  server = await fakeTelegram()
  buttons = createButtons(createBotApi(server))
})

afterEach(() => server.close())

function ask(command = "rm tides.txt", signal = new AbortController().signal): Promise<Approval> {
  const request = { kind: "shell", command, directory: "/lamp" } as const
  return buttons.ask({ id: "q", to: "telegram:1", from: "telegram:2", request, signal })
}

/** What the two buttons of the only question send. */
async function choices(): Promise<readonly string[]> {
  await expect.poll(() => server.calls.length).toBe(1)
  return [...JSON.stringify(server.calls[0]?.input).matchAll(/"callback_data":"([^"]+)"/g)].map(
    ([, data = ""]) => data,
  )
}

const told = () =>
  server.calls.filter(({ method }) => method === "answerCallbackQuery").map(({ input }) => input.text)

test("the person who was asked allows it", async () => {
  const answer = ask()
  const [yes = ""] = await choices()
  expect(server.calls[0]?.input).toMatchObject({
    chat_id: "1",
    text: "Run a command in /lamp:\n\nrm tides.txt\n\nAsked by telegram:2. Allow it?",
  })
  await buttons.press({ id: "p", from: 1, data: yes })
  expect(await answer).toBe("yes")
  expect(told()).toEqual(["Allowed."])
})

test("a press by somebody else, a guess and a late press change nothing", async () => {
  const stop = new AbortController()
  const answer = ask("rm tides.txt", stop.signal)
  const [yes = ""] = await choices()
  await buttons.press({ id: "p", from: 2, data: yes })
  await buttons.press({ id: "p", from: 1, data: "AAAAAAAAAAAAAAAA.y" })
  stop.abort()
  expect(await answer).toBe("no")
  await buttons.press({ id: "p", from: 1, data: yes })
  const expired = "This question has expired."
  expect(told()).toEqual([expired, expired, expired])
})

test.each([
  ["runs out of time", new DOMException("5 minutes", "TimeoutError"), "Expired, so refused."],
  ["is answered elsewhere", undefined, "Closed: it was answered elsewhere, or the turn was stopped."],
])("a question that %s says so, and claims no answer of its own", async (_what, reason, end) => {
  const stop = new AbortController()
  const answer = ask("rm tides.txt", stop.signal)
  await choices()
  stop.abort(reason)
  expect(await answer).toBe("no")
  const edit = server.calls.find(({ method }) => method === "editMessageText")
  expect(edit?.input.text).toBe(
    `Run a command in /lamp:\n\nrm tides.txt\n\nAsked by telegram:2. Allow it?\n\n${end}`,
  )
})

test("what is hidden in a command is shown", async () => {
  void ask("rm \u202etxt.sedit\u200b #\u001b[2K")
  await choices()
  expect(server.calls[0]?.input.text).toMatchInlineSnapshot(`
    "Run a command in /lamp:

    rm \\u202etxt.sedit\\u200b #\\u001b[2K

    Asked by telegram:2. Allow it?"
  `)
})

test("a question that cannot be sent, or not be shown in full, is a no", async () => {
  server.refuseNext("sendMessage", { code: 403, description: "Forbidden: bot was blocked by the user" })
  expect(await ask()).toBe("no")
  expect(await ask("x".repeat(5_000))).toBe("no")
  expect(JSON.stringify(server.calls)).not.toContain("xxx")
})
