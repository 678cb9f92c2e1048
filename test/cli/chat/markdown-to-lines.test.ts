// Markdown as lines: one look in colours and one without, the same lines however the text came, never too wide, and
// nothing in it that a terminal would obey.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { pieceLines } from "../../../src/cli/chat/markdown/lines.ts"
import { markdownLines, streamMarkdown } from "../../../src/cli/chat/markdown/markdown.ts"
import { type Line, lineText, paintLine } from "../../../src/cli/chat/screen/styled.ts"
import { painter } from "../../../src/cli/views/colour.ts"
import { cells } from "../../../src/cli/views/widths.ts"

const SAMPLE = `# Tides today

The **high water** at *Skagen* is at \`14:20\`, see [the table](https://example.org/t) or <https://a.b/c>.
The next line goes on &amp; on, ~~not~~ until it has to be wrapped somewhere.

1. First
1. Second, with
   - nested one
   - nested two

   a paragraph
1. Third:
   \`\`\`sh
   ls -la

   pwd
   \`\`\`

Here:
- [x] done
- [ ] open, and long enough to need a second line in a narrow window

> A quote with **bold**
> and more

| hour | height | note |
|---:|:--:|---|
| 02:00 | 1.2 m | low |
| 14:20 | 3.4 m | 漢字 👨‍👩‍👧 |

\`\`\`ts
const x = 1

\tindented(x) // and a line of code that is longer than the window is wide, so it is chopped
\`\`\`

A heading below
---------------

***
Bad \u001b[2J\u001b]0;title\u0007 and \u202e hidden\u200b text, persian می\u200cخواهم stays.
`

function plain(text: string, columns: number): string {
  return markdownLines(text, { columns, colour: false }).map(lineText).join("\n")
}

test.each([40, 80, 200])("the sample at %d columns", async (columns) => {
  await expect(`${plain(SAMPLE, columns)}\n`).toMatchFileSnapshot(`../../golden/chat/markdown-${columns}.txt`)
})

test("the sample in colours", async () => {
  const paint = painter({ colour: true })
  const lines = markdownLines(SAMPLE, { columns: 60, colour: true }).map((line) => paintLine(line, paint))
  await expect(`${lines.join("\n").replaceAll("\u001b", "^")}\n`).toMatchFileSnapshot(
    "../../golden/chat/markdown-colours.txt",
  )
})

test("a table that does not fit is a list", () => {
  expect(
    plain(
      "| name | what it is |\n|---|---|\n| tides | the rise and fall of the sea |\n| moon | its cause |\n",
      24,
    ),
  ).toBe(
    `- name: tides
  what it is: the rise
  and fall of the sea
- name: moon
  what it is: its cause`,
  )
})

test("a table that does not fit and has no rows yet is a list of its columns", () => {
  expect(plain("| a long name | what it is |\n|---|---|\n", 20)).toBe("- a long name\n  what it is")
})

test("code without colours is between marks that are not in it, and every address is shown", () => {
  expect(
    plain("Use ``a`b``, `` ` `` or [this](https://a.example 'b'), ![c](d.png), <https://e.example>", 200),
  ).toBe("Use ``a`b``, `` ` `` or this (https://a.example), image: c (d.png), https://e.example")
})

test("characters by name are no way to write what a terminal obeys", () => {
  expect(plain("&#27;[2J&#x9b;1m &#x202e;a [&#8;b](&#10;c) `&#27;` &lt;&nbsp;&amp;", 200)).toBe(
    "\\u001b[2J\\u009b1m \\u202ea \\u0008b (\\nc) `&#27;` <\u00a0&",
  )
})

describe("while it comes", () => {
  test("finished pieces come out, and the open one can be seen", () => {
    const page = { columns: 40, colour: false }
    const stream = streamMarkdown()
    const steps = [
      "One **pa",
      "ragraph**.\n",
      "\n- it",
      "em\n- nex",
      "t\n\n```\nco",
      "de\nmo",
      "re\n```",
    ].map((text) => ({
      finished: stream.push(text, page).map(lineText),
      open: stream.open(page).map(lineText),
    }))
    expect([...steps, stream.end(page).map(lineText)]).toMatchInlineSnapshot(`
      [
        {
          "finished": [],
          "open": [
            "One **pa",
          ],
        },
        {
          "finished": [],
          "open": [
            "One **paragraph**.",
          ],
        },
        {
          "finished": [
            "One **paragraph**.",
          ],
          "open": [
            "",
            "- it",
          ],
        },
        {
          "finished": [],
          "open": [
            "",
            "- item",
            "- nex",
          ],
        },
        {
          "finished": [
            "",
            "- item",
            "- next",
            "",
            "\`\`\`",
          ],
          "open": [
            "co",
          ],
        },
        {
          "finished": [
            "code",
          ],
          "open": [
            "mo",
          ],
        },
        {
          "finished": [
            "more",
          ],
          "open": [
            "\`\`\`",
          ],
        },
        [
          "\`\`\`",
        ],
      ]
    `)
  })

  test("half a character is not shown as anything", () => {
    const stream = streamMarkdown()
    stream.push("smile \ud83d", { columns: 40, colour: false })
    expect(stream.open({ columns: 40, colour: false }).map(lineText)).toEqual(["smile"])
  })
})

const word = fc.constantFrom(
  "a",
  "word",
  "**bold**",
  "*",
  "`code`",
  "`",
  "```",
  "~~~",
  "#",
  "##",
  "-",
  "- item",
  "1.",
  "12. twelfth",
  ">",
  "> quote",
  "|",
  "| a | b |",
  "|---|---|",
  "---",
  "===",
  "[x](y)",
  "[x]: y",
  "<b>",
  "&lt;",
  "&#27;[2J",
  "&#x85;",
  "漢字漢字",
  "👨‍👩‍👧",
  "\u001b[2J",
  "\u0007",
  "\t",
  "  ",
  "    ",
  "averyveryverylongwordthatdoesnotfitinanynarrowwindow",
  "\r",
)
const markdown = fc
  .array(fc.tuple(word, fc.constantFrom(" ", "\n", "\n\n", "\n  ", "\r\n", "")), { maxLength: 30 })
  .map((parts) => parts.flat().join(""))

test("the same lines, however the text was cut", () => {
  fc.assert(
    fc.property(markdown, fc.array(fc.nat(500), { maxLength: 10 }), fc.boolean(), (text, cuts, colour) => {
      const page = { columns: 40, colour }
      const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
      const stream = streamMarkdown()
      const lines = [...places, text.length].flatMap((end, at) => {
        const finished = stream.push(text.slice(places[at - 1] ?? 0, end), page)
        stream.open(page)
        return finished
      })
      expect([...lines, ...stream.end(page)]).toEqual(markdownLines(text, page))
    }),
    { numRuns: 500 },
  )
})

test("no line is too wide, and none has anything that a terminal obeys", () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 20, max: 100 }), fc.boolean(), (text, columns, colour) => {
      for (const line of markdownLines(text, { columns, colour }).map(lineText)) {
        expect(cells(line)).toBeLessThanOrEqual(columns)
        expect(line).not.toMatch(/\p{Cc}/u)
      }
    }),
    { numRuns: 500 },
  )
})

test("a row of a wide table has no lines for cells that it does not have", () => {
  const table = `${"|a".repeat(50)}|\n${"|-".repeat(50)}|\n${"| b |\n".repeat(99)}| c | | d |\n`
  const lines = markdownLines(table, { columns: 40, colour: false }).map(lineText)
  expect(lines).toEqual([...Array(99).fill("- a: b"), "- a: c", "  a: d"])
})

test("what is written is not lost: every word is in the lines", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(words, fc.integer({ min: 20, max: 60 }), (list, columns) => {
      expect(plain(list.join(" "), columns).split(/\s+/)).toEqual(list)
    }),
  )
})

test("the pieces that it is cut into are the blocks that a text is read as", () => {
  const page = { columns: 60, colour: false }
  // A text's own code has no marks before it ends, and blank lines are those of the source.
  const shown = (lines: readonly Line[]) =>
    lines.map((line) => lineText(line).trim()).filter((line) => line !== "" && !/^(?:```|~~~)/.test(line))
  const pieces =
    "\n,\n,\n\n, ,  ,   ,    ,- ,* ,1. ,2. ,3) ,> ,>,# ,|, | ,|-|-|,|-|,---,===,```,```\n,~~~,a,b,c d,- a,1. b, - ".split(
      ",",
    )
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 25 }).map((parts) => parts.join(""))
  fc.assert(
    fc.property(texts, (text) => {
      const whole = { kind: "block", text, number: undefined, gap: false } as const
      expect(shown(markdownLines(text, page))).toEqual(shown(pieceLines(whole, page)))
    }),
    { numRuns: 3_000 },
  )
})

test.each([
  ["deep lists", "- ".repeat(20_000)],
  ["open emphasis", "_a".repeat(20_000)],
  ["open brackets", "[a](".repeat(10_000)],
])("text that nobody would write is shown as it is: %s", (_name, text) => {
  const shown = plain(`${text}x`, 80)
  expect(shown.replaceAll(/\s/g, "")).toBe(`${text}x`.replaceAll(/\s/g, ""))
})

test("of quotes in quotes, the first twelve are quotes, and the rest is text", () => {
  const lines = plain(`${"> ".repeat(20_000)}x`, 80).split("\n")
  const [mark, text] = ["> ".repeat(12), "> ".repeat(19_988)]
  expect(lines.every((line) => line.startsWith(mark))).toBe(true)
  const shown = lines.map((line) => line.slice(mark.length)).join(" ")
  expect(shown.replaceAll(" ", "")).toBe(`${text}x`.replaceAll(" ", ""))
})
