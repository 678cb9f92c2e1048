// Which messages are meant for a question: none that was begun before the question could be seen.
import { expect, test } from "vitest"
import { openQuestions } from "../../../src/cli/chat/questions.ts"
import type { ApprovalRequest } from "../../../src/tools/host.ts"

const SHELL: ApprovalRequest = { kind: "shell", command: "make", directory: "/" }
const EDIT: ApprovalRequest = { kind: "edit", path: "a", before: "", after: "a\n" }

test("what is typed before a question is on the screen does not answer it", () => {
  const questions = openQuestions()
  void questions.ask(SHELL, "s")
  const before = questions.answerIn("y")
  questions.cleared()
  const cleared = questions.answerIn("y")
  questions.shown({ isWriting: false, isLocked: false })
  expect([before, cleared, questions.answerIn("y")]).toEqual([undefined, undefined, "yes"])
})

test("nor does what was being written then, until all of that is gone", () => {
  const questions = openQuestions()
  void questions.ask(SHELL, "s")
  questions.shown({ isWriting: true, isLocked: false })
  questions.shown({ isWriting: true, isLocked: false })
  const writing = questions.answerIn("y")
  questions.cleared()
  expect([writing, questions.answerIn("y")]).toEqual([undefined, "yes"])
})

test("a yes to what was never seen whole shows it", () => {
  const questions = openQuestions()
  void questions.ask(SHELL, "s")
  questions.shown({ isWriting: false, isLocked: true })
  const unseen = ["y", "a", "n"].map((text) => questions.answerIn(text))
  questions.seen()
  const seen = ["y", "a", "n"].map((text) => questions.answerIn(text))
  expect([unseen, seen]).toEqual([
    ["show", "show", "no"],
    ["yes", "always", "no"],
  ])
})

test("what was on the screen once can be agreed to in a smaller window", () => {
  const questions = openQuestions()
  void questions.ask(SHELL, "s")
  questions.shown({ isWriting: false, isLocked: false })
  expect(questions.first?.isSeen).toBe(true)
})

test("each question is seen for itself, and all of a kind can be settled by one", async () => {
  const questions = openQuestions()
  const answers = Promise.all([SHELL, EDIT, SHELL].map((request) => questions.ask(request, "s")))
  questions.shown({ isWriting: false, isLocked: false })
  questions.answer("always")
  expect([questions.first?.question.kind, questions.answerIn("y")]).toEqual(["edit", undefined])
  questions.refuseAll()
  expect(await answers).toEqual(["always", "no", "always"])
})

test("a yes to all of a session's commands is none to those of another", async () => {
  const questions = openQuestions()
  const answers = Promise.all(["s", "scheduled", "s"].map((session) => questions.ask(SHELL, session)))
  questions.answer("always")
  expect(questions.first?.session).toBe("scheduled")
  questions.answer("no")
  expect(await answers).toEqual(["always", "no", "always"])
})

test("a yes to all calls of a custom tool is none to those of another", async () => {
  const questions = openQuestions()
  const answers = Promise.all(
    ["a", "b", "a"].map((name) => questions.ask({ kind: "tool", name, input: {} }, "s")),
  )
  questions.shown({ isWriting: false, isLocked: false })
  questions.answer("always")
  questions.refuseAll()
  expect(await answers).toEqual(["always", "no", "always"])
})

test("a yes to all calls of a server's tool is none to those of another tool", async () => {
  const questions = openQuestions()
  const call = (tool: string): ApprovalRequest => ({
    ...{ kind: "mcp", server: "s", tool, input: "{}", isDestructive: true },
  })
  const answers = Promise.all(["a", "b", "a"].map((tool) => questions.ask(call(tool), "s")))
  questions.shown({ isWriting: false, isLocked: false })
  questions.answer("always")
  questions.refuseAll()
  expect(await answers).toEqual(["always", "no", "always"])
})
