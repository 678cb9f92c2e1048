// The secrets are assembled here, so that repository scanners don't take them for real ones.
import { expect, test } from "vitest"
import { makeFile } from "../core/make.ts"
import { lintFiles, lintText } from "./lint-text.ts"

const RANDOM = "q7Zt3VbX9mLc2KpR5wHs8NdF4yGj6TaE1uQo0iWv"
const UPPER = "Q7ZT3VBX2MLC4KPR"
const JWT = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", RANDOM].join(".")

const SECRETS: readonly (readonly [string, string])[] = [
  [["AKIA", UPPER].join("").replace(/[0189]/g, "A"), "an AWS access key id"],
  [["ghp", RANDOM].join("_"), "a GitHub token"],
  [["github_pat", RANDOM].join("_"), "a GitHub token"],
  [["glpat", RANDOM].join("-"), "a GitLab token"],
  [["xoxb", "123456789012", RANDOM].join("-"), "a Slack token"],
  [["https://hooks.slack.com", "services", "T12345678", "B87654321", RANDOM].join("/"), "a Slack webhook"],
  [["AIza", RANDOM.slice(0, 35)].join(""), "a Google API key"],
  [["sk-ant", "api03", RANDOM].join("-"), "an Anthropic key"],
  [["sk", RANDOM].join("-"), "an OpenAI key"],
  [["sk", "proj", RANDOM].join("-"), "an OpenAI key"],
  [["inc", `${RANDOM}-_x`].join("_"), "an Incipit token"],
  [["sk", "live", RANDOM].join("_"), "a Stripe key"],
  [["npm", RANDOM.slice(0, 36)].join("_"), "an npm token"],
  [["123456789", `AA${RANDOM.slice(0, 33)}`].join(":"), "a Telegram bot token"],
  [JWT, "a JSON web token"],
  ['password = "gT5#kq9!Zw"', "a password"],
  ["**Password:** gT5#kq9!Zw", "a password"],
  ["DB_PASSWORD=gT5kq9Zwp2", "a password"],
  [`api_key: ${RANDOM}`, "a key or token"],
  [`"apiKey": "${RANDOM}"`, "a key or token"],
  [`secret => '${RANDOM}'`, "a key or token"],
  ["postgres://app:gT5kq9Zwp2@db.internal/app", "a password in an address"],
]

test.each(SECRETS)("a secret is reported by its kind, never by its value: %s", (secret, kind) => {
  const findings = lintText(`# Notes\n\nUse ${secret} for it.\n`)
  expect(findings).toEqual([{ code: "secret", path: "rules/a.md", line: 3, kind, needs: "public" }])
  expect(lintText(`\`\`\`\n${secret}\n\`\`\``)).toHaveLength(1)
})

test.each([
  "  apiKey: process.env.LAMP_876_API_KEY,",
  "  apiKey: process.env.NEXT_PUBLIC_876_API_KEY, // of the app alone",
  'const token = process.env["LAMP_9X2_TOKEN_V7"]',
  "apiKey: import.meta.env.VITE_4F7_API_KEY9",
  'api_key = os.environ["LAMP_876_API_KEY2"]',
  'secret: Deno.env.get("LAMP_876_SECRET_4")',
])("a reference to an environment variable isn't a secret: %s", (line) => {
  expect(lintText(`\`\`\`ts\n${line}\n\`\`\`\n`)).toEqual([])
})

test.each([
  'curl -H "Authorization: Bearer YOUR_API_KEY" localhost',
  "Authorization: Bearer your-token-here",
  "Authorization: Bearer MY_ACCESS_TOKEN",
])("a placeholder isn't a secret: %s", (line) => {
  expect(lintText(line)).toEqual([])
})

test("an address that only looks like an environment variable hides nothing", () => {
  expect(lintText(`apiKey: "process.env.${RANDOM}"`)).toHaveLength(1)
})

test.each([
  ["-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n"],
  ["-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"],
  [`key: "-----BEGIN OPENSSH PRIVATE KEY-----\\nb3BlbnNzaC1rZXktdjEAAAAABG5v"`],
])("a private key is reported where its block begins: %j", (text) => {
  const file = makeFile({
    role: "user",
    path: "USER.md",
    text: `Mine:\n${text}`,
    firstLine: 4,
    trust: "full",
  })
  expect(lintFiles([file])).toEqual([
    { code: "secret", path: "USER.md", line: 5, kind: "a private key", needs: "full" },
  ])
})

test.each([
  ["AKIA", "IOSFODNN7EXAMPLE"].join(""),
  `ghp_${"x".repeat(36)}`,
  "sk-ant-your-key-goes-here-and-nowhere-else",
  "sk-something-long-in-words-with-hyphens",
  `ghp_${"ab12".repeat(9)}`,
  "password = changeme123",
  "password: aaaabbbb1111",
  "password: the one on the note 1 of 2",
  "password = $DB_PASSWORD1234",
  "password: <your password 123>",
  'api_key: "{{API_KEY_1}}"',
  "token: process.env.TOKEN_1()",
  "secret: /run/secrets/db_password_1",
  "token: authentication",
  "The cottage keypad code is HERRING-42.",
  "Look for `-----BEGIN PRIVATE KEY-----` before you commit.",
  "https://example.org:8080/path@2x and git@github.com:owner/repo1234.git",
  "postgres://app:password@localhost/app",
  "digest 3f786850e387550fdab836ed7e6dc881de23001b, id 123e4567-e89b-12d3-a456-426614174000",
])("what only looks like a secret isn't one: %s", (line) => {
  expect(lintText(line)).toEqual([])
})

test("memory is checked for secrets and nothing else", () => {
  const key = "q8Zr2LmW5tYx9KbN4vHs"
  const text = [
    "Run #3 of the day.",
    `- **API Key:** \`${key}\``,
    `curl -H "Authorization: Bearer ${key}" https://api.host`,
    `The secret key is kept in the vault.`,
  ].join("\n")
  const memory = [makeFile({ role: "memory", path: "memory/private/notes.md", text, trust: "full" })]
  expect(lintFiles([], { memory })).toMatchObject([
    { code: "secret", path: "memory/private/notes.md", line: 2, needs: "full" },
    { code: "secret", path: "memory/private/notes.md", line: 3, needs: "full" },
  ])
})

test.each(['const string ApiKey = "sk-live-123";', "password: hunter-abc", 'token = "my-token-1234"'])(
  "a value that only shows what not to do is none: %s",
  (text) => {
    expect(lintText(text)).toEqual([])
  },
)
