// Who speaks in which lines of a part: the client, a person, the model, a tool, a hook. What is quoted there is found
// later. Pure.
import type { Owner } from "../owner.ts"
import type { CallPart } from "../split/part.ts"
import type { TextLines } from "./text-lines.ts"
import { toolOwner } from "./tool-owner.ts"

/** `client`: text that the client put together, in which files and fields are quoted. `said`: nothing is looked for. */
export type ZoneKind = "client" | "person" | "result" | "tool" | "said"

export interface Zone {
  readonly kind: ZoneKind
  /** Lines; `to` is not included. */
  readonly from: number
  readonly to: number
  /** Of what is nobody else's. */
  readonly owner: Owner
}

/** Tags that clients put around what they add to a message. */
const CLIENT_TAGS = [
  ...[
    "system-reminder",
    "environment_context",
    "user_instructions",
    "permissions instructions",
    "skills_instructions",
  ],
  ...[
    "apps_instructions",
    "plugins_instructions",
    "collaboration_mode",
    "turn_aborted",
    "session_context",
    "skill",
  ],
  ...["command-name", "command-message", "command-args", "local-command-stdout", "local-command-stderr"],
  ...[
    "local-command-caveat",
    "task-notification",
    "user-prompt-submit-hook",
    "loaded_context",
    "hook_context",
  ],
  ...["project_instructions", "available_skills", "INSTRUCTIONS", "untrusted_context"],
]
const OPENING = new RegExp(`^<(${CLIENT_TAGS.join("|")})[ >]`)
/** A heading that begins a whole message of the client. */
const CLIENT_HEADING =
  /^(?:# AGENTS\.md instructions for |Base directory for this skill: |Caveat: The messages below )/
const HOOK =
  /^([A-Z][A-Za-z]+(?::[\w.*-]+)?) hook (?:success|additional context|blocking error|stopped continuation|feedback)\b/
const HOOK_TAG = /^<(?:user-prompt-submit-hook|hook_context)[ >]/

export function zonesOf(part: CallPart, lines: TextLines, servers: readonly string[]): readonly Zone[] {
  const to = lines.keys.length
  const whole = (kind: ZoneKind, owner: Owner): readonly Zone[] => [{ kind, from: 0, to, owner }]
  const { kind, role, tool = "", input } = part
  if (kind === "tool") return whole("tool", toolOwner(tool, servers))
  if (kind === "system") return whole("client", hookIn(lines, 0) ?? client("system"))
  if (kind === "tool-result") {
    const { kind: _kind, ...called } = toolOwner(tool, servers)
    const owner: Owner = { ...called, kind: "tool-result", input }
    return tagged(lines, { kind: "result", from: 0, to, owner })
  }
  if (kind === "text" && role !== "assistant") {
    if (CLIENT_HEADING.test(lines.keys[0] ?? "")) return whole("client", client("messages"))
    return tagged(lines, { kind: "person", from: 0, to, owner: spoken(role ?? "user") })
  }
  return whole("said", spoken(kind === "file" ? (role ?? "user") : "assistant"))
}

function client(name: string): Owner {
  return { kind: "client", name, match: "exact" }
}

function spoken(name: string): Owner {
  return { kind: "conversation", name, match: "exact" }
}

/** What stands in a tag of the client is the client's; the rest is whose the zone is. */
function tagged(lines: TextLines, rest: Zone): readonly Zone[] {
  const zones: Zone[] = []
  let from = 0
  for (let at = 0; at < lines.keys.length; at++) {
    const [, tag] = OPENING.exec(lines.keys[at] ?? "") ?? []
    if (tag === undefined) continue
    const end = closing(lines, at, `</${tag}>`)
    if (end === undefined) continue
    if (at > from) zones.push({ ...rest, from, to: at })
    const owner = hookIn(lines, at) ?? client("messages")
    zones.push({ kind: "client", from: at, to: end + 1, owner })
    from = end + 1
    at = end
  }
  if (from < rest.to || zones.length === 0) zones.push({ ...rest, from })
  return zones
}

/** The line at whose end the tag is closed. */
function closing(lines: TextLines, from: number, tag: string): number | undefined {
  for (let at = from; at < lines.keys.length; at++) if (lines.keys[at]?.endsWith(tag)) return at
  return undefined
}

function hookIn({ keys }: TextLines, at: number): Owner | undefined {
  const first = keys[at] ?? ""
  if (HOOK_TAG.test(first)) return { kind: "hook", name: "UserPromptSubmit", match: "exact" }
  const line = first === "<system-reminder>" ? (keys[at + 1] ?? "") : first.replace("<system-reminder>", "")
  const [, name] = HOOK.exec(line) ?? []
  return name === undefined ? undefined : { kind: "hook", name, match: "exact" }
}
