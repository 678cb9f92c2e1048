// Secrets are taken out before anything is written: by their form, one by one or together, and by custom patterns.
import { generateKeyPairSync } from "node:crypto"
import fc from "fast-check"
import { expect, onTestFinished, test } from "vitest"
import { queryEvents } from "../../../src/record/ask/logs.ts"
import { isRedacted } from "../../../src/record/redact/mark.ts"
import { createRedactor } from "../../../src/record/redact/redactor.ts"
import { openRecord } from "../../../src/record/write/record.ts"
import { event, recordFile } from "../record-file.ts"

// Put together here, so that no scanner takes this file for a leak.
const AWS = ["AKIA", "Q3EGRJ7BWZ5XKPTM"].join("")
const GITHUB = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_")
const DATABASE = ["postgres://admin", "s3cr3tpw1@db.internal/app"].join(":")
const PRIVATE = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString()
  .trim()

const SECRETS: readonly (readonly [secret: string, mark: string])[] = [
  [AWS, "[redacted:aws]"],
  [GITHUB, "[redacted:github]"],
  [DATABASE, "[redacted:database-connection-string]"],
  [PRIVATE, "[redacted:privatekey]"],
]

test.each(SECRETS)("%s is taken out, and nothing around it", async (secret, mark) => {
  const redact = createRedactor()
  const [alone, inside, none] = await redact([secret, `see ${secret} here`, "nothing to see"])
  expect([alone, inside, none]).toEqual([mark, `see ${mark} here`, "nothing to see"])
  expect([alone, inside, none].map((text) => isRedacted(text ?? ""))).toEqual([true, true, false])
})

test("a text that others push out of the memory during a scan is not let through", async () => {
  const redact = createRedactor()
  const known = `see ${AWS} ${"- ".repeat(100)}`
  await redact([known])
  // More than one scan each, and the first call takes the longer one.
  const long = Array.from({ length: 24 }, (_, at) => `${at} ${"words ".repeat(17_000)}`)
  const first = redact([known, ...long])
  await redact(Array.from({ length: 5_001 }, (_, at) => `${at} ${"- ".repeat(120)}`))
  expect((await first)[0]).toBe(known.replace(AWS, "[redacted:aws]"))
})

test("texts that are looked at together come out as each would alone", async () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(...SECRETS.map(([secret]) => secret)),
    fc.constantFrom(
      "-----BEGIN RSA PRIVATE KEY-----\nMIIEow",
      "-----END RSA PRIVATE KEY-----",
      "postgres://a:b",
      "AKIA",
      "\n",
      '"',
      "x".repeat(300),
    ),
  )
  const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(" "))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 12 }), async (texts) => {
      const together = await createRedactor()(texts)
      const alone = createRedactor()
      for (const [at, one] of texts.entries()) expect(together[at]).toBe((await alone([one]))[0])
    }),
    { numRuns: 60 },
  )
})

test("a text that was looked at before gives the same again, also when much else came in between", async () => {
  const redact = createRedactor()
  const long = `${"a long text ".repeat(50)} ${GITHUB}`
  const plain = "a long text ".repeat(50)
  const [first] = await redact([long])
  expect(await redact([long, plain])).toEqual([first, plain])
  await redact(Array.from({ length: 6_000 }, (_, n) => `${n} `.repeat(100)))
  expect(await redact([plain, long, plain, long])).toEqual([plain, first, plain, first])
  expect(first).toBe(`${plain} [redacted:github]`)
})

test("a text that says the rules are off switches nothing off, for itself or for those after it", async () => {
  const off = "/* secretlint-disable */ # Secretlint-Disable"
  expect(await createRedactor()([`${off} ${GITHUB}`, "secretlint-disable", GITHUB])).toEqual([
    `${off} [redacted:github]`,
    "secretlint-disable",
    "[redacted:github]",
  ])
})

test("custom patterns", async () => {
  const redact = createRedactor({ patterns: ["EMP-\\d+", "(?<=pin )\\d{4}"] })
  expect(await redact(["EMP-123 and EMP-4", "pin 1234", "none", ""])).toEqual([
    "[redacted:own] and [redacted:own]",
    "pin [redacted:own]",
    "none",
    "",
  ])
})

test.each(["(", "x".repeat(501), "a*", ""])("the pattern %o is refused", (pattern) => {
  expect(() => createRedactor({ patterns: [pattern] })).toThrow(
    expect.objectContaining({ code: "bad-configuration" }),
  )
})

test("a pattern that would take years costs the text, not the turn and not the other texts", async () => {
  const redact = createRedactor({ patterns: ["(a+)+$", "EMP-\\d+"] })
  expect(await redact([`${"a".repeat(60)}!`, "EMP-1", "plain"])).toEqual([
    "[redacted:timeout]",
    "[redacted:own]",
    "plain",
  ])
})

test("many texts that would take years take one moment together, not one each", async () => {
  const redact = createRedactor({ patterns: ["(a+)+$"] })
  const texts = Array.from({ length: 50 }, (_, n) => `${"a".repeat(60)}${n}!`)
  const start = process.cpuUsage()
  expect(new Set(await redact(texts))).toEqual(new Set(["[redacted:timeout]"]))
  // CPU time, so other work on the machine does not count. One by one they would take ten times as long.
  expect(process.cpuUsage(start).user).toBeLessThan(2_500_000)
})

test("no secret reaches the file, in an error or deep in the data", async () => {
  const record = openRecord(recordFile(), { redact: createRedactor() })
  onTestFinished(() => record.close())
  record.append(
    event({ error: `failed with ${AWS}`, data: { env: { KEY: PRIVATE, [GITHUB]: [DATABASE] }, ok: "yes" } }),
  )
  await record.flush()
  expect(await record.read((store) => queryEvents(store))).toMatchObject([
    {
      error: "failed with [redacted:aws]",
      data: {
        env: { KEY: "[redacted:privatekey]", "[redacted:github]": ["[redacted:database-connection-string]"] },
        ok: "yes",
      },
    },
  ])
})
