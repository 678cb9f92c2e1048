// A bill for whoever asks over MCP, from the calls that they may see.
import { IncipitError } from "../../../base/error.ts"
import type { Bill } from "../../../capture/bill/bill.ts"
import { makeBill } from "../../../capture/bill/make-bill.ts"
import { CLIENTS } from "../../../capture/call.ts"
import { priceFor } from "../../../record/prices/prices.ts"
import type { BillAsked } from "../../../serve/mcp/mcp-view.ts"
import type { Terminal } from "../../terminal.ts"
import { redacted } from "../bill/redacted.ts"
import type { CapturedCalls } from "../inspect/captured.ts"

export async function billFor(
  { readers, folders }: Pick<CapturedCalls, "readers" | "folders">,
  { client, ...asked }: BillAsked,
  terminal: Terminal,
): Promise<Bill> {
  const known = client === undefined ? undefined : CLIENTS.find((name) => name === client)
  if (client !== undefined && known === undefined)
    throw new IncipitError("bad-argument", `client must be one of ${CLIENTS.join(", ")}`)
  const bill = await makeBill({
    ...{ ...asked, client: known, readers, folders, timeZone: terminal.timeZone },
    machine: { home: terminal.home ?? terminal.cwd, variables: terminal.env },
    priceOf: (model, at) => priceFor(model, { at }),
  })
  // Clients write down what they see, keys too.
  return redacted(bill, terminal.env)
}
