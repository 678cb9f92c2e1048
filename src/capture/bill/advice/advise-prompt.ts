// Advice about what is sent with every call: MCP servers and skills that were never used, and instruction files.
import { plural, thousands } from "../../../base/text/figures.ts"
import type { Client } from "../../call.ts"
import type { Advice, OwnerCost } from "../bill.ts"
import { skillOf } from "../owners/owner-identity.ts"

export interface PromptFacts {
  readonly owners: readonly OwnerCost[]
  readonly client: Client | undefined
  readonly isWellKnown: (owner: OwnerCost) => boolean
}

const REMOVE: Partial<Record<Client, (server: string) => string>> = {
  "claude-code": (server) => `claude mcp remove ${server}`,
  codex: (server) => `codex mcp remove ${server}`,
  "gemini-cli": (server) => `gemini mcp remove ${server}`,
}

/** A name that needs no quotes in a shell. */
const PLAIN_NAME = /^[\w.-]+$/

export function unusedServers({ owners, client, isWellKnown }: PromptFacts): readonly Advice[] {
  const tools = owners.filter(({ kind, server }) => kind === "mcp-tool" && server !== undefined)
  return [...Map.groupBy(tools, ({ server = "" }) => server)].flatMap(([server, own]): readonly Advice[] => {
    if (own.some(({ used }) => used !== 0) || !own.every(isWellKnown)) return []
    const calls = Math.max(...own.map((tool) => tool.calls))
    const count = own.length === 1 ? "its tool was" : `its ${own.length} tools were`
    const text = `Disconnect the MCP server ${server}: ${count} sent with ${plural(calls, "call")} and never used.`
    const command = client !== undefined && PLAIN_NAME.test(server) ? REMOVE[client]?.(server) : undefined
    return [{ kind: "mcp-server", text, command, savesUsd: sumOf(own), simulated: true }]
  })
}

export function unusedSkills({ owners, isWellKnown }: PromptFacts): readonly Advice[] {
  const skills = Map.groupBy(
    owners.filter(({ group }) => group === "skills"),
    (owner) => skillOf(owner) ?? "",
  )
  const listed = [...skills].filter(([name]) => name !== "")
  const unused = listed.filter(([, own]) => own.every((owner) => owner.used === 0 && isWellKnown(owner)))
  if (unused.length === 0) return []
  const names = unused.slice(0, 3).map(([name]) => name)
  const more = unused.length > names.length ? `, and ${unused.length - names.length} more` : ""
  const text = `Remove skills that you don't use: ${unused.length} of ${listed.length} were listed in every call and never used (${names.join(", ")}${more}).`
  const savesUsd = unused.reduce((sum, [, own]) => sum + sumOf(own), 0)
  return [{ kind: "skills", text, savesUsd, simulated: true }]
}

/** A file of which half could go. */
const LARGE_INSTRUCTIONS = 2_000

export function instructionAdvice(owners: readonly OwnerCost[]): readonly Advice[] {
  const [largest] = owners.filter(
    ({ group, tokens, others, carriedUsd }) =>
      group === "instructions" && others === undefined && carriedUsd !== null && tokens >= LARGE_INSTRUCTIONS,
  )
  if (largest === undefined) return []
  const { path = "", tokens, calls, carriedUsd } = largest
  const file = path.split(/[\\/]/).at(-1) ?? path
  const text = `Halve ${file}: its ${thousands(tokens)} tokens were sent with ${plural(calls, "call")}.`
  return [{ kind: "instructions", text, savesUsd: (carriedUsd ?? 0) / 2, simulated: true }]
}

function sumOf(owners: readonly OwnerCost[]): number {
  return owners.reduce((sum, { carriedUsd }) => sum + (carriedUsd ?? 0), 0)
}
