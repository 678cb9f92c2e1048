// The process's own secrets are taken out by value: whole, encoded, wrapped, and out of text that comes in pieces.
import fc from "fast-check"
import { expect, test } from "vitest"
import { createRedactor } from "../../../src/record/redact/redactor.ts"
import { secretsAmong, secretsInHeaders } from "../../../src/record/redact/secret-variables.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"

// Put together here, so that no scanner takes this file for a leak.
const KEY = ["v3ry-s3cret", "value/of+mine=42"].join("-")
const ODD = 'two "quoted" \\ parts & ümlaut'

const ENCODED: readonly (readonly [string, (value: string) => string])[] = [
  ["as it is", (value) => value],
  ["in JSON", (value) => JSON.stringify({ value })],
  ["in JSON in JSON", (value) => JSON.stringify(JSON.stringify({ value }))],
  ["in an address", (value) => `https://x.test/?k=${encodeURIComponent(value)}&y=1`],
  ["in a form", (value) => new URLSearchParams({ q: value }).toString()],
  ["in base64", (value) => Buffer.from(value).toString("base64")],
  ["in base64url", (value) => Buffer.from(value).toString("base64url")],
  ["in hexadecimal", (value) => Buffer.from(value).toString("hex")],
  ["in base64 after one", (value) => Buffer.from(`u${value} and more`).toString("base64")],
  ["in base64 after two", (value) => Buffer.from(`u:${value}`).toString("base64")],
  ["in base64 after three", (value) => Buffer.from(`me:${value}:x`).toString("base64")],
  ["wrapped", (value) => `${value.slice(0, 10)}\n${value.slice(10, 20)}\r\n  ${value.slice(20)}`],
  [
    "wrapped base64",
    (value) =>
      Buffer.from(value)
        .toString("base64")
        .replaceAll(/(.{12})/g, "$1\n"),
  ],
]

test.each(ENCODED)("a value %s", (name, encode) => {
  const secrets = createSecrets([KEY, ODD])
  // A break takes the spaces beside it away, so a value with spaces is not put together again.
  for (const value of name.startsWith("wrapped") ? [KEY] : [KEY, ODD]) {
    const shown = secrets.redact(`before ${encode(value)} after`)
    expect(shown).toMatch(/^before .*\[redacted:key\].* after$/s)
    for (let at = 0; at + 12 <= encode(value).length; at += 1) {
      const piece = encode(value).slice(at, at + 12)
      if (isOfValue(piece, value, encode)) expect(shown).not.toContain(piece)
    }
  }
})

/** What stands around the value in its encoding is nobody's secret; in base64 a sign may belong to both. */
function isOfValue(piece: string, value: string, encode: (value: string) => string): boolean {
  const other = encode("?".repeat(Buffer.byteLength(value)))
  return !other.includes(piece.slice(1, -1)) && !/[&?{]/.test(piece)
}

test("short values, words and plain numbers are not looked for", () => {
  const secrets = createSecrets([
    "short",
    "password",
    "production",
    "00000000",
    "2026-11-15",
    "changeme",
    "        ",
  ])
  const text = "short password in production 00000000 since 2026-11-15: changeme"
  expect(secrets.redact(text)).toBe(text)
})

test("of variables those count that look like secrets, but no places", () => {
  const env = {
    MY_API_KEY: KEY,
    PATH: "/usr/bin:/bin",
    GOOGLE_APPLICATION_CREDENTIALS: "/home/ada/keys/google.json",
    AWS_SECRET_ACCESS_KEY: `/${"aB3/".repeat(9)}xyz`,
    DATABASE_URL: "postgres://app:p%40ss-w0rd-1@db/app",
    NAMED: "a value that only the configuration calls a key",
    LANG: "en_GB.UTF-8",
  }
  expect(secretsAmong(env, ["NAMED"])).toEqual([
    KEY,
    env.AWS_SECRET_ACCESS_KEY,
    env.DATABASE_URL,
    "p%40ss-w0rd-1",
    "p@ss-w0rd-1",
    env.NAMED,
  ])
  expect(secretsInHeaders({ Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" })).toEqual([
    `Bearer ${KEY}`,
    "Bearer",
    KEY,
  ])
})

test("plain data is changed inside and keeps its identity where it holds nothing", () => {
  const secrets = createSecrets([KEY])
  const clean = { a: [{ b: "text" }], n: 1, f: undefined, m: new Map([["k", KEY]]) }
  expect(secrets.within(clean)).toBe(clean)
  const data = { clean, [KEY]: [`x ${KEY}`, null] }
  expect(secrets.within(data)).toEqual({ clean, "[redacted:key]": ["x [redacted:key]", null] })
  expect(secrets.within(data).clean).toBe(clean)
})

test("what is learned later is known from then on, also for texts that were looked at before", async () => {
  const secrets = createSecrets()
  const redact = createRedactor({ secrets })
  const text = `${"a long text ".repeat(50)} ${KEY.slice(0, 12)}`
  expect(await redact([text])).toEqual([text])
  secrets.learn([KEY.slice(0, 12)])
  expect(await redact([text])).toEqual([`${"a long text ".repeat(50)} [redacted:key]`])
})

test("in a stream no piece of a value is ever shown, and what is shown in all is the redacted text", () => {
  const values = ["ab-1234567", "ab-1234567-long", "1234567-x9", KEY]
  const secrets = createSecrets(values)
  const piece = fc.oneof(
    fc.constantFrom(...values, ...values.map((value) => value.slice(0, 6)), "ab-", "a", "1", " ", "\n"),
    fc.string({ maxLength: 6 }),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      fc.array(fc.nat(40), { maxLength: 20 }),
      (pieces, cuts) => {
        const text = pieces.join("")
        const stream = secrets.stream()
        let shown = ""
        let at = 0
        for (const cut of [...cuts, text.length]) {
          shown += stream.push(text.slice(at, at + cut))
          at = Math.min(text.length, at + cut)
          for (const value of values)
            if (!text.slice(at).startsWith(value)) expect(shown.includes(value)).toBe(false)
        }
        shown += stream.push(text.slice(at)) + stream.end()
        expect(secrets.redact(shown)).toBe(shown)
        expect(shown).toBe(secrets.redact(text))
      },
    ),
    {
      numRuns: 500,
      examples: [
        [
          ["xx ab-1234567", "-lo", "ng yy"],
          [4, 5, 2],
        ],
      ],
    },
  )
})

test("ordinary text goes through a stream at once", () => {
  const stream = createSecrets([KEY]).stream()
  expect(["Hello ", "there", ". "].map((text) => stream.push(text))).toEqual(["Hello ", "there", ". "])
})

test("a text that broke off in the middle of a value does not show its beginning", () => {
  const secrets = createSecrets([KEY])
  expect(secrets.redactCut(`it is ${KEY.slice(0, 15)}`)).toBe("it is ")
  expect(secrets.redactCut(`it is ${KEY} and v3`)).toBe("it is [redacted:key] and v3")
})
