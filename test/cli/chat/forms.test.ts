// A server's form in a real terminal: one field after the other, what is wrong with an answer, and all of it before it is
// sent. And its pages, and what a call that runs is at.
import { afterEach, expect, test } from "vitest"
import type { ServerForm } from "../../../src/tools/server-question.ts"
import type { Action } from "./scripted-agent.ts"
import { type Opened, openTerminal } from "./terminal.ts"

const opened: Opened[] = []
afterEach(({ task }) => {
  for (const terminal of opened.splice(0)) {
    // A test that waits for something says only that it waited; the screen says why.
    if (task.result?.state === "fail") console.error(terminal.screen())
    terminal.close()
  }
})

async function open(...turn: readonly Action[]): Promise<Opened> {
  const terminal = await openTerminal({ script: { turns: [turn] }, rows: 24 })
  opened.push(terminal)
  await terminal.until((screen) => /^> *$/m.test(screen))
  terminal.type("Book it.\r")
  return terminal
}

const FORM: ServerForm = {
  kind: "form",
  server: "tides",
  message: "For the crossing at noon.",
  fields: [
    { kind: "text", name: "name", title: "Your name", isRequired: true },
    { kind: "number", name: "boats", title: "Boats", isWhole: true, isRequired: true, least: 1, most: 3 },
    {
      ...{ kind: "choice", name: "coast", title: "Coast", isRequired: false, isMany: false },
      options: [
        { value: "n", title: "North" },
        { value: "s", title: "South" },
      ],
    },
    { kind: "yes-no", name: "meal", title: "Meal", isRequired: false, default: true },
  ],
}

function golden(terminal: Opened, name: string) {
  return expect(terminal.screen()).toMatchFileSnapshot(`../../golden/chat/${name}.txt`)
}

test("a form is filled in field by field, shown whole, and sent", async () => {
  const terminal = await open({ fill: FORM })
  await terminal.shows("(1 of 4): Your name")
  await golden(terminal, "form-first")
  terminal.type("Ada\r")
  await terminal.shows("(2 of 4): Boats")
  terminal.type("7\r")
  await terminal.shows("At most 3.")
  terminal.type("2\r")
  await terminal.shows("(3 of 4): Coast")
  terminal.type("south\r")
  await terminal.shows("Write a number of the list.")
  await golden(terminal, "form-choice")
  terminal.type("2\r")
  await terminal.shows("(4 of 4): Meal")
  terminal.type("\r")
  await terminal.shows("Send this to the MCP server tides?")
  await golden(terminal, "form-whole")
  terminal.type("y\r")
  await terminal.shows('"content":{"name":"Ada","boats":2,"coast":"s","meal":true}')
  // The arrow up brings back messages, and what was typed into a form is none.
  await terminal.until((screen) => !screen.includes("working"))
  terminal.type("\u001b[A")
  await terminal.shows("> Book it.")
})

test("Esc declines the form, and the turn goes on", async () => {
  const terminal = await open({ fill: FORM }, { text: "Without it, then." })
  await terminal.shows("(1 of 4): Your name")
  terminal.type("\u001b")
  await terminal.shows('{"action":"decline"}')
  await terminal.shows("Without it, then.")
})

test("a no to the whole sends nothing, and Ctrl-C stops the turn", async () => {
  const [first] = FORM.fields
  const short = { ...FORM, fields: first === undefined ? [] : [first] }
  const terminal = await open({ fill: short }, { fill: FORM }, { text: "not said" })
  await terminal.shows("(1 of 1): Your name")
  terminal.type("Ada\r")
  await terminal.shows("Send this")
  terminal.type("n\r")
  await terminal.shows('{"action":"decline"}')
  await terminal.shows("(1 of 4): Your name")
  terminal.type("\u0003")
  await terminal.shows("stopped")
  expect(terminal.screen()).not.toContain("not said")
})

test("a page that a server names is shown with its host, and stays after a yes", async () => {
  const page = "https://pay.example.org/4711"
  const terminal = await open({ approve: { kind: "question", server: "tides", text: "To pay.", page } })
  await terminal.shows("asks you to open a page at pay.example.org")
  await golden(terminal, "server-page")
  terminal.type("y\r")
  await terminal.shows("The answer was yes.")
  expect(terminal.screen()).toContain(page)
})

test("a call that runs says what it is at", async () => {
  const terminal = await open(
    { event: { kind: "tool-started", call: "c", name: "row", input: {} } },
    { event: { kind: "tool-progress", call: "c", name: "row", text: "40%: stroke 12" } },
    { pause: true },
  )
  await terminal.shows("row … 40%: stroke 12")
})
