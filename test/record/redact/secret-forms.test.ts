// Secrets are known by their form, whatever stands around them; ordinary text stays as it is; and nobody can make the
// search slow.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { secretsIn } from "../../../src/base/secrets/secret-text.ts"
import { createRedactor } from "../../../src/record/redact/redactor.ts"
import { SECRET_CASES } from "./secret-values.ts"

/** No run of so many characters of a value may be left; short ones are ordinary words. */
const LEFT = 8

function leftOf(value: string, shown: string): readonly string[] {
  const pieces = Array.from({ length: Math.max(0, value.length - LEFT + 1) }, (_, at) =>
    value.slice(at, at + LEFT),
  )
  return pieces.filter((piece) => /[A-Za-z]/.test(piece) && shown.includes(piece)).slice(0, 2)
}

/** The first and last words of a block say nothing. */
function withoutWords(value: string): string {
  return value.replaceAll(/-----[A-Z ]+-----|PuTTY-User-Key-File-3: ssh-ed25519/g, "")
}

const AROUND: readonly (readonly [name: string, around: (text: string) => string])[] = [
  ["alone", (text) => text],
  ["in a sentence", (text) => `The key is ${text} , and it works.`],
  ["in quotes", (text) => `value: "${text}"`],
  ["in JSON", (text) => JSON.stringify({ note: `first line\n${text}\nlast line` })],
  ["at the end of a long text", (text) => `${"plain words, one after another. ".repeat(50)}\n${text}`],
]

test.each(SECRET_CASES)("$name is taken out as a whole", async ({ text, value = text }) => {
  const redact = createRedactor()
  for (const [name, around] of AROUND) {
    const given = around(text)
    // What JSON escapes is another value in the text.
    const sought = given.includes(value) ? value : JSON.stringify(value).slice(1, -1)
    const [shown = ""] = await redact([given])
    expect({ name, left: leftOf(withoutWords(sought), shown) }).toEqual({ name, left: [] })
    expect(shown).toContain("[redacted:")
  }
})

const ORDINARY: readonly string[] = [
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "commit 3253945b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f",
  "id 123e4567-e89b-12d3-a456-426614174000",
  `integrity sha512-${"Zm9vYmFy".repeat(11)}==`,
  "token: string, password: string, secret?: undefined",
  "const token = await getToken(session)",
  "password=$DB_PASSWORD, api_key: %API_KEY%, secret = <your secret>",
  "Set ANTHROPIC_API_KEY to use claude-sonnet-5-5.",
  "Authorization: Bearer <token>",
  "The bearer authentication scheme is described in RFC 6750.",
  "basic understanding of the subject matter",
  "postgres://user:password@localhost/app and https://example.com:8080/path@v2",
  "git@github.com:org/repository.git and mailto:ada@example.com",
  "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
  "A key starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.",
  "A file that has -----BEGIN PRIVATE KEY----- in its first line is a key.",
  "sk-skipped-because-it-is-a-word, key-value-pairs, secret_sauce, hf_hub_download",
  "tokens=12345678, input_tokens=10985, token_count: 1234567890",
  "https://hooks.slack.com/services/ is where webhooks live",
  "eyJhbGciOiJIUzI1NiJ9 is the header of every token of that kind",
]

test.each(ORDINARY)("%s stays", async (text) => {
  expect(await createRedactor()([text])).toEqual([text])
})

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|yaml|json|ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

test("our own documents, examples and source stay as they are", async () => {
  const files = ["docs", "examples", "src/agent", "src/record", "src/sources", "src/cli"].flatMap(filesIn)
  const texts = files.map((file) => readFileSync(file, "utf8"))
  const shown = await createRedactor()(texts)
  expect(files.filter((_, at) => shown[at] !== texts[at])).toEqual([])
  expect(files.length).toBeGreaterThan(100)
})

const PREFIXES: readonly string[] = [
  ...SECRET_CASES.map(({ text }) => text.slice(0, 10)),
  ...["-----BEGIN PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----\nAAAA", "PuTTY-User-Key-File-3: a\n"],
  ...[
    "a://a:",
    "a://a:a@",
    "://",
    "eyJaaaaaaaa.",
    "eyJaaaaaaaa.eyJ",
    "password=",
    "token: ",
    "a_",
    "secret-",
  ],
  ...["ghs_1_", "xoxb-a-", "SG.a.", "SG.a_", "tskey-ab-12345678-", "lin_api_", "ops_ey", "sk-proj-", "a1_"],
  ...[
    "mysql://a:",
    "mysql://a:b@",
    "mongodb://a:b@c/",
    "https://aa:bbbb@a.",
    "account = ",
    "secretaccesskey = ",
  ],
  ...["-----BEGIN", "-----BEGIN PRIVATE KEY-----\nProc-Type: 4\n"],
  ...["Authorization: Bearer ", "bearer ", "AccountKey=", "?sig=", "AKIA", "sk-", "1234567890:AA", "\\n"],
]

/** Compares CPU times of this thread, so other work on the machine does not count. */
test("a text that repeats the beginning of a form takes about as long as ordinary text", () => {
  const took = (words: string) => {
    const text = words.repeat(Math.ceil(500_000 / words.length))
    const start = process.threadCpuUsage()
    secretsIn(text)
    const { user, system } = process.threadCpuUsage(start)
    return user + system
  }
  const plain = Math.max(...[1, 2, 3].map(() => took("plain words, one after another. ")))
  // Quadratic work would take a thousand times as long; a collection of garbage must not count, so it is tried again.
  const isSlow = (words: string) => ![1, 2, 3].some(() => took(words) < 30 * plain)
  expect([...new Set(PREFIXES)].filter(isSlow)).toEqual([])
})
