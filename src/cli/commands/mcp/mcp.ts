// `incipit mcp`: an MCP server over stdin and stdout, for the coding agent that starts it. Nothing but the protocol is
// written to stdout.
import { IncipitError } from "../../../base/error.ts"
import { thousands } from "../../../base/text/figures.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import type { Terminal } from "../../terminal.ts"
import { wrap } from "../../views/widths.ts"

export async function run({ flags, terminal }: Invocation<"mcp">): Promise<number> {
  if (flags.cost) return printCost(flags, terminal)
  const client = flags.install ?? flags.remove ?? flags.print
  if (client !== undefined) {
    const { install, remove, printSnippet } = await import("./install/install.ts")
    if (flags.install !== undefined) return install({ client, flags, terminal })
    return flags.remove === undefined
      ? printSnippet({ client, flags, terminal })
      : remove({ client, flags, terminal })
  }
  refuseIdle(flags)
  if (terminal.streams?.input.isTTY === true)
    terminal.err(
      "This speaks MCP on stdin and stdout, for an agent that starts it. To set it up, run `incipit mcp --install claude-code`; to end it, press Ctrl-D.\n",
    )
  const { serveLocally } = await import("./serve-locally.ts")
  await serveLocally(flags, terminal)
  return 0
}

/** Flags that say how something is added would be ignored by the server. */
function refuseIdle({ scope, yes, json }: FlagsOf<"mcp">): void {
  const idle = [
    scope !== undefined && "--scope is for --install, --remove and --print",
    yes && "--yes is for --install and --remove",
    json && "--json is for --cost, --install, --remove and --print",
  ].find((one) => one !== false)
  if (idle !== undefined) throw new IncipitError("bad-argument", idle)
}

/** In the table, the rows add up to the last one. */
async function printCost(flags: FlagsOf<"mcp">, terminal: Terminal): Promise<number> {
  const { definitionCosts } = await import("../../../serve/mcp/definition-costs.ts")
  const costs = definitionCosts()
  const row = (name: string, tokens: string) => `${name.padEnd(14)}${tokens.padStart(6)}`
  print({ flags, terminal }, costs, () => [
    row("", "tokens"),
    ...costs.tools.map(({ name, tokens }) => row(name, thousands(tokens))),
    row("instructions", thousands(costs.instructions)),
    row("total", thousands(costs.total)),
    "",
    ...wrap(PAID, Math.min(80, terminal.columns)),
  ])
  return 0
}

const PAID =
  "Counted in o200k. A client sends this with every call while the server is on: once at the price of new input, then at that of cached input."
