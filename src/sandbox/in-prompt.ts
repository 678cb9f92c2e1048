// What a prompt says of the sandbox: the facts of the one that was set up, and the tool that runs in it. Nothing where
// commands run on the host.
import type { Agent, Session } from "../core/model/inputs.ts"
import { SANDBOXED_SHELL, SHELL } from "../profiles/incipit/tools/agent.ts"
import { factLines } from "./facts.ts"
import type { Sandboxes } from "./sandboxes.ts"

interface Gathered {
  readonly agent: Agent
  readonly session: Session
}

export async function withSandbox<T extends Gathered>(input: T, sandboxes: Sandboxes): Promise<T> {
  // Without a command, nothing runs in a sandbox, and a model acts on whatever the prompt mentions.
  if (!(input.agent.tools ?? []).some(isShell)) return input
  const state = await sandboxes.of(input.session)
  if (state.kind !== "on") return input
  const tools = input.agent.tools?.map((tool) =>
    isShell(tool) ? { ...tool, description: DESCRIPTION, parameters: SANDBOXED_SHELL.parameters } : tool,
  )
  return {
    ...input,
    agent: { ...input.agent, tools },
    session: { ...input.session, sandbox: factLines(state.facts) },
  }
}

const DESCRIPTION = SANDBOXED_SHELL.description

/** Ours: a program's own tool of this name runs where the program runs it. */
function isShell({ name, description }: { readonly name: string; readonly description?: string }): boolean {
  return name === SHELL.name && description === SHELL.description
}
