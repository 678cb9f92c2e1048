// `incipit session`: fork a session at a message, take back its last message, or stop what it is working on.
import type { Forked } from "../../../agent/branch/forked.ts"
import type { RunningAgent } from "../../../agent/setup/agent.ts"
import { IncipitError } from "../../../base/error.ts"
import { plural } from "../../../base/text/figures.ts"
import type { Sender } from "../../../database/contract/sender.ts"
import { agentOptions, senderOf } from "../../command-line/agent-flags.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import type { Terminal } from "../../terminal.ts"
import { openFolder } from "../workspace/folder-question.ts"
import { hasStore } from "./state-place.ts"

export async function fork({ words, flags, terminal }: Invocation<"session fork">): Promise<number> {
  const { at } = flags
  return inSession({ words, flags, terminal }, async (agent, id, from) =>
    printFork({ flags, terminal }, await agent.fork(id, { ...from, ...(at !== undefined && { at }) })),
  )
}

export async function undo(given: Invocation<"session undo">): Promise<number> {
  return inSession(given, async (agent, id, from) => printFork(given, await agent.undo(id, from)))
}

export async function stop(given: Invocation<"session stop">): Promise<number> {
  return inSession(given, async (agent, id, from) => {
    const stopped = await agent.stop(id, from)
    print(given, { stopped }, () => [
      stopped === 0 ? "nothing is running in this session" : `stopped ${plural(stopped, "message")}`,
    ])
  })
}

type Given = Pick<Invocation<"session undo">, "words" | "terminal"> & {
  readonly flags: FlagsOf<"session undo">
}

async function inSession(
  { words: [id = ""], flags, terminal }: Given,
  work: (agent: RunningAgent, id: string, from: Sender) => Promise<void>,
): Promise<number> {
  // Opening the agent would create it.
  if (!hasStore(flags, terminal))
    throw new IncipitError("no-session", `there is no session "${id}" for this sender`)
  await openFolder(flags, terminal)
  // Imported here because it brings the AI SDK.
  const { openAgent } = await import("../../../agent/setup/open.ts")
  const agent = await openAgent(agentOptions(flags, terminal))
  try {
    await work(agent, id, senderOf(flags))
    return 0
  } finally {
    await agent.close()
  }
}

function printFork(
  printing: { readonly flags: { readonly json: boolean }; readonly terminal: Terminal },
  forked: Forked,
): void {
  print(printing, forked, () => [
    `continue in ${forked.session}; ${forked.from} stays as it is`,
    ...(forked.message === undefined ? [] : [`the message was: ${forked.message}`]),
  ])
}
