// Blocks with calls in the text of an answer: what is a call, what is mended, and what the model is told about the rest.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { fallbackCalls } from "../../../src/agent/fallback/calls.ts"
import { streamGate } from "../../../src/agent/fallback/gate.ts"

const id = (at: number) => `call_${at + 1}`

const read = (text: string) => {
  const { before, calls, problems } = fallbackCalls(text, { id })
  return { before, calls: calls.map(({ data, ...call }) => call), problems }
}

const one = { id: "call_1", name: "read", input: { path: "a.md" } }

describe("a call in", () => {
  test.each([
    ["the form that is asked for", '```tool_call\n{"tool": "read", "arguments": {"path": "a.md"}}\n```'],
    ["another case", '```Tool_Call\n{"Tool": "read", "ARGUMENTS": {"path": "a.md"}}\n```'],
    [
      "lines that end as on Windows",
      '```tool_call\r\n{"tool": "read", "arguments": {"path": "a.md"}}\r\n```\r\n',
    ],
    [
      "lines with blanks at their ends",
      '   ``` tool_call  \n{"tool": "read", "arguments": {"path": "a.md"}}\n``` \n',
    ],
    ["tildes, and more marks", '~~~~tool_call\n{"tool": "read", "arguments": {"path": "a.md"}}\n~~~~~'],
    ["other words for its fields", '```tool_call\n{"name": "read", "parameters": {"path": "a.md"}}\n```'],
    ["a third word", '```tool_call\n{"name": "read", "input": {"path": "a.md"}}\n```'],
    [
      "arguments that are a string of JSON",
      '```tool_call\n{"tool":"read","arguments":"{\\"path\\":\\"a.md\\"}"}\n```',
    ],
    ["a block that is not closed", '```tool_call\n{"tool": "read", "arguments": {"path": "a.md"}}\n'],
    [
      "several lines with commas too many",
      '```tool_call\n{"tool": "read",\n "arguments": {"path": "a.md", } ,\n}\n```',
    ],
  ])("%s", (_name, text) => {
    expect(read(text)).toEqual({ before: "", calls: [one], problems: [] })
  })
})

test("raw new lines and tabs in a string are what they look like", () => {
  const text = '```tool_call\n{"tool": "write", "arguments": {"text": "one\n\ttwo, ]\\n"}}\n```'
  expect(read(text).calls).toEqual([{ id: "call_1", name: "write", input: { text: "one\n\ttwo, ]\n" } }])
})

test("several blocks run in order, and the words before them are the answer", () => {
  const text =
    'I look.\n\n```tool_call\n{"tool": "list"}\n```\n\n```tool_call\n{"tool": "read", "arguments": {"path": "a.md"}}\n```\n'
  expect(read(text)).toEqual({
    before: "I look.\n\n",
    calls: [
      { id: "call_1", name: "list", input: {} },
      { ...one, id: "call_2" },
    ],
    problems: [],
  })
})

test("a block inside another fence, an indented one and one in a line are examples", () => {
  const text = [
    "````markdown",
    '```tool_call\n{"tool": "read"}\n```',
    "````",
    '~~~\n```tool_call\n{"tool": "read"}\n```\n~~~',
    '    ```tool_call\n    {"tool": "read"}\n    ```',
    'A line with ```tool_call {"tool": "read"}``` in it.',
    "```tool_call `x`",
  ].join("\n")
  expect(read(text)).toEqual({ before: text, calls: [], problems: [] })
})

test("what cannot be read is reported, and the rest still is a call", () => {
  const bodies = [
    '{"tool": "read", "arguments": {"path": "a.md"}',
    '["read"]',
    '{"tool": "read", "name": "write"}',
    '{"arguments": {}}',
    '{"tool": "read", "arguments": {}, "input": {}}',
    '{"tool": "read", "arguments": "a.md"}',
    '{"tool": "read", "arguments": {"path": "a\\\nb"}}',
    "",
    '{"tool": "read", "arguments": {"path": "a.md"}}',
  ]
  const text = bodies.map((body) => `\`\`\`tool_call\n${body}\n\`\`\``).join("\n")
  const { calls, problems } = read(text)
  expect(calls).toEqual([one])
  expect(problems.join("\n")).toMatchInlineSnapshot(`
    "Block 1 is not a single JSON object (in strings, a line break is \\n and a quote is \\"): "{\\"tool\\": \\"read\\", \\"arguments\\": {\\"path\\": \\"a.md\\"}"
    Block 2 is not a single JSON object (in strings, a line break is \\n and a quote is \\"): "[\\"read\\"]"
    Block 3 must name one tool as "tool": "{\\"tool\\": \\"read\\", \\"name\\": \\"write\\"}"
    Block 4 must name one tool as "tool": "{\\"arguments\\": {}}"
    Block 5 must have one object as "arguments": "{\\"tool\\": \\"read\\", \\"arguments\\": {}, \\"input\\": {}}"
    Block 6 must have one object as "arguments": "{\\"tool\\": \\"read\\", \\"arguments\\": \\"a.md\\"}"
    Block 7 is not a single JSON object (in strings, a line break is \\n and a quote is \\"): "{\\"tool\\": \\"read\\", \\"arguments\\": {\\"path\\": \\"a\\\\ b\\"}}"
    Block 8 is not a single JSON object (in strings, a line break is \\n and a quote is \\"): """
  `)
})

test("text after a block is reported, since it may be a result that the model made up", () => {
  const text =
    '```tool_call\n{"tool": "list"}\n```\nIt says: a.md\n```tool_call\n{"tool": "read", "arguments": {"path": "a.md"}}\n```\nAnd so on.'
  expect(read(text).problems).toEqual([
    'Text after a block is ignored; write it before the first block: "It says: a.md And so on."',
  ])
  expect(fallbackCalls(text, { id }).calls.map(({ data }) => data.fallback?.written)).toEqual([
    '```tool_call\n{"tool": "list"}\n```',
    '```tool_call\n{"tool": "read", "arguments": {"path": "a.md"}}\n```',
  ])
})

const RUNS = { seed: 20_26, numRuns: 1_000 }
const piece = fc.constantFrom(
  "```",
  "~~~",
  "````",
  "`",
  "tool_call",
  "tool_",
  "TOOL_CALL ",
  "js",
  "\n",
  "\r\n",
  " ",
  "    ",
  '{"tool": "read"}',
  '{"tool": "read", "arguments": {"a": "b',
  '"}}',
  "words",
  "\u{1F56F}",
)
const anyText = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""))
const cuts = fc.array(fc.nat(200), { maxLength: 12 })

function chunks(text: string, at: readonly number[]): readonly string[] {
  const places = [0, ...at.toSorted((a, b) => a - b), text.length]
  return places.slice(1).map((end, index) => text.slice(places[index], end))
}

describe("any text", () => {
  test("comes through the gate up to the first block, however it is split", () => {
    fc.assert(
      fc.property(anyText, cuts, (text, at) => {
        const gate = streamGate()
        const shown = chunks(text, at).map((chunk) => gate.push(chunk))
        expect([...shown, gate.end()].join("")).toBe(fallbackCalls(text, { id }).before)
      }),
      RUNS,
    )
  })

  test("is never shown further than the words before a block, at any moment", () => {
    fc.assert(
      fc.property(anyText, cuts, (text, at) => {
        const { before } = fallbackCalls(text, { id })
        const gate = streamGate()
        let shown = ""
        for (const chunk of chunks(text, at)) {
          shown += gate.push(chunk)
          expect(before.startsWith(shown)).toBe(true)
        }
      }),
      RUNS,
    )
  })

  test("is the same call when it is written as a block", () => {
    const name = fc.stringMatching(/^[a-z_]{1,12}$/)
    const input = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(name, input, fc.boolean(), (tool, args, isPretty) => {
        const given: unknown = JSON.parse(JSON.stringify(args))
        const body = JSON.stringify({ tool, arguments: given }, undefined, isPretty ? 2 : 0)
        expect(read(`Words.\n\`\`\`tool_call\n${body}\n\`\`\`\n`)).toEqual({
          before: "Words.\n",
          calls: [{ id: "call_1", name: tool, input: given }],
          problems: [],
        })
      }),
      RUNS,
    )
  })
})

test("words are shown as they come, and only what may open a block waits", () => {
  const gate = streamGate()
  const given = [
    "I ",
    "look.\n",
    "``",
    "`",
    "js\n",
    "```tool_call\n",
    "```\n",
    " `",
    "``tool",
    "_call",
    "\n{",
  ]
  expect([...given.map((text) => gate.push(text)), gate.end()]).toEqual([
    "I ",
    "look.\n",
    "",
    "",
    "```js\n",
    "```tool_call\n",
    "```\n",
    "",
    "",
    "",
    "",
    "",
  ])
})
