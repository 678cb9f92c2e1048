// agents/<id>/incipit.yaml: what it may set, what it may only take away, what is ignored, and where values come from.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { effectiveSettings } from "../../../src/cli/commands/workspace/settings.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"

const WORKSPACE = `model: anthropic/claude-sonnet-5-5
tools: [read, write, shell]
budget: { window: 100000, reserve: 4000 }
approve: { allow: [git status], deny: [rm *] }
spending: { day: $5 }
users: { ada: { trust: full } }
`
const OWN = `model: anthropic/claude-haiku-4-5
fallback_model: openai/gpt-5.6-sol
effort: low
tools: [read, list]
budget: { window: 50000 }
spending: { day: $1 }
approve:
  deny: [curl *]
`

function agentWith(own: string) {
  const root = mkdtempSync(join(tmpdir(), "incipit-own-"))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, "agents/reader"), { recursive: true })
  writeFileSync(join(root, "incipit.yaml"), WORKSPACE)
  writeFileSync(join(root, "agents/reader/incipit.yaml"), own)
  return openWorkspace(root, { agent: "reader" })
}

test("an agent's own file chooses models and sizes, and takes rights away", () => {
  const { config, own, diagnostics } = agentWith(OWN)
  expect(config).toEqual({
    model: "anthropic/claude-haiku-4-5",
    fallback_model: "openai/gpt-5.6-sol",
    effort: "low",
    tools: ["read"],
    budget: { window: 50_000, reserve: 4_000 },
    approve: { allow: ["git status"], ask: [], deny: ["rm *", "curl *"] },
    spending: { day: "$5" },
    users: { ada: { trust: "full" } },
  })
  expect([own?.config.spending, diagnostics]).toEqual([{ day: "$1" }, []])
})

test("whatever would add rights is ignored, and said to be", () => {
  const { config, diagnostics } = agentWith(`profile: ./mine.ts
users: { eve: { trust: full } }
rooms: { "a:b": { trust: full } }
situations: { group: { ceiling: full } }
providers: { own: { url: "http://localhost:1/v1" } }
mcp: { own: { command: evil } }
hooks: [./evil.ts]
directories: [/]
memory: { stores: { private: public } }
prompt: { files: [{ path: MEMORY.md, trust: public }] }
schedule: [{ cron: "@daily", run: hello }]
serve: { host: 0.0.0.0 }
environment: { host: evil }
record: { redact: [] }
prices: []
cache: { ttl: 1h, rules: [] }
approve: { allow: [rm *], ask: [ls *] }
tools: [shell, delegate]
`)
  const ignored = diagnostics.flatMap((one) => (one.code === "not-of-an-agent" ? [one.key] : []))
  expect(ignored.toSorted()).toEqual(
    [
      ...["approve.allow", "cache.rules", "directories", "environment", "hooks", "mcp", "memory", "prices"],
      ...["profile", "prompt", "providers", "record", "rooms", "schedule", "serve", "situations", "users"],
    ].toSorted(),
  )
  expect(config).toEqual({
    model: "anthropic/claude-sonnet-5-5",
    tools: ["shell"],
    cache: { ttl: "1h" },
    budget: { window: 100_000, reserve: 4_000 },
    approve: { allow: ["git status"], ask: ["ls *"], deny: ["rm *"] },
    spending: { day: "$5" },
    users: { ada: { trust: "full" } },
  })
})

test("`config` says which file each value is from", () => {
  const settings = effectiveSettings({}, { env: {} }, agentWith(OWN)).filter(({ from }) => from !== "default")
  expect(settings.map(({ key, value, from }) => `${key}: ${value} (${from})`)).toEqual([
    "approve.allow.0: git status (incipit.yaml:4)",
    "approve.deny.0: rm * (incipit.yaml:4)",
    "approve.deny.1: curl * (agents/reader/incipit.yaml:8)",
    "budget.reserve: 4000 (incipit.yaml:3)",
    "budget.window: 50000 (agents/reader/incipit.yaml:5)",
    "effort: low (agents/reader/incipit.yaml:3)",
    "fallback_model: openai/gpt-5.6-sol (agents/reader/incipit.yaml:2)",
    "model: anthropic/claude-haiku-4-5 (agents/reader/incipit.yaml:1)",
    "spending.day: $5 (incipit.yaml:5)",
    "spending.day (this agent): $1 (agents/reader/incipit.yaml:6)",
    "tools.0: read (agents/reader/incipit.yaml:4)",
    "users.ada.trust: full (incipit.yaml:6)",
  ])
})
