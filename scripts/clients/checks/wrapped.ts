// Whether `incipit wrap -- CLIENT` sees every call as it was: the bill that it prints has the tokens of the wire, all exact.
import type { Bill } from "../../../src/capture/bill/bill.ts"
import type { Check } from "../check.ts"
import type { Session } from "../run-client.ts"

export function checkWrapped({ client, calls, printed }: Session): Check {
  const bill = billIn(printed[0] ?? "")
  const sent = calls.map(({ usage }) => usage)
  const sum = (pick: (usage: (typeof sent)[number]) => number) =>
    sent.reduce((all, one) => all + pick(one), 0)
  const wire = {
    uncached: sum(({ uncached }) => uncached),
    read: sum(({ read }) => read),
    written: sum(({ write }) => Object.values(write).reduce((all, tokens) => all + tokens, 0)),
    output: sum(({ output }) => output),
  }
  const isSame =
    bill !== undefined && Object.entries(wire).every(([kind, tokens]) => bill.tokens[kindOf(kind)] === tokens)
  const said =
    bill &&
    `${bill.calls} of ${calls.length} calls, ${bill.exact ? "all exact" : `${bill.estimatedCalls} estimated`}`
  return {
    name: "wrapped",
    client: client.name,
    from: "wrap",
    what: "calls of one turn",
    holds: isSame && bill.exact && bill.calls === calls.length,
    result: `${said ?? "no bill was printed"}${isSame || bill === undefined ? "" : "; other tokens than on the wire"}`,
  }
}

function kindOf(kind: string): keyof Bill["tokens"] {
  // The names of `wire` are those of a bill.
  return kind as keyof Bill["tokens"]
}

/** The bill is printed as JSON after whatever the client prints. */
function billIn(text: string): Bill | undefined {
  const [start, end] = [text.indexOf('{\n  "calls"'), text.lastIndexOf("\n}")]
  return start === -1 || end < start ? undefined : JSON.parse(text.slice(start, end + 2))
}
