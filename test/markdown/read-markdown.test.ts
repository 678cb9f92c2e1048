// Markdown as models write it: what is read of it, that no word is lost, and that no text is slow or nested without end.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { grownBlocks, type MarkdownBlock, markdownBlocks } from "../../src/markdown/growing.ts"
import { readBlocks } from "../../src/markdown/read-blocks.ts"
import { withSpaces } from "../../src/markdown/with-spaces.ts"
import { outline, plainText } from "./outline.ts"

const BLOCKS: readonly (readonly [string, string])[] = [
  ["# One\n## Two ##\n####### seven\n#no", "<h1>One</h1> <h2>Two</h2> <p>####### seven<br>#no</p>"],
  ["One\n===\nTwo\nlines\n---\n\n---", "<h1>One</h1> <h2>Two<br>lines</h2> <hr>"],
  ["one\ntwo\n\nthree", "<p>one<br>two</p> <p>three</p>"],
  ["```ts\nconst a = 1\n\n\tb()\n```\nafter", "<pre>const a = 1\n\n\tb()\n</pre> <p>after</p>"],
  ["~~~~\n```\n~~~\n~~~~", "<pre>```\n~~~\n</pre>"],
  ["```\nnot closed", "<pre>not closed\n</pre>"],
  ["    code\n\n      more\n\ntext\n    goes on", "<pre>code\n\n  more\n</pre> <p>text<br>goes on</p>"],
  ["> a\nlazy\n> > b\n\nc", "<quote><p>a<br>lazy</p><quote><p>b</p></quote></quote> <p>c</p>"],
  ["- a\n- b\n  - c\n    d\n- e", "<ul><li>a</li><li>b<ul><li>c<br>d</li></ul></li><li>e</li></ul>"],
  ["- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"],
  ["- a\n- b\n\nc", "<ul><li>a</li><li>b</li></ul> <p>c</p>"],
  [
    "* a\n+ b\n1. c\n2) d",
    "<ul><li>a</li></ul> <ul><li>b</li></ul> <ol 1><li>c</li></ol 1> <ol 2><li>d</li></ol 2>",
  ],
  // Too little for the width of its number, but what is meant is plain.
  ["1. a\n  - b\n  - c\n2. d", "<ol 1><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ol 1>"],
  ["1. a\n\n   ```\n   b\n   ```\n\n2. c", "<ol 1><li><p>a</p><pre>b\n</pre></li><li><p>c</p></li></ol 1>"],
  ["1. a\n```\nb\n```\n2. c", "<ol 1><li>a</li></ol 1> <pre>b\n</pre> <ol 2><li>c</li></ol 2>"],
  ["-\n\n  a", "<ul><li></li></ul> <p>a</p>"],
  ["\t- a\n-\tb\n\t- c", "<pre>- a\n</pre> <ul><li>b<ul><li>c</li></ul></li></ul>"],
  [
    "In the year\n1984. It was cold.\n1. one",
    "<p>In the year<br>1984. It was cold.</p> <ol 1><li>one</li></ol 1>",
  ],
  [
    "| a | b \\| c |\n|:--|:-:|\n| 1 | `x` | 3 |\n| 2\n\nend",
    "<table><tr><left>a</><center>b | c</></tr><tr><left>1</><center><code>x</code></></tr><tr><left>2</></tr></table> <p>end</p>",
  ],
  ["a | b\n---|--:\n1 | 2", "<table><tr><td>a</><right>b</></tr><tr><td>1</><right>2</></tr></table>"],
  ["a | b\n---", "<h2>a | b</h2>"],
  // Neither a list nor a heading is the second line of a table.
  ["a | b\n- | -", "<p>a | b</p> <ul><li>| -</li></ul>"],
  ["| a |\n---", "<h2>| a |</h2>"],
  ["| a |\n|---|\n| 1 |", "<table><tr><td>a</></tr><tr><td>1</></tr></table>"],
  // Nothing goes on with code that has ended.
  ["1. a\n   ```\n   b\n   ```\nc", "<ol 1><li>a<pre>b\n</pre></li></ol 1> <p>c</p>"],
]

const INLINES: readonly (readonly [string, string])[] = [
  ["**a** *b* __c__ _d_ ~~e~~ ~f~", "<strong>a</> <em>b</> <strong>c</> <em>d</> <del>e</> ~f~"],
  ["***a** b* *c **d***", "<em><strong>a</> b</> <em>c <strong>d</></>"],
  ["snake_case_name 2*3*4 a * b * c", "snake_case_name 2<em>3</>4 a * b * c"],
  ["**open *and closed* again", "**open <em>and closed</> again"],
  ["*a [b*](https://c.example) d*", "<em>a <a https://c.example>b*</> d</>"],
  ["`a` ``b`c`` `` ` `` `open", "<code>a</code> <code>b`c</code> <code>`</code> `open"],
  ["`*a*` \\*b\\* \\q", "<code>*a*</code> *b* \\q"],
  ["&lt;b&gt; &amp;lt; &#65;&#x42; &nosuch; & &#0;", "<b> &lt; AB &nosuch; & \ufffd"],
  ["<b>a</b> <br>", "<b>a</b> <br>"],
  [
    "[a](https://b.example/c_(d)_e 'title') [f](<https://g.example/h i>)",
    "<a https://b.example/c_(d)_e>a</> <a https://g.example/h i>f</>",
  ],
  ["[a](/b) [c] [d][e] [f]: g", "<a /b>a</> [c] [d][e] [f]: g"],
  [
    "![a](https://b.example) [![c](https://d.example)](https://e.example)",
    "<a https://b.example>image: a</> <a https://e.example>image: c</>",
  ],
  ["[**a** https://b.example](https://c.example)", "<a https://c.example><strong>a</> https://b.example</>"],
  [
    "(see https://a.example/b_(c).) www.d.example, <https://e.example>",
    "(see <a https://a.example/b_(c)>https://a.example/b_(c)</>.) <a http://www.d.example>www.d.example</>, <a https://e.example>https://e.example</>",
  ],
  [
    "**https://a.example** me@b.example. a@b https://",
    "<strong><a https://a.example>https://a.example</></> <a mailto:me@b.example>me@b.example</>. a@b https://",
  ],
]

describe("blocks", () => {
  test.each(BLOCKS)("%j", (text, expected) => expect(outline(text)).toBe(expected))
})

describe("in a line", () => {
  test.each(INLINES)("%j", (text, expected) => expect(outline(text)).toBe(`<p>${expected}</p>`))
})

/** Whatever means something, and words. */
const PIECES = [
  ...[
    "\n",
    "\n\n",
    " ",
    "  ",
    "    ",
    "\t",
    "- ",
    "* ",
    "1. ",
    "2) ",
    "> ",
    "# ",
    "|",
    "\n|-|-|\n",
    "---",
    "===",
  ],
  ..."* ** _ ~~ [ ] ![ ( ) < > & ; \\ ` ! : @ . //".split(" "),
  ...["one", "two", "three", "four", "www.", "https://"],
]
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(""))

test("no word is lost, whatever is around it", () => {
  const words = (text: string) => text.match(/one|two|three|four/g) ?? []
  fc.assert(
    fc.property(texts, (text) => {
      // What a link leads to is not shown, nor what language code is in, nor cells without a column.
      fc.pre(!/\]\(|`{3}|~{3}|\|/.test(text))
      expect(words(plainText(text.replaceAll("<", "")))).toEqual(words(text))
    }),
    { numRuns: 2_000 },
  )
})

test("what was drawn of a text stays as it is while the text grows", () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 6 }), (pieces) => {
      let [grown, text]: [readonly MarkdownBlock[], string] = [[], ""]
      for (const piece of pieces) {
        text += piece
        grown = grownBlocks(grown, text)
        for (const { start, source, block } of grown.slice(0, -2)) {
          expect(text.startsWith(source, start)).toBe(true)
          expect(block).toBeDefined()
        }
      }
      expect(grown.map(({ start }) => start)).toEqual(
        grown.map(({ start }) => start).toSorted((a, b) => a - b),
      )
    }),
    { numRuns: 500 },
  )
})

/** Each took a second for 20,000 characters, and four times as long for twice as many. */
test.each([
  ["spaces in the second line of a table", `|a\n|-${" ".repeat(1_000_000)}x`],
  ["backticks that are no code", `${"`".repeat(1_000_000)}x\``],
])("no text is read again and again: %s", (_name, text) => {
  const blocks = readBlocks(withSpaces(text.split("\n")))
  expect(blocks.map(({ block }) => block.kind)).toEqual(["paragraph"])
})

test("nothing is nested without end", () => {
  const depth = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
  const deep = ["> ", "- ", "1. ", "> - "].map((mark) => `${mark.repeat(2_000)}a`)
  for (const text of deep) expect(depth(markdownBlocks(text))).toBeLessThan(100)
  const emphasis = outline(`${"*a ".repeat(3_000)}${" b*".repeat(3_000)}`)
  expect(emphasis.split("<em>").length).toBeLessThan(100)
})
