// What stands below the finished lines, by how much room there is.
import { expect, test } from "vitest"
import { completed, offered } from "../../../src/cli/chat/screen/complete.ts"
import { type ChatState, chatFrame } from "../../../src/cli/chat/screen/frame.ts"
import { EMPTY, insert } from "../../../src/cli/chat/screen/input.ts"
import { NO_FIGURES } from "../../../src/cli/chat/talk.ts"

const IDLE: ChatState = {
  columns: 40,
  rows: 10,
  colour: false,
  open: [],
  question: undefined,
  queue: [],
  input: EMPTY,
  candidates: [],
  isLeaving: false,
  figures: { ...NO_FIGURES, model: "anthropic/claude-sonnet-5-5", isPlanning: false },
}

const shown = (changes: Partial<ChatState>) => chatFrame({ ...IDLE, ...changes }).lines

test("a message of several lines has what room there is, and leaves some to the answer", () => {
  const input = insert(EMPTY, "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight")
  expect(shown({ input })).toEqual([
    "",
    "anthropic/claude-sonnet-5-5 · $0",
    "  two",
    "  three",
    "  four",
    "  five",
    "  six",
    "  seven",
    "  eight",
  ])
  expect(shown({ input, open: ["The light", "is lit.", "", "working"] })).toEqual([
    "is lit.",
    "",
    "working",
    "",
    "anthropic/claude-sonnet-5-5 · $0",
    "  five",
    "  six",
    "  seven",
    "  eight",
  ])
})

test("all that Tab offers is seen, if there is room", async () => {
  const { candidates } = await completed("/")
  expect(shown({ candidates, rows: 24 })).toEqual([
    "",
    "/context  /cost  /trace  /why  /diff",
    "/tools  /skills  /prompts  /memory",
    "/plan  /tasks  /workflow  /profile",
    "/notices  /queue  /sessions  /new  /undo",
    "/fork  /as  /model  /compact  /reload",
    "/help  /quit",
    "> ",
  ])
  expect(shown({ candidates })).toEqual([
    "",
    "/context  /cost  /trace  /why  /diff",
    "/tools  /skills  /prompts  /memory  /pl…",
    "> ",
  ])
})

test("what Ctrl-C would do now", () => {
  expect(shown({ isLeaving: true })).toEqual(["", "Ctrl-C again quits", "> "])
})

test("commands are listed with their help as one types, and without it if there are many", () => {
  const list = (text: string) =>
    shown({ columns: 60, rows: 24, input: insert(EMPTY, text), candidates: offered(text) }).slice(1, -1)
  expect(list("/co")).toEqual([
    "/context  show what fills the window",
    "/cost     show what was spent",
    "/compact  shorten the conversation",
  ])
  expect(list("/").length).toBeLessThanOrEqual(6)
  expect(list("/").join(" ")).not.toContain("show")
  expect(offered("/cost day")).toEqual([])
  expect(offered("hello")).toEqual([])
})
