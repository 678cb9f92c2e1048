// The calls of a session as the project's own readers see them, each beside the call that crossed the wire.
import type { CalledUsage, CapturedCall } from "../../../src/capture/call.ts"
import type { CaptureReader } from "../../../src/capture/clients/reader.ts"
import type { WireCall } from "../provider/fake-provider.ts"
import type { Session } from "../run-client.ts"
import { readMachine } from "./session-bill.ts"

export interface ReadCalls {
  readonly usages: readonly CalledUsage[]
  readonly calls: readonly CapturedCall[]
  /** Codes of what could not be read. */
  readonly notes: readonly string[]
}

/** Everything that these readers find in the folders, or in their own folders of the session's home. */
export async function readCalls(
  readers: readonly CaptureReader[],
  session: Session,
  folders?: readonly string[],
): Promise<ReadCalls> {
  const usages: CalledUsage[] = []
  const calls: CapturedCall[] = []
  const notes = new Set<string>()
  for (const reader of readers)
    for (const folder of folders ?? reader.folders(readMachine(session)))
      for (const file of await reader.files(folder)) {
        for await (const read of reader.usage(file)) {
          if (read.kind === "call") usages.push(read.call)
          else notes.add(read.diagnostic.code)
        }
        for await (const read of reader.calls(file)) {
          if (read.kind === "call") calls.push(read.call)
          else notes.add(read.diagnostic.code)
        }
      }
  return { usages, calls, notes: [...notes] }
}

/** Pairs what was read with the wire: by the answer's id if the client keeps it, else by what was used, in order. */
export function pairWithWire<T extends CalledUsage>(
  found: readonly T[],
  wire: readonly WireCall[],
): ReadonlyMap<WireCall, T> {
  const pairs = new Map<WireCall, T>()
  const left = new Set(found)
  const take = (call: WireCall, matches: (one: T) => boolean) => {
    const one = [...left].find(matches)
    if (one === undefined) return
    left.delete(one)
    pairs.set(call, one)
  }
  for (const call of wire) take(call, ({ id }) => id.includes(call.id))
  for (const call of wire) if (!pairs.has(call)) take(call, (one) => sameUsage(one, call))
  return pairs
}

export function sameUsage(a: Pick<CalledUsage, "usage">, b: Pick<CalledUsage, "usage">): boolean {
  const written = ({ write }: CalledUsage["usage"]) =>
    Object.values(write).reduce((sum, tokens) => sum + tokens, 0)
  return (
    a.usage.uncached === b.usage.uncached &&
    a.usage.read === b.usage.read &&
    a.usage.output === b.usage.output &&
    written(a.usage) === written(b.usage)
  )
}
