// What a terminal sends becomes keys, however it is cut into chunks.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { keyName } from "../../../src/cli/chat/screen/edit.ts"
import { flushKeys, type Key, NO_KEYS, readKeys } from "../../../src/cli/chat/screen/keys.ts"

function keysOf(chunks: readonly Uint8Array[]): readonly Key[] {
  let state = NO_KEYS
  const keys: Key[] = []
  for (const chunk of chunks) {
    const read = readKeys(state, chunk)
    state = read.state
    keys.push(...read.keys)
  }
  return [...keys, ...flushKeys(state).keys]
}

function shown(text: string): readonly string[] {
  return keysOf([Buffer.from(text)]).map(textOfKey)
}

function textOfKey(key: Key): string {
  return key.kind === "key" ? `<${keyName(key)}>` : key.kind === "paste" ? `paste(${key.text})` : key.text
}

describe("keys by what is sent", () => {
  test.each([
    ["plain text", "héllo 漢", ["héllo 漢"]],
    ["enter and line feed", "\r\n", ["<enter>", "<ctrl-j>"]],
    ["control keys", "\u0001\u0003\u0004\u000f", ["<ctrl-a>", "<ctrl-c>", "<ctrl-d>", "<ctrl-o>"]],
    ["backspace and tab", "\u007f\b\t\u001b[Z", ["<backspace>", "<ctrl-backspace>", "<tab>", "<shift-tab>"]],
    [
      "arrows of both kinds",
      "\u001b[A\u001bOB\u001b[1;5C\u001b[1;3D",
      ["<up>", "<down>", "<ctrl-right>", "<alt-left>"],
    ],
    [
      "home, end, delete",
      "\u001b[H\u001b[4~\u001b[3~\u001b[3;5~",
      ["<home>", "<end>", "<delete>", "<ctrl-delete>"],
    ],
    [
      "alt keys",
      "\u001bb\u001b\r\u001b\u007f\u001bé",
      ["<alt-b>", "<alt-enter>", "<alt-backspace>", "<alt-é>"],
    ],
    [
      "keys by their character",
      "\u001b[13;2u\u001b[97;5u\u001b[98u\u001b[27u",
      ["<shift-enter>", "<ctrl-a>", "b", "<escape>"],
    ],
    [
      "a paste with all in it",
      "a\u001b[200~x\r\n\u001b[A\u0003\u001b[201~b",
      ["a", "paste(x\r\n\u001b[A\u0003)", "b"],
    ],
    ["escape alone and twice", "\u001b\u001b", ["<escape>", "<escape>"]],
    ["a sequence that means nothing", "a\u001b[?1;2cb\u001b[99~", ["a", "b"]],
    ["an open sequence at the end", "\u001b[1;", ["<escape>", "[1;"]],
  ])("%s", (_name, text, expected) => {
    expect(shown(text)).toEqual(expected)
  })

  test("bytes that are no UTF-8 are shown as such and lose nothing else", () => {
    expect(keysOf([Buffer.from([0x61, 0xff, 0x62])]).map(textOfKey)).toEqual(["a\ufffdb"])
  })
})

/** Keys with neighbouring texts as one: where a text is cut says nothing. */
function merged(keys: readonly Key[]): readonly string[] {
  const all: string[] = []
  let isText = false
  for (const key of keys) {
    if (key.kind === "text" && isText) all.push((all.pop() ?? "") + key.text)
    else all.push(textOfKey(key))
    isText = key.kind === "text"
  }
  return all
}

const piece = fc.constantFrom(
  "a",
  "é",
  "漢",
  "👨‍👩‍👧",
  "\r",
  "\u0003",
  "\u007f",
  "\u001b[A",
  "\u001b[1;5C",
  "\u001bOP",
  "\u001b[200~p\n\u001b[20x\u001b[201~",
  "\u001b\r",
  "\u001b[97;5u",
)

test("the same keys, wherever the bytes are cut", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat(200), { maxLength: 8 }),
      (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(""))
        const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
        const chunks = [...places, bytes.length].map((end, at) => bytes.subarray(places[at - 1] ?? 0, end))
        expect(merged(keysOf(chunks))).toEqual(merged(keysOf([bytes])))
      },
    ),
  )
})

test("any bytes at all are read without trouble", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(Array.isArray(keysOf([bytes]))).toBe(true)
    }),
  )
})
