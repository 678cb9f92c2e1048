// What acting tools need in addition to their input: a running agent.
import { ToolFailure, type ToolHost } from "./host.ts"
import type { ToolContext } from "./tool-context.ts"

export type ActingContext = ToolContext & { readonly host: ToolHost }

/** Throws `ToolFailure` where no agent is running. */
export function acting(context: ToolContext): ActingContext {
  const { host } = context
  if (host === undefined) throw new ToolFailure("This needs a running agent.")
  return { ...context, host }
}
