// What modules may do to a prompt before a turn: edits, messages, and the whole prompt in one text.
import { expect, test } from "vitest"
import { benchOf, named, never, startEvent, untyped } from "./runner.ts"

test("edits get their author, and what a hook leaves out has its default", async () => {
  const { runner, troubles } = benchOf([
    named(
      "tides",
      {
        before_agent_start: () => ({
          edits: [
            { kind: "add", section: { id: "tides", content: "High at noon." }, after: "clock" },
            {
              kind: "replace",
              id: "soul",
              content: { parts: [{ text: "Calm." }, { slot: "tools" }] },
              trust: "inner",
            },
            { kind: "wrap", id: "user", before: "Before.", after: " " },
            { kind: "remove", id: "git" },
          ],
          messages: [{ text: "Look outside.", data: { wind: 3 } }],
        }),
      },
      "familiar",
    ),
    named("blank", {
      before_agent_start: () => ({ edits: [{ kind: "add", section: { id: "blank", content: "" } }] }),
    }),
  ])
  expect(await runner.beforeAgentStart(startEvent("You."), never())).toEqual({
    edits: [
      {
        by: "tides",
        trust: "familiar",
        kind: "add",
        section: {
          id: "tides",
          pace: "turn",
          priority: "medium",
          trust: "familiar",
          cut: "lines",
          content: { parts: [{ text: "High at noon." }] },
        },
        after: "clock",
      },
      {
        by: "tides",
        trust: "inner",
        kind: "replace",
        id: "soul",
        content: { parts: [{ text: "Calm." }, { slot: "tools" }] },
      },
      { by: "tides", trust: "familiar", kind: "wrap", id: "user", before: { parts: [{ text: "Before." }] } },
      { by: "tides", trust: "familiar", kind: "remove", id: "git" },
      {
        by: "blank",
        kind: "add",
        section: {
          id: "blank",
          pace: "turn",
          priority: "medium",
          trust: "public",
          cut: "lines",
          content: undefined,
        },
      },
    ],
    messages: [{ text: "Look outside.", data: { wind: 3 }, by: "tides", trust: "familiar" }],
  })
  expect(troubles).toEqual([])
})

test("each module sees the prompt as the ones before it left it", async () => {
  const seen: string[] = []
  const adds = (name: string, text: string) =>
    named(name, {
      before_agent_start: ({ systemPrompt }) => {
        seen.push(systemPrompt)
        return { systemPrompt: systemPrompt + text }
      },
    })
  const { runner } = benchOf([adds("one", "\nA."), adds("two", " \n"), adds("three", "B.")])
  const { edits, rebase } = await runner.beforeAgentStart(startEvent("You."), never())
  expect(seen).toEqual(["You.", "You.\nA.", "You.\nA. \n"])
  expect(edits).toEqual(
    [
      { by: "one", id: "addition/one", text: "\nA." },
      { by: "three", id: "addition/three", text: "B." },
    ].map(({ by, id, text }) => ({
      kind: "add",
      by,
      section: {
        id,
        pace: "turn",
        priority: "high",
        trust: "public",
        cut: "lines",
        content: { parts: [{ text }] },
      },
    })),
  )
  expect(rebase).toBeUndefined()
})

test("a prompt that was rewritten is a rebuild, with what was added before in it and what is added after beside it", async () => {
  const { runner } = benchOf([
    named("one", { before_agent_start: ({ systemPrompt }) => ({ systemPrompt: `${systemPrompt} A.` }) }),
    named("two", {
      before_agent_start: ({ systemPrompt }) => ({ systemPrompt: systemPrompt.toUpperCase() }),
    }),
    named("three", {
      before_agent_start: ({ systemPrompt }) => ({
        systemPrompt: `${systemPrompt} b.`,
        edits: [{ kind: "remove", id: "git" }],
      }),
    }),
  ])
  const { edits, rebase } = await runner.beforeAgentStart(startEvent("You."), never())
  expect(rebase).toEqual({ by: "two", text: "YOU. A." })
  expect(edits.map((edit) => [edit.by, edit.kind])).toEqual([
    ["three", "remove"],
    ["three", "add"],
  ])
})

test("the runner keeps nothing: the next prompt begins where the agent says", async () => {
  let count = 0
  const { runner } = benchOf([
    named("once", {
      before_agent_start: ({ systemPrompt }) => {
        count += 1
        return count === 1 ? { systemPrompt: `${systemPrompt} Once.` } : undefined
      },
    }),
  ])
  expect((await runner.beforeAgentStart(startEvent("You."), never())).edits.length).toBe(1)
  expect(await runner.beforeAgentStart(startEvent("You."), never())).toEqual({ edits: [], messages: [] })
})

test("what a session may not see is sent neither to it nor to the modules after", async () => {
  const seen: string[] = []
  const { runner, troubles } = benchOf([
    named(
      "secret",
      {
        before_agent_start: ({ systemPrompt }) => ({
          systemPrompt: `${systemPrompt} The code is 42.`,
          messages: [{ text: "The code is 42." }],
        }),
      },
      "full",
    ),
    named("anew", { before_agent_start: () => ({ systemPrompt: "The code is 42, all of it." }) }, "full"),
    named("last", { before_agent_start: ({ systemPrompt }) => void seen.push(systemPrompt) }),
  ])
  const { edits, messages, rebase } = await runner.beforeAgentStart(startEvent("You.", "familiar"), never())
  expect(seen).toEqual(["You."])
  expect({ messages, rebase, troubles }).toEqual({ messages: [], rebase: undefined, troubles: [] })
  // The plan withholds it, with an entry that says so.
  expect(edits.map(({ by, trust }) => [by, trust])).toEqual([["secret", "full"]])
})

const bad: readonly [string, unknown, string][] = [
  ["a text", "x", "the answer is not an object"],
  ["a key of pi's", { message: { content: "x" } }, 'the answer has an unknown key "message"'],
  ["no list", { edits: {} }, "edits is not a list"],
  ["no text", { systemPrompt: 3 }, "systemPrompt is not a string"],
  ["an unknown edit", { edits: [{ kind: "insert" }] }, 'an edit has the unknown kind "insert"'],
  [
    "a misspelt edit",
    { edits: [{ kind: "remove", ids: "x" }] },
    'an edit of kind "remove" has an unknown key "ids"',
  ],
  ["an edit of nothing", { edits: [{ kind: "remove" }] }, "id is not a string"],
  [
    "a blank replacement",
    { edits: [{ kind: "replace", id: "x", content: " " }] },
    'the content is blank; use "remove" to remove a section',
  ],
  [
    "an unknown trust",
    { edits: [{ kind: "remove", id: "x", trust: "ful" }] },
    "trust must be one of public, familiar, inner, full",
  ],
  [
    "a need in numbers",
    { edits: [{ kind: "add", section: { id: "x", content: "y", priority: 3 } }] },
    "priority must be one of required, high, medium, low",
  ],
  [
    "a section without bounds",
    { edits: [{ kind: "add", section: { id: "x", content: "y", bare: true } }] },
    'a section has an unknown key "bare"',
  ],
  [
    "another's name",
    {
      edits: [
        { kind: "replace", id: "x", content: { parts: [{ text: "y", from: { kind: "edit", by: "z" } }] } },
      ],
    },
    "from.lines is not a list",
  ],
  ["a blank message", { messages: [{ text: "" }] }, "the text of a message is blank"],
]

test.each(bad)("an answer that is %s is left out, all of it", async (_name, answer, error) => {
  const { runner, troubles } = benchOf([
    named("bad", untyped({ before_agent_start: () => answer })),
    named("good", { before_agent_start: () => ({ messages: [{ text: "Still here." }] }) }),
  ])
  expect(await runner.beforeAgentStart(startEvent("You."), never())).toEqual({
    edits: [],
    messages: [{ text: "Still here.", by: "good" }],
  })
  expect(troubles).toEqual([{ name: "bad", hook: "before_agent_start", error }])
})

test("text of a file keeps its place", async () => {
  const from = { kind: "file", path: "SOUL.md", identity: "1:2", lines: [1, 2], digest: "sha256:aa" } as const
  const { runner, troubles } = benchOf([
    named("files", {
      before_agent_start: () => ({
        edits: [{ kind: "replace", id: "x", content: { parts: [{ text: "y", from }] } }],
      }),
    }),
  ])
  const { edits } = await runner.beforeAgentStart(startEvent("You."), never())
  expect({ edits, troubles }).toEqual({
    edits: [{ by: "files", kind: "replace", id: "x", content: { parts: [{ text: "y", from }] } }],
    troubles: [],
  })
})
