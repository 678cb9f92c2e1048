// `incipit chat`: opens the agent from the flags, chats in a terminal or line by line, and shows how to resume.

import { resolve } from "node:path"
import type { RunningAgent } from "../../agent/setup/agent.ts"
import { IncipitError } from "../../base/error.ts"
import type { Sender } from "../../database/contract/sender.ts"
import { stateFiles } from "../../files/paths.ts"
import { agentOptions, senderOf } from "../command-line/agent-flags.ts"
import { asTyped } from "../command-line/as-typed.ts"
import type { FlagsOf, Invocation } from "../command-line/invocation.ts"
import { openedState } from "../commands/agent/state-place.ts"
import { openFolder } from "../commands/workspace/folder-question.ts"
import type { Terminal } from "../terminal.ts"
import { chatInLines } from "./plain.ts"
import { openHistory } from "./screen/history.ts"
import type { Talk } from "./talk.ts"
import { chatInTerminal, type OpenAgent } from "./terminal-chat.ts"

export async function run({ flags, terminal: given }: Invocation<"chat">): Promise<number> {
  const { streams } = given
  if (streams === undefined) throw new IncipitError("bad-argument", "a chat needs standard input and output")
  const cwd = resolve(given.cwd, flags.cwd ?? ".")
  const terminal = { ...given, cwd, colour: given.colour && !flags.noColor }
  await openFolder(flags, given)
  const state = await openedState(flags, given)
  const options = { open: agentOpener(flags, given, state), start: talkStarter(flags), terminal, streams }
  // A dumb terminal cannot move its cursor.
  if (!streams.input.isTTY || !streams.output.isTTY || given.env.TERM === "dumb") {
    await chatInLines(options)
    return 0
  }
  const history = openHistory(stateFiles(state).history)
  const { session, from } = await chatInTerminal({
    ...options,
    history,
    isScheduled: !flags.noSchedule,
  })
  if (session !== undefined)
    given.out(
      asTyped(`\nTo continue this session: ${resumeCommand({ ...flags, as: from.as }, session)}\n`, given),
    )
  return 0
}

/** The flags that identify whose session it is. */
const WHOSE = ["workspace", "state", "agent", "as", "in", "channel"] as const

function resumeCommand(flags: Pick<FlagsOf<"chat">, (typeof WHOSE)[number]>, session: string): string {
  const same = WHOSE.flatMap((name) => {
    const value = flags[name]
    if (value === undefined || value === "") return []
    return [`--${name}`, /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`]
  })
  return ["incipit chat", ...same, "--resume", session].join(" ")
}

function agentOpener(flags: FlagsOf<"chat">, terminal: Terminal, state: string): OpenAgent {
  return async (given) => {
    // Imported here because it brings the AI SDK.
    const { openAgent } = await import("../../agent/setup/open.ts")
    return openAgent({ ...agentOptions(flags, terminal), state, ...given })
  }
}

/** The sender's most recent session, unless flags say otherwise. */
function talkStarter(flags: FlagsOf<"chat">) {
  return async (agent: RunningAgent): Promise<Pick<Talk, "from" | "session" | "isNew" | "isPlanning">> => {
    const from = senderOf(flags)
    return {
      from,
      session: await resumedSession(flags, agent, from),
      isNew: flags.new,
      isPlanning: flags.plan,
    }
  }
}

async function resumedSession(
  flags: FlagsOf<"chat">,
  agent: RunningAgent,
  from: Sender,
): Promise<string | undefined> {
  const wanted = flags.resume || undefined
  const known = await agent.sessions(from)
  if (flags.new) return undefined
  if (wanted === undefined) return known[0]?.id
  const found = known.filter(({ id }) => id.startsWith(wanted))
  if (found.length === 1) return found[0]?.id
  throw new IncipitError(
    "no-session",
    found.length === 0 ? `this user has no session "${wanted}"` : `"${wanted}" matches several sessions`,
  )
}
