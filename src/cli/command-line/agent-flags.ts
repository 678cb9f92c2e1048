// Opens an agent from flags: what `run`, `chat` and `tour` have in common.
import { resolve } from "node:path"
import type { AgentOptions } from "../../agent/setup/agent.ts"
import { defined } from "../../base/defined.ts"
import type { Sender } from "../../database/contract/sender.ts"
import { isChannelName } from "../../sources/config/policy.ts"
import type { Terminal } from "../terminal.ts"
import type { FlagsOf } from "./invocation.ts"
import { homeFolder, withVariables, workspaceFolder } from "./variables.ts"

/** The command line always has a workspace. */
type WorkspaceAgentOptions = AgentOptions & Required<Pick<AgentOptions, "workspace">>

export function agentOptions(flags: Partial<FlagsOf<"run">>, terminal: Terminal): WorkspaceAgentOptions {
  const { profile, state, database } = withVariables(flags, terminal)
  const { logLevel: level } = flags
  return {
    workspace: workspaceFolder(flags, terminal),
    env: terminal.env,
    timeZone: terminal.timeZone,
    now: terminal.now,
    ...defined({
      // The agent's default is the workspace.
      directory: flags.cwd === undefined ? undefined : resolve(terminal.cwd, flags.cwd),
      agent: flags.agent,
      home: homeFolder(flags, terminal),
      profile,
      database,
      // Not the variable, which counts as configured: without its key the offline model answers.
      model: flags.model,
      state: state === undefined ? undefined : resolve(terminal.cwd, state),
      log: level && { write: terminal.err, level, isTerminal: terminal.colour },
    }),
  }
}

/** Who is meant by the flags. `--channel telegram`, without an id, is the person who types it, as if they were there. */
export function senderOf({
  as,
  channel,
  in: situation,
}: Partial<Pick<FlagsOf<"run">, "as" | "channel" | "in">>): Sender {
  const isLocal = as === undefined && channel !== undefined && isChannelName(channel)
  return defined({ as, channel, situation, isLocal: isLocal || undefined })
}
