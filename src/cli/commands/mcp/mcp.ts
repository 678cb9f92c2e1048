// `incipit mcp`: an MCP server over stdin and stdout, for the coding agent that starts it. Nothing but the protocol is
// written to stdout.
import { thousands } from "../../../base/text/figures.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import type { Terminal } from "../../terminal.ts"

export async function run({ flags, terminal }: Invocation<"mcp">): Promise<number> {
  if (flags.cost) return printCost(flags, terminal)
  if (flags.install !== undefined) {
    const { install } = await import("./install.ts")
    return install(flags.install, flags, terminal)
  }
  if (terminal.streams?.input.isTTY === true) terminal.err(`${AT_TERMINAL}\n`)
  const { serveLocally } = await import("./serve-locally.ts")
  await serveLocally(flags, terminal)
  return 0
}

const AT_TERMINAL =
  "This speaks MCP on stdin and stdout, for an agent that starts it. To set it up, run `incipit mcp --install claude-code`; to end it, press Ctrl-D."

async function printCost(flags: FlagsOf<"mcp">, terminal: Terminal): Promise<number> {
  const { definitionCosts } = await import("../../../serve/mcp/definition-costs.ts")
  const costs = definitionCosts()
  print({ flags, terminal }, costs, () => [
    ...costs.tools.map(({ name, tokens }) => `${name.padEnd(14)}${thousands(tokens).padStart(6)}`),
    `${"instructions".padEnd(14)}${thousands(costs.instructions).padStart(6)}`,
    `${"total".padEnd(14)}${thousands(costs.total).padStart(6)}  tokens (o200k) that a client sends with every call`,
  ])
  return 0
}
