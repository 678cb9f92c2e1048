// What stands below the finished lines, by how much room there is.
import { expect, test } from "vitest"
import { completed } from "../../../src/cli/chat/screen/complete.ts"
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
    "/notices  /sessions  /new  /undo  /fork",
    "/as  /model  /compact  /reload  /help",
    "/quit",
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
