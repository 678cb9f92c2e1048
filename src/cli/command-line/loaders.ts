// Runs a command by its name. Each is loaded only when it runs, so that `--help` stays fast; the types check that it
// takes the flags of its table.
import type { Terminal } from "../terminal.ts"
import type { Invocation } from "./invocation.ts"
import { COMMAND_TABLE, type CommandName } from "./table/commands.ts"
import { readFlags, type TypedValues } from "./table/flag.ts"

/** Returns the exit status. */
type Run<Name extends CommandName> = (invocation: Invocation<Name>) => Promise<number>

const LOADERS: { readonly [Name in CommandName]: () => Promise<Run<Name>> } = {
  bill: async () => (await import("../commands/bill/bill.ts")).run,
  statusline: async () => (await import("../commands/bill/statusline.ts")).run,
  build: async () => (await import("../commands/prompt/build.ts")).run,
  inspect: async () => (await import("../commands/inspect/inspect.ts")).run,
  explain: async () => (await import("../commands/prompt/explain.ts")).run,
  diff: async () => (await import("../commands/prompt/diff.ts")).run,
  check: async () => (await import("../commands/prompt/check.ts")).run,
  simulate: async () => (await import("../commands/prompt/simulate.ts")).run,
  price: async () => (await import("../commands/prompt/price.ts")).run,
  tour: async () => (await import("../tour/tour.ts")).run,
  chat: async () => (await import("../chat/chat.ts")).run,
  run: async () => (await import("../commands/agent/run.ts")).run,
  signal: async () => (await import("../commands/prompt/signal.ts")).run,
  skills: async () => (await import("../commands/workspace/skills.ts")).run,
  config: async () => (await import("../commands/workspace/config.ts")).run,
  models: async () => (await import("../commands/workspace/models.ts")).run,
  init: async () => (await import("../commands/workspace/init.ts")).run,
  "folder approve": async () => (await import("../commands/workspace/folder.ts")).approve,
  "folder list": async () => (await import("../commands/workspace/folder.ts")).list,
  "folder revoke": async () => (await import("../commands/workspace/folder.ts")).revoke,
  hooks: async () => (await import("../commands/workspace/hooks.ts")).list,
  "sandbox check": async () => (await import("../commands/sandbox/check.ts")).check,
  "sandbox shell": async () => (await import("../commands/sandbox/shell.ts")).shell,
  "hooks approve": async () => (await import("../commands/workspace/hooks.ts")).approve,
  "hooks revoke": async () => (await import("../commands/workspace/hooks.ts")).revoke,
  completions: async () => (await import("./completions.ts")).run,
  "memory index": async () => (await import("../commands/agent/memory.ts")).index,
  "memory search": async () => (await import("../commands/agent/memory.ts")).search,
  "memory get": async () => (await import("../commands/agent/memory.ts")).get,
  "memory add": async () => (await import("../commands/agent/memory.ts")).add,
  "memory export": async () => (await import("../commands/agent/memory-transfer.ts")).exportMemory,
  "memory import": async () => (await import("../commands/agent/memory-transfer.ts")).importMemory,
  "memory why-not": async () => (await import("../commands/agent/memory.ts")).whyNot,
  schedule: async () => (await import("../commands/agent/schedule.ts")).list,
  "schedule add": async () => (await import("../commands/agent/schedule.ts")).add,
  "schedule remove": async () => (await import("../commands/agent/schedule.ts")).remove,
  "session fork": async () => (await import("../commands/agent/session.ts")).fork,
  "session undo": async () => (await import("../commands/agent/session.ts")).undo,
  "session stop": async () => (await import("../commands/agent/session.ts")).stop,
  "queue list": async () => (await import("../commands/agent/queue.ts")).list,
  "queue retry": async () => (await import("../commands/agent/queue.ts")).retry,
  "queue drop": async () => (await import("../commands/agent/queue.ts")).drop,
  mcp: async () => (await import("../commands/mcp/mcp.ts")).run,
  "mcp login": async () => (await import("../commands/mcp/login.ts")).run,
  "mcp logout": async () => (await import("../commands/mcp/logout.ts")).run,
  "mcp status": async () => (await import("../commands/mcp/status.ts")).run,
  wrap: async () => (await import("../commands/capture/wrap.ts")).run,
  proxy: async () => (await import("../commands/capture/proxy.ts")).run,
  capture: async () => (await import("../commands/capture/capture.ts")).run,
  logs: async () => (await import("../commands/record/logs.ts")).run,
  trace: async () => (await import("../commands/record/trace.ts")).run,
  replay: async () => (await import("../commands/record/replay.ts")).run,
  "why-miss": async () => (await import("../commands/record/why-miss.ts")).run,
  cost: async () => (await import("../commands/record/cost.ts")).run,
  status: async () => (await import("../commands/record/status.ts")).run,
  export: async () => (await import("../commands/record/export.ts")).run,
  prune: async () => (await import("../commands/record/prune.ts")).run,
  "state list": async () => (await import("../commands/agent/state.ts")).list,
  "state show": async () => (await import("../commands/agent/state.ts")).show,
  "state move": async () => (await import("../commands/agent/state.ts")).move,
  "state forget": async () => (await import("../commands/agent/state.ts")).forget,
  "state adopt": async () => (await import("../commands/agent/state.ts")).adopt,
  "database status": async () => (await import("../commands/database/database.ts")).status,
  "database move": async () => (await import("../commands/database/move.ts")).move,
  "database migrate": async () => (await import("../commands/database/database.ts")).migrate,
  serve: async () => (await import("../commands/serve/serve.ts")).run,
  "token add": async () => (await import("../commands/serve/token.ts")).add,
  "token list": async () => (await import("../commands/serve/token.ts")).list,
  "token revoke": async () => (await import("../commands/serve/token.ts")).revoke,
  "pair list": async () => (await import("../commands/serve/pair.ts")).list,
  "pair confirm": async () => (await import("../commands/serve/pair.ts")).confirm,
  "pair deny": async () => (await import("../commands/serve/pair.ts")).deny,
  "pair forget": async () => (await import("../commands/serve/pair.ts")).forget,
}

export interface Typed {
  readonly words: readonly string[]
  readonly values: TypedValues
  readonly terminal: Terminal
}

/** Flags are checked before the command is loaded. */
export async function runCommand<Name extends CommandName>(
  name: Name,
  { words, values, terminal }: Typed,
): Promise<number> {
  const flags = readFlags<(typeof COMMAND_TABLE)[Name]["flags"]>(COMMAND_TABLE[name].flags, values)
  const run = await LOADERS[name]()
  return run({ words, flags, terminal })
}
