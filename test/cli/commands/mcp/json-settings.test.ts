// One property of a JSON text is changed, and the rest stays as somebody wrote it.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { withoutProperty, withProperty } from "../../../../src/cli/commands/mcp/install/json-settings.ts"
import { readJsonText } from "../../../../src/cli/commands/mcp/install/json-text.ts"
import "../../../property-seed.ts"

const PATH = ["servers", "mine"]
const ENTRY = { command: "incipit", args: ["mcp"] }

describe.each<[name: string, before: string, after: string]>([
  [
    "comments, order and a comma at the end",
    '{\n  // mine\n  "theme": "dark", /* why */\n  "servers": {\n    // the other\n    "other": { "command": "x" }, // keep\n  },\n}\n',
    '{\n  // mine\n  "theme": "dark", /* why */\n  "servers": {\n    // the other\n    "other": { "command": "x" }, // keep\n    "mine": {\n      "command": "incipit",\n      "args": [\n        "mcp"\n      ]\n    },\n  },\n}\n',
  ],
  [
    "a comment behind the last property",
    '{\n  "servers": {\n    "other": 1 // one, with "quotes" and a }\n    // last\n  }\n}',
    '{\n  "servers": {\n    "other": 1, // one, with "quotes" and a }\n    // last\n    "mine": {\n      "command": "incipit",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}',
  ],
  [
    "tabs and the line ends of Windows",
    '{\r\n\t"servers": {\r\n\t\t"other": 1\r\n\t}\r\n}\r\n',
    '{\r\n\t"servers": {\r\n\t\t"other": 1,\r\n\t\t"mine": {\r\n\t\t\t"command": "incipit",\r\n\t\t\t"args": [\r\n\t\t\t\t"mcp"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n',
  ],
  [
    "one line",
    '{"a":[1,2],"servers":{"other":{"command":"x"}}}',
    '{"a":[1,2],"servers":{"other":{"command":"x"},"mine":{"command":"incipit","args":["mcp"]}}}',
  ],
  [
    "an object that is empty",
    '{\n    "servers": {}\n}\n',
    '{\n    "servers": {\n        "mine": {\n            "command": "incipit",\n            "args": [\n                "mcp"\n            ]\n        }\n    }\n}\n',
  ],
])("%s", (_name, before, after) => {
  test("added", () => expect(withProperty(before, PATH, ENTRY)).toBe(after))

  test("and removed again", () => expect(withoutProperty(after, PATH)).toBe(before))
})

test("objects on the way are made", () => {
  expect(withProperty("{}", PATH, 1)).toBe('{\n  "servers": {\n    "mine": 1\n  }\n}')
  expect(withProperty('{ "a": 1 }', PATH, 1)).toBe('{ "a": 1, "servers": {"mine":1} }')
})

test("a value is replaced in the form that it has", () => {
  expect(withProperty('{ "servers": { "mine": { "args": ["a"] } } }', [...PATH, "args"], ["b", "c"])).toBe(
    '{ "servers": { "mine": { "args": ["b", "c"] } } }',
  )
})

test.each<[text: string, at: number, mistake: string]>([
  ["", 0, "expected a value"],
  ["{", 1, "expected a name in quotes or }"],
  ['{ "a" 1 }', 6, "expected :"],
  ['{ "a": 1 "b": 2 }', 9, "expected , or }"],
  ["[1 2]", 3, "expected , or ]"],
  ['{ "a": 1,, }', 11, "expected a name in quotes"],
  ['{ "a": "b\nc" }', 7, "expected a value"],
  ['{ "a": 01 }', 8, "expected , or }"],
  ["{} {}", 3, "expected the end"],
  ["{ /* }", 2, "expected a name in quotes or }"],
  ["[}", 1, "expected a value or ]"],
])("%j has a mistake", (text, at, mistake) => {
  expect(readJsonText(text)).toEqual({ at, mistake })
})

test("what JSON.parse reads is read, and nothing else", () => {
  const text = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc.string({ unit: fc.constantFrom(...'{}[],:"a1-.e \n\\u00'), maxLength: 12 }),
  )
  fc.assert(
    fc.property(text, (json) => {
      const read = readJsonText(json)
      // Commas at the end are read, too.
      const plain = "mistake" in read ? json : read.plain
      const parses = (() => {
        try {
          JSON.parse(plain)
          return true
        } catch {
          return false
        }
      })()
      expect(!("mistake" in read)).toBe(parses)
    }),
    { numRuns: 2_000 },
  )
})

test("any object says the same as before, and one thing more", () => {
  const blank = fc.constantFrom("", " ", "\n", "\n  ", "\t", " // a\n", " /* b\n */ ", "\r\n")
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
  fc.assert(
    fc.property(
      object,
      fc.option(object),
      fc.array(blank, { minLength: 12, maxLength: 12 }),
      (whole, servers, blanks) => {
        // Without -0, which JSON does not write.
        const value = JSON.parse(JSON.stringify({ ...whole, ...(servers !== null && { servers }) }))
        let at = 0
        // Blanks and comments around the outer signs.
        const given = Object.entries(value).map(
          ([key, one]) =>
            `${blanks[at++ % 12]}${JSON.stringify(key)}${blanks[at++ % 12]}:${JSON.stringify(one)}`,
        )
        const text = `{${given.join(",")}${blanks[at % 12]}}`
        const isObject = (one: unknown) => typeof one === "object" && one !== null && !Array.isArray(one)
        const others = isObject(value.servers) ? (value.servers as object) : {}
        const now = withProperty(text, PATH, ENTRY)
        const read = readJsonText(now)
        expect("mistake" in read ? read : JSON.parse(read.plain)).toEqual({
          ...value,
          servers: { ...others, mine: ENTRY },
        })
        const back = readJsonText(withoutProperty(now, PATH))
        const { mine: _, ...without } = others as Record<string, unknown>
        expect("mistake" in back ? back : JSON.parse(back.plain)).toEqual({ ...value, servers: without })
      },
    ),
    { numRuns: 1_000 },
  )
})

test("a text that nests deep, or is long, takes no longer than its length", () => {
  const deep = "[".repeat(200_000)
  expect(readJsonText(deep)).toEqual({ at: deep.length, mistake: "expected a value or ]" })
  expect(readJsonText("/*a".repeat(500_000))).toEqual({ at: 0, mistake: "expected a value" })
  const quotes = `"${'\\"'.repeat(500_000)}`
  expect(readJsonText(quotes)).toEqual({ at: 0, mistake: "expected a value" })
})

test("a string without an end is a mistake, and is found at once", () => {
  expect(readJsonText(`{"a": "${"hunter2 ".repeat(1_000)}`)).toMatchObject({ at: 6 })
  expect(readJsonText(`{"a": "${"x\\n".repeat(100_000)}`)).toMatchObject({ at: 6 })
})
