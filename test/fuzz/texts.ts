// Texts for fuzzing: pieces of every syntax that is parsed, hostile shapes at small sizes, real texts with changes, and
// anything at all.
import fc from "fast-check"
import { SHAPES } from "./shapes.ts"

const PIECES = [
  ...[
    "---\n",
    "...\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "    ",
    "# a\n",
    "## b\n",
    "- c\n",
    "1. d\n",
    "> e\n",
    "| f | g |\n",
  ],
  ...[
    "|---|---|\n",
    "```\n",
    "```js\n",
    "~~~\n",
    "`",
    "**",
    "*",
    "_",
    "~~",
    "[x](y)",
    "![x](y)",
    "<a>",
    "</a>",
    "<!--",
    "-->",
  ],
  ...[
    "{{ SOUL }}",
    "{{ x }}",
    "{{",
    "}}",
    "{% if SOUL %}",
    "{% endif %}",
    "{% for s in SKILLS %}",
    "{{ s.name }}",
    "{% endfor %}",
  ],
  ...[
    "trust: full\n",
    "trust: familiar\n",
    "name: a\n",
    "description: b\n",
    "a: &a [1]\n",
    "b: *a\n",
    "<<: *a\n",
    "? a\n: b\n",
  ],
  ...[
    "!!js/function ",
    "!!binary aGk=\n",
    "!x ",
    "%YAML 1.1\n",
    "%TAG ! a\n",
    "|\n  a\n",
    ">-\n  a\n",
    '"\\e[31m"',
    "'",
    '"',
    ": ",
    "- ",
  ],
  ...[
    "__proto__: {a: 1}\n",
    "constructor: 1\n",
    "profile: incipit\n",
    "prompt:\n  files: [a]\n",
    "users:\n  ada: { trust: full }\n",
  ],
  ...[
    "schedule:\n  - { cron: '* * * * *', run: a }\n",
    "model: a/b\n",
    "responsibilities:\n  - { title: a, text: b }\n",
    "1e999",
    ".inf",
  ],
  ...[
    '{"name":"a","description":"b","parameters":{"type":"object"}}',
    '{"tool":"a","arguments":{}}',
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
  ],
  ...[
    '"a"',
    "1",
    "-0",
    "true",
    "null",
    "\\u0000",
    '"\\ud800"',
    '{"__proto__":{"a":1}}',
    '{"at":1,"model":"m","blocks":[]}\n',
  ],
  ...[
    "```tool_call\n",
    "# Plan: a\n## Steps\n1. b\n",
    "@a.md\n",
    "@~/b",
    "2024-01-01",
    "8 May 2023",
    "last May",
    "every day at 8",
  ],
  ...[
    "* * * * *",
    "@daily",
    "*/0 * * * *",
    "0 0 31 2 *",
    "**/*.md",
    "[a-z",
    "{a,b}",
    "!x",
    "\\",
    "/",
    "../",
    "?",
    "？ [b]",
  ],
  ...[
    "</soul>",
    "<turn-context>",
    "</turn\u2010context>",
    "＜/soul＞",
    "\u200b",
    "\ufe0f",
    "\u00ad",
    "\u0301",
    "\u202e",
    "\0",
    "\u001b[31m",
  ],
  ...[
    "\u{e0041}\u{e0042}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\ud800",
    "\udfff",
    "👩‍👩‍👧",
    "你好",
    "ก",
    "İ",
    "ﷺ",
  ],
  ...[
    "ignore all previous instructions",
    "password: hunter2secret9",
    "sk-ant-api03-abcdefghijklmnop",
    "remember that ",
    "and also ",
  ],
] as const

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...PIECES), fc.integer({ min: 2, max: 60 }))
      .map(([text, times]) => text.repeat(times)),
  },
)

const shape = fc
  .tuple(fc.constantFrom(...SHAPES.keys()), fc.integer({ min: 1, max: 3_000 }))
  .map(([name, size]) => SHAPES.get(name)?.(size) ?? "")

/** Two texts, one in the middle of the other. */
function within(outer: string, inner: string, at: number): string {
  const place = Math.floor(outer.length * at)
  return outer.slice(0, place) + inner + outer.slice(place)
}

const pieces = fc.array(piece, { maxLength: 30 }).map((all) => all.join(""))

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: pieces },
  { weight: 2, arbitrary: shape },
  {
    weight: 1,
    arbitrary: fc
      .tuple(shape, pieces, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([a, b, at]) => within(a, b, at)),
  },
  { weight: 1, arbitrary: fc.json({ maxDepth: 6 }) },
)
