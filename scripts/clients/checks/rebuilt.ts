// Whether calls are read as they were: requests equal to the wire for exact clients, usage equal for all.

import type { Check } from "../check.ts"
import type { WireCall } from "../provider/fake-provider.ts"
import { type WireBlock, wireBlocks } from "../provider/wire-blocks.ts"
import type { Session } from "../run-client.ts"
import { pairWithWire, type ReadCalls, sameUsage } from "./read-calls.ts"

export function checkRebuilt(session: Session, from: string, read: ReadCalls): Check {
  const pairs = pairWithWire(read.calls, session.calls)
  const equal = session.calls.filter((call) => {
    const found = pairs.get(call)
    return found?.coverage === "exact" && found.request !== undefined && sameBlocks(call, found.request)
  })
  const wrong = session.calls.filter((call) => {
    const found = pairs.get(call)
    return found?.coverage === "exact" && !equal.includes(call)
  })
  return {
    name: "rebuilt",
    client: session.client.name,
    from,
    what: "requests equal to the wire",
    holds: equal.length === session.calls.length && wrong.length === 0,
    result: `${equal.length} of ${session.calls.length}${wrong.length === 0 ? "" : `, ${wrong.length} called exact and not equal`}`,
  }
}

/** Marks count here, too: a rebuilt request carries them where they were. */
function sameBlocks({ body, format }: WireCall, request: Readonly<Record<string, unknown>>): boolean {
  const form = (blocks: readonly WireBlock[]) => JSON.stringify(blocks.map(({ tier, key }) => [tier, key]))
  return form(wireBlocks(body, format)) === form(wireBlocks(request, format))
}

export function checkUsage(session: Session, from: string, { usages, notes }: ReadCalls): Check {
  const pairs = pairWithWire(usages, session.calls)
  const equal = session.calls.filter((call) => {
    const found = pairs.get(call)
    return found !== undefined && sameUsage(found, call)
  })
  const extra = usages.length - pairs.size
  return {
    name: "usage",
    client: session.client.name,
    from,
    what: "usage equal to the wire",
    holds: equal.length === session.calls.length && extra === 0,
    result: [
      `${equal.length} of ${session.calls.length}`,
      ...(extra === 0 ? [] : [`${extra} that never crossed the wire`]),
      ...(notes.length === 0 ? [] : [`notes: ${notes.join(", ")}`]),
    ].join("; "),
  }
}
