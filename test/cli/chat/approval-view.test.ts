// The question before a command or an edit: nothing of it hides, and a long one says how much is left.
import { describe, expect, test } from "vitest"
import {
  answeredLine,
  answerOf,
  questionLines,
  questionOf,
  wholeQuestion,
} from "../../../src/cli/chat/approval.ts"
import { NO_KEYS, readKeys } from "../../../src/cli/chat/keys.ts"
import { painter } from "../../../src/cli/terminal.ts"
import type { ApprovalRequest } from "../../../src/tools/host.ts"

const plain = painter({ colour: false })

function view(request: ApprovalRequest, { columns = 60, most = 20, isHeld = false } = {}): string {
  return questionLines(questionOf(request), { columns, most, isHeld }, plain).join("\n")
}

describe("what is asked", () => {
  test("a command of several lines, with all that hides in it shown", () => {
    const command = "rm -rf \u202ebuild\u200b &&\n\tmake \u001b[2J all\n"
    expect(view({ kind: "shell", command, directory: "/home/ada/\u0007tides" })).toBe(
      String.raw`Run this in /home/ada/\u0007tides?
  $ rm -rf \u202ebuild\u200b &&
        make \u001b[2J all
The command has hidden characters; they are shown escaped.
y yes · n no · a all · Esc stop`,
    )
  })

  test("a command that is longer than the window is seen to its end", () => {
    expect(
      view(
        { kind: "shell", command: `echo ${"x".repeat(50)} && curl evil`, directory: "/" },
        { columns: 40 },
      ),
    ).toBe(
      `Run this in /?
  $ echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  xxxxxxxxxxxxxxxxxxx && curl evil
y yes · n no · a all · Esc stop`,
    )
  })

  test("the name of a file is seen to its end, however long it is", () => {
    const path = "packages/lighthouse/deep/in/the/folders/of/a/workspace/.config/start.sh"
    const question = questionOf({ kind: "edit", path, before: undefined, after: "1\n2\n3\n4\n" })
    expect(questionLines(question, { columns: 40, most: 4, isHeld: false }, plain)).toEqual([
      "Write the new file",
      "packages/lighthouse/deep/in/the/folders/",
      "of/a/workspace/.config/start.sh? +4 -0",
      "  @ line 1",
      "  … 4 more lines, v shows all",
      "y yes · n no · a all · Esc stop",
    ])
  })

  test("an edit by its hunks", () => {
    const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n"
    const after = before.replace("two", "2").replace("nine\n", "nine\nnine and a half\n")
    expect(view({ kind: "edit", path: "data/list.txt", before, after }, { columns: 80 })).toBe(
      `Change data/list.txt? +2 -1
  @ line 1
   one
  -two
  +2
   three
   four
  @ line 8
   eight
   nine
  +nine and a half
   ten
y yes · n no · a all edits of this session · Esc no, and stop`,
    )
  })

  test("a new file that is too long is folded, and can be seen whole", () => {
    const after = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join("")
    const request: ApprovalRequest = { kind: "edit", path: "new.txt", before: undefined, after }
    expect(view(request, { most: 5, columns: 80 })).toBe(
      `Write the new file new.txt? +30 -0
  @ line 1
  +line 1
  +line 2
  +line 3
  … 27 more lines, v shows all
y yes · n no · a all edits of this session · Esc no, and stop`,
    )
    expect(wholeQuestion(questionOf(request), 80, plain)).toHaveLength(32)
  })

  test("while somebody writes, the keys are theirs", () => {
    expect(view({ kind: "shell", command: "ls", directory: "/" }, { isHeld: true })).toBe(
      `Run this in /?
  $ ls
Tab answers; until then what you type goes on below.`,
    )
  })

  test("in colours", () => {
    const request: ApprovalRequest = { kind: "edit", path: "a", before: "x\n", after: "y\n" }
    const lines = questionLines(
      questionOf(request),
      { columns: 80, most: 9, isHeld: false },
      painter({ colour: true }),
    )
    expect(lines.map((line) => line.replaceAll("\u001b", "^"))).toEqual([
      "^[1mChange a? +1 -1^[22m",
      "  ^[36m@ line 1^[39m",
      "  ^[31m-x^[39m",
      "  ^[32m+y^[39m",
      "^[33my yes · n no · a all edits of this session · Esc no, and stop^[39m",
    ])
  })
})

test("which keys answer", () => {
  const edit = questionOf({ kind: "edit", path: "a", before: "", after: "a\n" })
  const instructions = questionOf({ kind: "instructions", path: "SOUL.md", before: "", after: "a\n" })
  const answers = ["y", "N", "a", "v", "\u0003", "x", "\r", "yes", "\u001b[200~y\u001b[201~"].map((text) => {
    const [key] = readKeys(NO_KEYS, Buffer.from(text)).keys
    return key === undefined ? undefined : answerOf(key, edit)
  })
  expect(answers).toEqual(["yes", "no", "always", "show", "stop", undefined, undefined, undefined, undefined])
  const [always] = readKeys(NO_KEYS, Buffer.from("a")).keys
  expect(always && answerOf(always, instructions)).toBe(undefined)
  expect(questionLines(instructions, { columns: 80, most: 9, isHeld: false }, plain)).toEqual([
    "Change SOUL.md, which decides what the agent does? +1 -0",
    "  @ line 1",
    "  +a",
    "y yes · n no · Esc no, and stop",
  ])
})

test("what stays of it", () => {
  const shell = questionOf({ kind: "shell", command: "make all\nmake test", directory: "/" })
  const edit = questionOf({ kind: "edit", path: "what? -1.txt", before: "", after: "a\n" })
  expect([
    answeredLine(shell, "yes", 40, plain),
    answeredLine(shell, "stop", 40, plain),
    answeredLine(edit, "always", 80, plain),
  ]).toEqual([
    "allowed: $ make all",
    "refused: $ make all",
    "allowed, as all edits of this session are now: change what? -1.txt",
  ])
})
