// Opens an agent from flags: what `run` and `chat` have in common.
import { resolve } from "node:path"
import type { From } from "../../agent/inbox/from.ts"
import type { AgentOptions } from "../../agent/setup/agent.ts"
import { IncipitError } from "../../base/error.ts"
import { LEVELS } from "../../record/write/event.ts"
import type { ApprovalRequest } from "../../tools/host.ts"
import type { Terminal } from "../views/terminal.ts"
import type { FlagValues } from "./command.ts"
import { flagOrVariable, flagText, workspaceFolder } from "./flag-text.ts"

export function agentOptions(flags: FlagValues, terminal: Terminal): AgentOptions {
  const text = (name: string) => flagOrVariable(flags, terminal, name)
  const level = LEVELS.find((known) => known === flags["log-level"])
  const [agent, home, profile] = [text("agent"), text("home") ?? terminal.home, text("profile")]
  // A variable counts as configured: without its key the offline model answers.
  const model = flagText(flags, "model")
  const state = text("state")
  return {
    workspace: workspaceFolder(flags, terminal),
    directory: resolve(terminal.cwd, text("cwd") ?? "."),
    env: terminal.env,
    timeZone: terminal.timeZone,
    now: terminal.now,
    ...(agent !== undefined && { agent }),
    ...(home !== undefined && { home }),
    ...(profile !== undefined && { profile }),
    ...(model !== undefined && { model }),
    ...(state !== undefined && { state: resolve(terminal.cwd, state) }),
    ...(level !== undefined && { log: { write: terminal.err, level, isTerminal: terminal.colour } }),
  }
}

export function senderOf(flags: FlagValues): From {
  const fields = { as: flags.as, channel: flags.channel, situation: flags.in }
  // A flag with a value is a string.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "string"))
}

const ALLOWED: readonly ApprovalRequest["kind"][] = ["shell", "edit", "instructions", "schedule", "mcp"]

/** `--allow shell,edit`: kinds of requests that are allowed without asking. */
export function allowedKinds({ allow }: FlagValues): readonly ApprovalRequest["kind"][] {
  if (typeof allow !== "string") return []
  const names = allow.split(",").map((name) => name.trim())
  const unknown = names.find((name) => !ALLOWED.some((known) => known === name))
  if (unknown !== undefined)
    throw new IncipitError("bad-argument", `--allow takes ${ALLOWED.join(", ")}, not "${unknown}"`)
  return ALLOWED.filter((kind) => names.includes(kind))
}
