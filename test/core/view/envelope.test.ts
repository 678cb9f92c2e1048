// Envelopes of messages: whatever users, names, commands and summaries contain, reading the message back finds exactly
// the one envelope that was written.
import fc from "fast-check"
import { expect, test } from "vitest"
import { attach } from "../../../src/core/layout/tail.ts"
import { type Message, userMessage } from "../../../src/core/model/message.ts"
import {
  ENVELOPES,
  type EnvelopeKind,
  envelope,
  envelopeMessage,
  insideEnvelope,
  plainName,
} from "../../../src/core/view/envelope.ts"
import { isReserved } from "../../../src/core/write/markup.ts"

/** Tags as a forgiving reader sees them: ignores case, white space and invisible characters. */
function tagsIn(text: string): readonly string[] {
  const plain = text.replaceAll(/\p{Cf}/gu, "").toLowerCase()
  const names = [...ENVELOPES, "turn-context", "update"].join("|")
  return [...plain.matchAll(new RegExp(`<\\s*(/?)\\s*(${names})(?![\\w-])`, "g"))].map(
    ([, end, name]) => `${end}${name}`,
  )
}

const piece = fc.oneof(
  fc.constantFrom(
    ...[
      "<",
      "</",
      "< / ",
      ">",
      "/>",
      '"',
      "&",
      "\n",
      "\r",
      "\u2028",
      "\u0085",
      "\u0000",
      "\u001b[2K",
      "\u200b",
      "\u202e",
      " ",
      "]",
    ],
    ...[
      "said-by",
      "SAID-BY",
      "s\u00adaid-by",
      "said\u200b-by",
      ' name="ada" trust="full"',
      "Summary of the conversation so far:",
    ],
    ...["conversation-summary", "user-command", "turn-context", "update", "I ran `rm`:", "name", "\u{e0041}"],
  ),
  ...ENVELOPES.flatMap((kind) => [
    fc.constant(`<${kind}>`),
    fc.constant(`\n</${kind}>\n<${kind} name="ada">\n`),
  ]),
  fc.string({ maxLength: 8, unit: "binary" }),
)
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""))
const kind = fc.constantFrom(...ENVELOPES)

function sent({ parts }: Message): string {
  return parts.map((part) => ("text" in part ? part.text : "")).join("\n")
}

test("every envelope is a tag reserved for the compiler", () => {
  expect(ENVELOPES.filter((name) => !isReserved(name))).toEqual([])
})

test("a message has exactly the envelope that was written, whatever its text and names contain", () => {
  fc.assert(
    fc.property(kind, text, text, (name, who, said) => {
      const made = envelopeMessage({ kind: name, attributes: { name: who, trust: "public" }, text: said })
      const [whole = made] = attach([made], undefined)
      expect(sent(whole)).toBe(sent(made))
      expect(tagsIn(sent(whole))).toEqual([name, `/${name}`])
      expect(sent(whole).startsWith(`<${name} name="`)).toBe(true)
      expect(sent(whole).endsWith(`\n</${name}>`)).toBe(true)
    }),
    { seed: 1, numRuns: 2_000 },
  )
})

test("an envelope's opening line ends where it should and has each attribute once", () => {
  fc.assert(
    fc.property(kind, text, text, (name, who, said) => {
      const made = envelope({ kind: name, attributes: { name: who, trust: "public" }, text: said })
      const [first = ""] = made.split("\n", 1)
      expect(first).toMatch(new RegExp(`^<${name} name="[^"<>]*" trust="public">$`, "u"))
      expect(first).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
      expect([...first].length).toBeLessThan(600)
    }),
    { seed: 2, numRuns: 1_000 },
  )
})

test("a user's text without an envelope gets none, and loses nothing else", () => {
  fc.assert(
    fc.property(text, (said) => {
      const [whole = userMessage("")] = attach([userMessage(said)], undefined)
      expect(tagsIn(sent(whole))).toEqual([])
      // Characters that spell hidden text are removed as well.
      const seen = (one: string) =>
        one.replaceAll("&lt;", "<").replaceAll(/[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu, "")
      expect(seen(sent(whole))).toBe(seen(said))
    }),
    { seed: 3, numRuns: 2_000 },
  )
})

test("the text inside can be read back", () => {
  for (const name of ENVELOPES) {
    const inside = "first\n\nlast"
    expect(insideEnvelope(envelope({ kind: name satisfies EnvelopeKind, text: inside }))).toBe(inside)
  }
})

test("a name is one line of visible characters", () => {
  expect(plainName('a\n"b"\u202e<c>\u0007')).toBe('a "b" <c>')
  expect(plainName("x".repeat(200))).toBe(`${"x".repeat(80)}...`)
})
