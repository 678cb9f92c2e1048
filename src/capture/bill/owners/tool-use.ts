// Which tools and skills were called, and how often, so that those that were sent for nothing can be named.
import { toolOwner } from "../../attribute/tool-owner.ts"
import type { Client } from "../../call.ts"
import type { OwnedSpan, Owner } from "../../owner.ts"
import type { CallPart } from "../../split/part.ts"
import type { OwnerCost } from "../bill.ts"
import { identityOf, skillOf, skillsCalledIn, skillUsedBy } from "./owner-identity.ts"

export interface ToolUse {
  /** A part that was in no call before. */
  add(client: Client, part: CallPart, spans: readonly OwnedSpan[]): void
  /** How often it was called; undefined for what is neither a tool nor a skill. */
  usedOf(owner: OwnerCost): number | undefined
  /** The client that a tool or skill was sent by. */
  clientOf(owner: OwnerCost): Client | undefined
}

/** Names come from files, so there may be any number of them. */
const MOST_NAMES = 20_000

export function createToolUse(): ToolUse {
  const calls = new Map<string, number>()
  const skills = new Map<string, number>()
  const senders = new Map<string, Client>()
  /** Whose a tool is, by its name in the request: only its definition says so of some clients' MCP tools. */
  const defined = new Map<string, Owner>()
  const count = (counts: Map<string, number>, name: string) => {
    if (counts.size < MOST_NAMES || counts.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return {
    add(client, { kind, role, text, tool = "", input = "" }, spans) {
      if (kind === "tool-call") {
        const owner = defined.get(`${client} ${tool}`) ?? toolOwner(tool)
        const { server = "" } = owner
        count(calls, identityOf(owner))
        if (server !== "") count(calls, identityOf({ kind: "mcp-tool", server, match: "exact" }))
        const skill = skillUsedBy(tool, input)
        if (skill !== undefined) count(skills, skill)
        return
      }
      if (kind === "tool-result") return
      if (kind === "text" && role === "user") for (const name of skillsCalledIn(text)) count(skills, name)
      for (const { owner } of spans) {
        const isTool = owner.kind === "tool" || owner.kind === "mcp-tool"
        if (isTool && defined.size < MOST_NAMES) defined.set(`${client} ${tool}`, owner)
        if ((isTool || skillOf(owner) !== undefined) && senders.size < MOST_NAMES)
          senders.set(identityOf(owner), client)
      }
    },
    usedOf(owner) {
      if (owner.others !== undefined) return undefined
      const skill = skillOf(owner)
      if (skill !== undefined) return skills.get(skill) ?? 0
      if (owner.kind !== "tool" && owner.kind !== "mcp-tool") return undefined
      return calls.get(identityOf(owner)) ?? 0
    },
    clientOf: (owner) => senders.get(identityOf(owner)),
  }
}
