// A conversation on the real agent in a real terminal, with a local server of a provider that follows a script.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { answer, call, golden, isIdle, openChat, provider, say, wordsIn, workspace } from "./real-chat.ts"

const CTRL_C = "\u0003"
const CTRL_O = "\u000f"

test("an answer that is streamed, in a window that gets narrower", async () => {
  const text =
    "The tide is high at **14:20**.\n\nAfter that the road is under water, so leave at noon, and take boots."
  const server = await provider({ kind: "reply", parts: [{ text }], slow: true }, answer("Yes."))
  const chat = await openChat(workspace(), { server, rows: 20 })
  chat.type("When is high water?\r")
  await server.held()
  // All pieces but the last two, and what closes the stream.
  server.release(9)
  await chat.shows("under wat")
  await golden(chat, "streaming")
  chat.resize(40, 20)
  await chat.until((screen) => screen.includes("\nclaude-sonnet-5-5"))
  await golden(chat, "streaming-40")
  server.release(100)
  await chat.until((screen) => screen.includes("boots.") && isIdle(screen))
  await say(chat, "Sure?", "Yes.")
  await golden(chat, "streamed-40")
})

test("tools fold into lines, and what they gave back unfolds", async () => {
  const server = await provider(
    {
      kind: "reply",
      parts: [
        { text: "Let me look." },
        { call: { name: "read", input: { path: "data/tides.csv" } } },
        { call: { name: "read", input: { path: "no/such/file.md" } } },
      ],
    },
    answer("High water is at 14:20 on Monday."),
  )
  const chat = await openChat(workspace(), { server, rows: 40 })
  await say(chat, "When is high water on Monday?", "on Monday.")
  chat.type(CTRL_O)
  await chat.shows("Tuesday,15:05")
  await golden(chat, "tools")
})

test("a command and an edit are asked about: yes, no, and always", async () => {
  const root = workspace()
  const shell = (text: string) => call("shell", { command: `echo ${text} >> log.txt` })
  const edit = call("edit", { path: "data/tides.csv", old: "Monday,14:20", new: "Monday,14:25" })
  const server = await provider(
    shell("one"),
    answer("First."),
    shell("two"),
    answer("Second."),
    shell("three"),
    answer("Third."),
    shell("four"),
    answer("Fourth."),
    edit,
    answer("Fifth."),
  )
  const chat = await openChat(root, { server, rows: 40 })
  const asked = async (message: string, key: string, end: string) => {
    chat.type(`${message}\r`)
    await chat.shows("Run this in")
    await chat.until((screen) => /^y yes/m.test(screen))
    if (message === "Log it.") await golden(chat, "asked-command")
    chat.type(`${key}\r`)
    await chat.until((screen) => screen.includes(end) && isIdle(screen))
  }
  await asked("Log it.", "y", "First.")
  await asked("And again.", "n", "Second.")
  await asked("Once more.", "a", "Third.")
  await say(chat, "And now?", "Fourth.")
  chat.type("Mend the table.\r")
  await chat.shows("Change data/tides.csv?")
  await golden(chat, "asked-edit")
  chat.type("y\r")
  await chat.until((screen) => screen.includes("Fifth.") && isIdle(screen))
  await golden(chat, "asked")
  expect(readFileSync(join(root, "log.txt"), "utf8")).toBe("one\nthree\nfour\n")
  expect(readFileSync(join(root, "data/tides.csv"), "utf8")).toBe(
    "day,time,height\nMonday,14:25,3.4\nTuesday,15:05,3.2\n",
  )
})

test("Ctrl-C stops an answer and a tool, and the conversation continues; twice leaves", async () => {
  const root = workspace()
  const server = await provider(
    { kind: "reply", parts: [{ text: "I begin to count: one, two, three, four." }], slow: true },
    call("shell", { command: "echo started > started.txt; sleep 1000" }),
    answer("I am here."),
    { kind: "stall" },
  )
  const chat = await openChat(root, { server, rows: 30 })
  chat.type("Count.\r")
  await server.held()
  server.release(5)
  // The last piece that was released; on a busy machine it comes later than the first. Its half word is not shown yet.
  await chat.shows("I begin to count: one,")
  chat.type(CTRL_C)
  await chat.until((screen) => screen.includes("stopped") && isIdle(screen))
  chat.type("Wait for it.\r")
  await chat.until((screen) => /^y yes/m.test(screen))
  chat.type("y\r")
  await chat.shows("○ shell")
  await chat.until((screen) => /working/.test(screen))
  chat.type(CTRL_C)
  await chat.until((screen) => screen.split("\nstopped\n").length === 3 && isIdle(screen))
  await say(chat, "Are you there?", "I am here.")
  await golden(chat, "stopped")
  expect(wordsIn(server.bodies.at(-1))).toMatchInlineSnapshot(`
    [
      "user: Count.",
      "assistant: I begin to count: one, t",
      "user: Wait for it.",
      "assistant: (tool_use)",
      "user: (tool_result): Are you there?",
    ]
  `)
  chat.type("And now?\r")
  await server.held()
  chat.type(CTRL_C + CTRL_C)
  expect(await chat.ended).toBe(0)
})

test("what was refused by stopping is reported as refused, and not as something that may have been done", async () => {
  const calls = ["touch one", "touch two"].map((command) => ({ call: { name: "shell", input: { command } } }))
  const server = await provider({ kind: "reply", parts: calls }, answer("As you wish."))
  const chat = await openChat(workspace(), { server })
  chat.type("Make two files.\r")
  await chat.until((screen) => /^y yes/m.test(screen))
  chat.type("\u001b")
  await chat.until((screen) => screen.includes("stopped") && isIdle(screen))
  expect(chat.screen().match(/^✗.*approved\./gm)).toEqual([
    "✗ shell touch one: The command was not approved.",
    "✗ shell touch two: The command was not approved.",
  ])
  await say(chat, "Never mind.", "As you wish.")
  expect(server.bodies.at(-1)?.split("The command was not approved.").length).toBe(3)
})

test("the user's own commands: `!` is sent with the next message, `!!` is not", async () => {
  const server = await provider(answer("I see."))
  const chat = await openChat(workspace(), { server, columns: 40 })
  await say(chat, "!cat data/tides.csv", "sees it")
  await say(chat, "!!echo a secret; exit 3", "does not see it")
  await say(chat, "What did I run?", "I see.")
  await golden(chat, "own-commands")
  expect(server.bodies.map(wordsIn)).toMatchInlineSnapshot(`
    [
      [
        "user: <user-command>
    $ cat data/tides.csv
    day,time,height
    Monday,14:20,3.4
    Tuesday,15:05,3.2
    </user-command>: What did I run?",
      ],
    ]
  `)
})

test("a paste of 10,000 lines comes to the model whole", async () => {
  const server = await provider(answer("Long."))
  const chat = await openChat(workspace(), { server })
  const pasted = Array.from({ length: 10_000 }, (_, at) => `line ${at}`)
  chat.type(`\u001b[200~${pasted.join("\r\n")}\u001b[201~`)
  await chat.shows("pasted]")
  chat.type(" is it all?\r")
  await chat.until((screen) => screen.includes("Long.") && isIdle(screen))
  await golden(chat, "paste")
  const [words = ""] = wordsIn(server.bodies[0])
  expect(words.includes(`${pasted.join("\n")} is it all?`)).toBe(true)
})

test.each([
  ["at 40 columns", { columns: 40 }, "narrow"],
  ["without colours", { env: { NO_COLOR: "1" } }, "plain"],
])("wide characters, a table and a list %s", async (_how, screen, name) => {
  const text =
    "漢字 and 👨‍👩‍👧 take **two** cells.\n\n| day | 高さ |\n|---|---|\n| Monday 🌊 | 3.4 m |\n\n- é is one\n- 🇩🇪 is two\n"
  const server = await provider(answer(text))
  const chat = await openChat(workspace(), { server, ...screen })
  await say(chat, "漢字 👍🏽?", "🇩🇪 is two")
  await golden(chat, `wide-${name}`)
  expect(/\p{Cc}\[[\d;]*m/u.test(chat.written())).toBe(name === "narrow")
})
