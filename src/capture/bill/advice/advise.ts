// What is worth changing, and one thing that is not: each with what it would have saved on these very calls, by replaying
// what they used. At most five that save. Never a suggestion without its figure, nor one that saves more than was paid.
import { plural, thousands } from "../../../base/text/figures.ts"
import type { Client } from "../../call.ts"
import type { Advice, MissGroup, OwnerCost } from "../bill.ts"
import { instructionAdvice, unusedServers, unusedSkills } from "./advise-prompt.ts"
import { largeFileAdvice, trimAdvice } from "./advise-results.ts"
import type { WhatIfs } from "./what-if.ts"

export interface AdviceFacts {
  readonly costUsd: number
  readonly owners: readonly OwnerCost[]
  readonly missGroups: readonly MissGroup[]
  readonly whatIfs: WhatIfs
  /** The client of most calls. */
  readonly client: Client | undefined
  /** Whether the calls of an owner's client are known well enough to say that something was never used. */
  readonly isWellKnown: (owner: OwnerCost) => boolean
}

const MOST = 5
/** Of all costs: less is not worth a line. */
const LEAST_SHARE = 0.005

export function advise(facts: AdviceFacts): readonly Advice[] {
  if (facts.costUsd <= 0) return []
  const all = [
    ...ttlAdvice(facts),
    ...modelAdvice(facts),
    ...pauseAdvice(facts),
    ...trimAdvice(facts.owners),
    ...largeFileAdvice(facts.owners, facts.client),
    ...unusedServers(facts),
    ...unusedSkills(facts),
    ...instructionAdvice(facts.owners),
  ].map((advice) => ({ ...advice, savesUsd: Math.min(advice.savesUsd, facts.costUsd) }))
  const worth = all.filter(({ savesUsd }) => savesUsd >= facts.costUsd * LEAST_SHARE)
  return [
    ...worth.toSorted((one, other) => other.savesUsd - one.savesUsd).slice(0, MOST),
    ...notWorth(facts, all),
  ]
}

const LONGER: Partial<Record<Client, string>> = {
  "claude-code": `"env": { "ENABLE_PROMPT_CACHING_1H": "1" }`,
  "agent-sdk": "ENABLE_PROMPT_CACHING_1H=1",
}
const SHORTER: Partial<Record<Client, string>> = {
  "claude-code": `"env": { "FORCE_PROMPT_CACHING_5M": "1" }`,
  "agent-sdk": "FORCE_PROMPT_CACHING_5M=1",
}

const TTL_WORDS: Readonly<Record<string, string>> = { "5m": "5-minute", "1h": "1-hour" }

function ttlAdvice({ whatIfs, client }: AdviceFacts): readonly Advice[] {
  return whatIfs.ttls.map(({ from, to, savesUsd }) => {
    const [now, other] = [TTL_WORDS[from] ?? from, TTL_WORDS[to] ?? to]
    const commands = to === "1h" ? LONGER : SHORTER
    return {
      kind: "ttl",
      text:
        savesUsd > 0
          ? `Use the ${other} cache instead of the ${now} one.`
          : `the ${other} cache instead of the ${now} one.`,
      command: savesUsd > 0 && client !== undefined ? commands[client] : undefined,
      savesUsd,
      simulated: true,
    }
  })
}

function modelAdvice({ missGroups }: AdviceFacts): readonly Advice[] {
  const group = missGroups.find(({ cause }) => cause === "model-changed")
  if (group === undefined || group.costUsd === null) return []
  const times = group.count === 1 ? "One switch" : `${group.count} switches`
  const text = `Pick the model before the first message. ${times} mid-session wrote ${thousands(Math.round(group.tokens))} tokens again.`
  return [{ kind: "model", text, savesUsd: group.costUsd, simulated: true }]
}

function pauseAdvice({ whatIfs, client }: AdviceFacts): readonly Advice[] {
  const { savesUsd, calls, tokens } = whatIfs.longPauses
  if (calls === 0) return []
  const text = `Start a new session after a long break. ${plural(calls, "call")} continued a session after its cache had expired, and ${thousands(Math.round(tokens))} tokens of old conversation were written again.`
  const command = client === "claude-code" || client === "codex" ? "/clear" : undefined
  return [{ kind: "pauses", text, command, savesUsd, simulated: true }]
}

/** The one that would have cost most; if all would have saved something, what is often tried and costs more. */
function notWorth({ whatIfs, missGroups }: AdviceFacts, all: readonly Advice[]): readonly Advice[] {
  const worst = all
    .filter(({ savesUsd }) => savesUsd <= 0)
    .toSorted((one, other) => one.savesUsd - other.savesUsd)[0]
  if (worst !== undefined) return [worst]
  const { noCache } = whatIfs
  if (noCache.calls > 0 && noCache.savesUsd < 0)
    return [
      {
        kind: "no-cache",
        text: "turning the prompt cache off.",
        savesUsd: noCache.savesUsd,
        simulated: true,
      },
    ]
  if (missGroups.some(({ cause }) => cause === "text-changed")) return []
  const text = "leaving your instruction files alone during a session. No edit cost anything."
  return [{ kind: "edits", text, savesUsd: 0, simulated: true }]
}
