// Whether calls are read as they were: requests equal to the wire for exact clients, usage equal for all.

import { globSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Check } from "../check.ts"
import type { WireCall } from "../provider/fake-provider.ts"
import { type WireBlock, wireBlocks } from "../provider/wire-blocks.ts"
import type { Session } from "../run-client.ts"
import { mainCalls } from "../wire-truth.ts"
import { pairWithWire, type ReadCalls, sameUsage } from "./read-calls.ts"

export function checkRebuilt(session: Session, from: string, read: ReadCalls): Check {
  const pairs = pairWithWire(read.calls, session.calls)
  const exact = session.calls.filter((call) => pairs.get(call)?.coverage === "exact")
  const equal = exact.filter((call) => sameBlocks(call, pairs.get(call)?.request ?? {}))
  const wrong = exact.length - equal.length
  const missing = session.calls.length - equal.length
  return {
    name: "rebuilt",
    client: session.client.name,
    from,
    what: "requests equal to the wire",
    holds: wrong === 0 && missing <= unwritten(session, read),
    result: [
      `${equal.length} of ${session.calls.length}`,
      ...(wrong === 0 ? [] : [`${wrong} called exact and not equal`]),
      ...notesOf(read),
    ].join("; "),
  }
}

/** A client that ends before its files are written leaves empty ones: nothing can be read, and the reader must say so. */
function unwritten({ place }: Session, { notes }: ReadCalls): number {
  if (!notes.includes("capture-bodies-unwritten")) return 0
  const answers = globSync(join(place.bodies, "*.response.json"))
  return answers.filter((path) => statSync(path).size === 0).length
}

function notesOf({ notes }: ReadCalls): readonly string[] {
  return notes.length === 0 ? [] : [`notes: ${notes.join(", ")}`]
}

/** Marks count here, too: a rebuilt request carries them where they were. */
function sameBlocks({ body, format }: WireCall, request: Readonly<Record<string, unknown>>): boolean {
  const form = (blocks: readonly WireBlock[]) => JSON.stringify(blocks.map(({ tier, key }) => [tier, key]))
  return form(wireBlocks(body, format)) === form(wireBlocks(request, format))
}

export function checkUsage(session: Session, from: string, read: ReadCalls): Check {
  const pairs = pairWithWire(read.usages, session.calls)
  const main = new Set(mainCalls(session.calls))
  const equal = session.calls.filter((call) => {
    const found = pairs.get(call)
    return found !== undefined && sameUsage(found, call)
  })
  const missing = session.calls.filter((call) => !equal.includes(call))
  // Some clients keep no trace of the calls that make a title.
  const asides = missing.filter((call) => !main.has(call) && !pairs.has(call))
  const extra = read.usages.length - pairs.size
  return {
    name: "usage",
    client: session.client.name,
    from,
    what: "usage equal to the wire",
    holds: missing.length - asides.length <= unwritten(session, read) && extra === 0,
    result: [
      `${equal.length} of ${session.calls.length}`,
      ...(asides.length === 0 ? [] : [`${asides.length} for a title, of which the client keeps nothing`]),
      ...(extra === 0 ? [] : [`${extra} that never crossed the wire`]),
      ...notesOf(read),
    ].join("; "),
  }
}
