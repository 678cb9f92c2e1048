// Whatever secretlint's recommended rules find, our own table finds too, whole, whatever is around it. The samples are made from
// its patterns, so they belong to nobody.
import { lintSource } from "@secretlint/core"
import { creator } from "@secretlint/secretlint-rule-preset-recommend"
import fc from "fast-check"
import { expect, test } from "vitest"
import { secretsIn } from "../../../src/base/secrets/secret-text.ts"

const SAMPLES: Readonly<Record<string, RegExp>> = {
  "AWS key id": /^(A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}$/,
  "AWS secret key":
    /^"?(AWS|aws|Aws)?_?(SECRET|secret|Secret)_?(ACCESS|access|Access)_?(KEY|key|Key)"? {0,4}(:|=>|=)[ \n]{0,4}'?[A-Za-z0-9/+=]{40}$/,
  "AWS account":
    /^"?(AWS|aws)?_?(ACCOUNT|account)_?(ID|id)?"? {0,3}(:|=>|=) {0,3}"?[0-9]{4}-?[0-9]{4}-?[0-9]{4}$/,
  npm: /^npm_[A-Za-z0-9_]{36}$/,
  "Slack token": /^(xoxb|xoxp|xapp|xoxa|xoxo|xoxr)-([0-9]-)?([a-zA-Z0-9]{1,40}-){1,4}[a-zA-Z0-9]{1,40}$/,
  "Slack webhook":
    /^https:\/\/hooks\.slack\.com\/services\/T[a-zA-Z0-9]{1,40}\/B[a-zA-Z0-9]{1,40}\/[a-zA-Z0-9]{1,40}$/,
  "login in an address":
    /^(https?|ftps?):\/\/[-a-zA-Z0-9_]{1,20}:[-a-zA-Z0-9_]{1,20}@[-a-zA-Z0-9%._+~#=]{1,20}\.[a-zA-Z0-9]{1,6}$/,
  database:
    /^(mongodb(\+srv)?|(jdbc:)?mysqlx?|postgres(ql)?):\/\/[^:/\s]{1,20}:[^@/\s]{1,20}@[^/\s?]{1,20}(\/[^?\s]{0,20})?(\?[^\s]{0,20})?$/,
  OpenAI:
    /^sk-((proj|svcacct|admin)-([A-Za-z0-9_-]{74}T3BlbkFJ[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58}T3BlbkFJ[A-Za-z0-9_-]{58})|[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})$/,
  Anthropic: /^sk-ant-api0[0-9]-[A-Za-z0-9_-]{90,128}AA$/,
  Groq: /^gsk_[a-zA-Z0-9]{52}$/,
  "Hugging Face": /^hf_[a-zA-Z]{34}$/,
  Linear: /^lin_api_[a-zA-Z0-9_]{32,128}$/,
  Notion: /^ntn_[0-9]{11}[A-Za-z0-9]{35}$/,
  "private key":
    /^-----BEGIN ?((RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY( BLOCK)?-----\nMI([A-Za-z0-9+/]{2,64}\n){12,20}-----END ?((RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY( BLOCK)?-----$/,
  SendGrid:
    /^SG\.([A-Za-z0-9_]{22}\.[A-Za-z0-9_]{20}-[A-Za-z0-9_]{22}|[A-Za-z0-9_]{10}\.[A-Za-z0-9_]{30}[-_][A-Za-z0-9_]{24})$/,
  Shopify: /^(shppa|shpca|shpat|shpss)_[a-zA-Z0-9]{32,64}$/,
  Stripe: /^(sk|rk)_(live|test)_[a-zA-Z0-9]{24,99}$/,
  GitHub: /^((ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9_]{36}|github_pat_[A-Za-z0-9_]{82})$/,
  "GitHub app": /^ghs_[0-9]{1,20}_[A-Za-z0-9_-]{1,50}\.[A-Za-z0-9_-]{1,50}\.[A-Za-z0-9_-]{1,50}$/,
  GitLab: /^glpat-[A-Za-z0-9_-]{20,128}$/,
  Grafana: /^(glc_[A-Za-z0-9+/]{32,400}={0,2}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})$/,
  Vault: /^(hvs\.[A-Za-z0-9_-]{90,120}|hvb\.[A-Za-z0-9_-]{138,300}|hvr\.[A-Za-z0-9_-]{90,120})$/,
  Vercel: /^(vcp|vci|vca|vcr|vck)_[A-Za-z0-9]{20,60}$/,
  Databricks: /^dapi[A-Fa-f0-9]{32}(-[0-9])?$/,
  Docker: /^dckr_pat_[a-zA-Z0-9_-]{27}$/,
  Figma: /^figd_[A-Za-z0-9_-]{40,200}$/,
  Cloudflare: /^(cfk|cfut|cfat)_[A-Za-z0-9]{40}[0-9a-f]{8}$/,
  Tailscale: /^tskey-[a-z]{2,20}-[0-9A-Za-z_]{8,40}-[0-9A-Za-z_]{16,60}$/,
}

/** Its finding begins with the name and ends somewhere in the value. */
const NAMED: readonly string[] = ["AWS secret key", "AWS account"]

const AROUND = [
  "x",
  "%3D",
  "\\u0022",
  "\u200b",
  "aB",
  "",
  " ",
  '"',
  "-",
  "_",
  "7",
  "(",
  "\n",
  "=",
  "/",
  ".",
  "x_",
  "1-",
  "é",
  ":",
  ",",
]

test.each(Object.entries(SAMPLES))("%s", async (name, sample) => {
  const around = fc.constantFrom(...AROUND)
  let found = 0
  await fc.assert(
    fc.asyncProperty(around, fc.stringMatching(sample), around, async (before, secret, after) => {
      const text = `see ${before}${secret}${after} end`
      const ours = secretsIn(text)
      for (const { from, to } of await secretlintFindings(text)) {
        found += 1
        const left = [...text.slice(from, to)].filter(
          (_, at) => !ours.some((one) => one.from <= from + at && from + at < one.to),
        )
        const isFound = NAMED.includes(name) ? left.length < to - from : left.length === 0
        expect({ text, isFound }).toEqual({ text, isFound: true })
      }
    }),
    { seed: 5, numRuns: 40 },
  )
  expect({ name, isTested: found > 10 }).toEqual({ name, isTested: true })
})

test("a 1Password token", async () => {
  const token = `ops_${Buffer.from(JSON.stringify({ email: "ada@example.org", key: "k".repeat(91) })).toString("base64")}`
  expect(await secretlintFindings(`see ${token} end`)).toHaveLength(1)
  expect(secretsIn(`see ${token} end`)).toEqual([
    { from: 4, to: 4 + token.length, kind: "1password", label: "a 1Password token" },
  ])
})

interface Range {
  readonly from: number
  readonly to: number
}

const PRESET = "@secretlint/secretlint-rule-preset-recommend"

async function secretlintFindings(content: string): Promise<readonly Range[]> {
  const rules = [{ id: "@secretlint/secretlint-rule-aws", options: { enableIDScanRule: true } }]
  const { messages } = await lintSource({
    source: { content, filePath: "text", ext: "", contentType: "text" },
    options: { config: { rules: [{ id: PRESET, rule: creator, rules }] }, noPhysicFilePath: true },
  })
  return messages.map(({ range: [from, to] }) => ({ from, to }))
}
