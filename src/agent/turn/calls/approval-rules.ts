// What the rules under `approve:` say about an action of a tool. Deny wins over ask, and ask over allow. A rule about
// edits never covers the agent's own instructions or code that runs, which are always asked about.
import { allowsCommand, isCertainCommand, namesCommand } from "../../../base/text/command-pattern.ts"
import { globOf } from "../../../base/text/glob.ts"
import type { ApproveRule } from "../../../sources/config/approve-schema.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import type { ApprovalRequest } from "../../../tools/host.ts"

export interface Rules extends Readonly<NonNullable<Config["approve"]>> {
  /** Commands in the sandbox need no question. */
  readonly inside?: boolean
  /** Patterns of commands that may leave the sandbox without a question. */
  readonly leave?: readonly string[]
}

export interface Ruling {
  readonly decision: "allow" | "ask" | "deny"
  /** The rule as it is written. */
  readonly rule: string
}

/** Returns undefined if no rule is about it. */
export function rulingOn(
  request: ApprovalRequest,
  { allow = [], ask = [], deny = [], inside = false, leave = [] }: Rules,
): Ruling | undefined {
  const denied = deny.find((rule) => isNamed(rule, request))
  if (denied !== undefined) return { decision: "deny", rule: ruleText(denied) }
  const asked = ask.find((rule) => isNamed(rule, request))
  if (asked !== undefined) return { decision: "ask", rule: ruleText(asked) }
  if (request.kind === "shell" && request.leaves !== undefined) return leaving(request.command, leave)
  if (inside && request.kind === "shell" && request.isInside)
    return { decision: "allow", rule: "the sandbox" }
  const allowed = allow.find((rule) => isAllowed(rule, request))
  return allowed === undefined ? undefined : { decision: "allow", rule: ruleText(allowed) }
}

/**
 * What may run without a question says nothing about where: in the sandbox, `npm test` is harmless, but on the host it
 * runs what the sandbox has written.
 */
function leaving(command: string, patterns: readonly string[]): Ruling | undefined {
  const rule = patterns.find((pattern) => allowsCommand(pattern, command))
  return rule === undefined ? undefined : { decision: "allow", rule: `${rule} (sandbox.leave)` }
}

/**
 * Whether an earlier yes to all actions of this kind covers this one. A command that hides what it runs may hide one
 * that is denied or asked about.
 */
export function isCoveredByYes(request: ApprovalRequest, { ask = [], deny = [] }: Rules): boolean {
  if (request.kind === "shell" && request.leaves !== undefined) return false
  const hasCommands = [...ask, ...deny].some((rule) => typeof rule === "string")
  return request.kind !== "shell" || !hasCommands || isCertainCommand(request.command)
}

function ruleText(rule: ApproveRule): string {
  if (typeof rule === "string") return rule
  return Object.entries(rule)
    .map(([kind, pattern]) => `${kind}: ${pattern}`)
    .join(", ")
}

function isAllowed(rule: ApproveRule, request: ApprovalRequest): boolean {
  if (typeof rule === "string") return request.kind === "shell" && allowsCommand(rule, request.command)
  const isElsewhere = request.kind === "edit" && request.path.split("/").includes("..")
  return request.kind !== "instructions" && !isElsewhere && isNamed(rule, request)
}

/** In doubt, it is. */
function isNamed(rule: ApproveRule, request: ApprovalRequest): boolean {
  if (typeof rule === "string") return request.kind === "shell" && namesCommand(rule, request.command)
  const { edit, mcp, tool } = rule
  switch (request.kind) {
    case "edit":
    case "instructions":
      return isGlob(edit, request.path)
    case "mcp":
      return isGlob(mcp, `${request.server}/${request.tool}`)
    case "tool":
      return isGlob(tool, request.name)
    default:
      return false
  }
}

function isGlob(pattern: string | undefined, text: string): boolean {
  return pattern !== undefined && globOf(pattern)?.(text) === true
}
