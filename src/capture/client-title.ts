// The names of clients as people write them.
import { escapeHidden } from "../record/ask/log.ts"
import type { Client } from "./call.ts"

const CLIENT_TITLES: Readonly<Record<Client, string>> = {
  "claude-code": "Claude Code",
  "agent-sdk": "Claude Agent SDK",
  codex: "Codex",
  pi: "pi",
  opencode: "OpenCode",
  "gemini-cli": "Gemini CLI",
  openclaw: "OpenClaw",
  incipit: "Incipit",
  other: "other programs",
}

/** A key of `byClient`, which is a client's name. */
export function clientTitle(key: string): string {
  return Object.hasOwn(CLIENT_TITLES, key)
    ? // It has the key.
      CLIENT_TITLES[key as Client]
    : escapeHidden(key)
}
