// What `incipit mcp` shows over stdio: the folder, its memory and record, and the calls of coding agents on this machine, as
// the person who started it may see them.

import { IncipitError } from "../../../base/error.ts"
import { atLeast } from "../../../base/trust.ts"
import { READERS } from "../../../capture/clients/readers.ts"
import { visible } from "../../../core/model/plan.ts"
import { explain } from "../../../core/read/explain.ts"
import { report } from "../../../core/read/report.ts"
import { isOperator } from "../../../serve/api/operator.ts"
import type { CompileAsked, McpView } from "../../../serve/mcp/mcp-view.ts"
import type { PageSource, Reader } from "../../../serve/page/page-source.ts"
import { resolveAudience } from "../../../sources/config/policy.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { senderOf } from "../../command-line/agent-flags.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { withMemory } from "../agent/memory-store.ts"
import { type AgentRecord, openAgentRecord } from "../inspect/agent-record.ts"
import { type Captured, ofThisMachine, openCaptured } from "../inspect/captured.ts"
import { explained } from "../prompt/explain.ts"
import { type Compiled, compileFromFlags } from "../prompt/resolve.ts"
import { withRecord } from "../record/record-file.ts"
import { billFor } from "./bill-for.ts"
import { localSession } from "./local-session.ts"

type Flags = FlagsOf<"mcp">

export interface LocalView {
  /** Who asks stays the same, but what they may see can change while this is open. */
  readonly view: () => McpView
  close(): Promise<void>
}

export function openLocalView(flags: Flags, terminal: Terminal): LocalView {
  const captured = isOperator(readerOf(flags, terminal)) ? openCaptured(ofThisMachine(), terminal) : undefined
  let agent: AgentRecord | undefined
  // The first run of an agent may come while this is open.
  const agentSource = async () => {
    agent ??= await openAgentRecord({ flags, terminal })
    return agent?.source
  }
  return {
    view: () => localView({ flags, terminal, reader: readerOf(flags, terminal) }, { captured, agentSource }),
    async close() {
      captured?.close()
      await agent?.close()
    },
  }
}

/** Whoever looks, and at what. */
interface Looking {
  readonly flags: Flags
  readonly terminal: Terminal
  readonly reader: Reader
}

interface Calls {
  /** For operators only. */
  readonly captured: Captured | undefined
  readonly agentSource: () => Promise<PageSource | undefined>
}

function localView(looking: Looking, { captured: all, agentSource }: Calls): McpView {
  const { flags, terminal, reader } = looking
  const captured = isOperator(reader) ? all : undefined
  // Whether there is any memory tells of files that somebody may not see, so none and an empty one look the same.
  const opened: McpView["writableMemory"] = (ask) =>
    withMemory(flags, terminal, async ({ memory, by }) => ask({ memory, by }), { mayBegin: true })
  return {
    ...{ reader, now: terminal.now, timeZone: terminal.timeZone },
    sources: async () => [(await agentSource()) ?? [], captured?.source ?? []].flat(),
    async ownSession(client) {
      const agent = await agentSource()
      return localSession({ reader, captured, agent, folder: workspaceFolder(flags, terminal), client })
    },
    record: (ask) => withRecord(flags, terminal, ask),
    memory: (ask) =>
      opened(async (own) => {
        await own.memory.refresh()
        return ask(own)
      }),
    writableMemory: opened,
    async compile(asked) {
      const { prompt, input } = await compiledFor(asked, looking)
      return { ...input, prompt }
    },
    async explain(what) {
      const compiled = await compiledFor({}, looking)
      const { prompt } = compiled
      if (isOperator(reader)) return explained(what, compiled, report(prompt), terminal)
      return explain(report({ ...prompt, plan: visible(prompt.plan) }), what, [])
    },
    bill: isOperator(reader) ? (asked) => billFor({ readers: READERS }, asked, terminal) : undefined,
  }
}

/** The owner, or whoever `--as` names. A name that is not there would mean less trust than was meant, so it is refused. */
export function readerOf(flags: Flags, terminal: Terminal): Reader {
  const { config } = openWorkspace(workspaceFolder(flags, terminal))
  const from = senderOf(flags)
  const { audience, person, diagnostics } = resolveAudience(config, from, "incipit.yaml")
  const [problem] = diagnostics
  if (problem?.code === "unknown-user")
    throw new IncipitError("bad-argument", `incipit.yaml has no user "${problem.user}"`)
  if (problem?.code === "unknown-situation")
    throw new IncipitError("bad-argument", `there is no situation "${problem.situation}"`)
  const { trust, situation } = audience
  return { user: person, situation, trust, scopes: trust === "full" ? ["read", "operate"] : ["read"], from }
}

async function compiledFor(
  { user, situation, message }: CompileAsked,
  { flags, terminal, reader }: Looking,
): Promise<Compiled> {
  if (user !== undefined && user !== reader.user && !isOperator(reader))
    throw new IncipitError("bad-argument", "only an operator can compile for another user")
  const given = { ...flags, as: user ?? flags.as, in: situation ?? flags.in, message }
  const compiled = await compileFromFlags(given, terminal)
  const { audience, diagnostics } = compiled.prompt.plan
  const codes = diagnostics.map(({ code }) => code)
  if (user !== undefined && codes.includes("unknown-user"))
    throw new IncipitError("bad-argument", `incipit.yaml has no user "${user}"`)
  if (situation !== undefined && codes.includes("unknown-situation"))
    throw new IncipitError("bad-argument", `there is no situation "${situation}"`)
  if (!atLeast(reader.trust, audience.trust))
    throw new IncipitError("bad-argument", `a prompt for ${audience.trust} trust needs that trust`)
  return compiled
}
