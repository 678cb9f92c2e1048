// `incipit trace`: what happened to one message, as a tree with times, tokens and retries.
import { IncipitError } from "../../../base/error.ts"
import { bare } from "../../../record/ask/log.ts"
import { type Trace, type TraceNode, traceLines, traceOf } from "../../../record/ask/trace.ts"
import { namedReceipt } from "../../../record/ask/turn-diff.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { latestRecorded, withRecord } from "./record-file.ts"

export async function run({ words, flags, terminal }: Invocation<"trace">): Promise<number> {
  return withRecord(flags, terminal, async (store) => {
    const id = words[0] ?? (await latestRecorded(store))
    // A step is looked up in its turn.
    const trace =
      (await traceOf(store, id)) ?? (await traceOf(store, (await namedReceipt(store, id))?.turn ?? id))
    if (trace === undefined) throw new IncipitError("not-recorded", `there is no turn or trace "${id}"`)
    print({ flags, terminal }, trace, () => namedLines(trace))
    return 0
  })
}

/** A turn's line names the turn, for further queries. */
export function namedLines(trace: Trace): readonly string[] {
  const nodes = nodesInOrder(trace)
  return traceLines(trace).map((line, at) => {
    const { type, turn } = nodes[at]?.event ?? {}
    return type === "turn_started" && turn !== undefined ? `${line} turn=${bare(turn)}` : line
  })
}

/** Parents before children, like the lines. Not recursive, since a trace may be deep. */
function nodesInOrder(trace: Trace): readonly TraceNode[] {
  const nodes: TraceNode[] = []
  const open = trace.nodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes.push(node)
    open.push(...node.children.toReversed())
  }
  return nodes
}
