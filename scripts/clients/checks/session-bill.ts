// The project's own bill of a session: from the client's files, or from the wire, as a proxy would have seen it.
import { join } from "node:path"
import type { Bill } from "../../../src/capture/bill/bill.ts"
import { makeBill } from "../../../src/capture/bill/make-bill.ts"
import type { CapturedCall } from "../../../src/capture/call.ts"
import type { CaptureReader, Read, ReaderMachine } from "../../../src/capture/clients/reader.ts"
import { priceFor } from "../../../src/record/prices/prices.ts"
import type { Session } from "../run-client.ts"
import { mainCalls } from "../wire-truth.ts"

export function readMachine({ client, place }: Session): ReaderMachine {
  const { home } = place
  return {
    home,
    variables: {
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_DATA_HOME: join(home, ".local/share"),
      XDG_CACHE_HOME: join(home, ".cache"),
      XDG_STATE_HOME: join(home, ".local/state"),
      ...client.variables(place),
    },
  }
}

export function billOf(
  session: Session,
  readers: readonly CaptureReader[],
  folders?: readonly string[],
): Promise<Bill> {
  return makeBill({
    machine: readMachine(session),
    readers,
    ...(folders && { folders }),
    timeZone: "UTC",
    priceOf: (model, at) => priceFor(model, { at }),
  })
}

/** The calls of the wire as a reader gives them: exact, and everything but the conversation is an aside. */
export function wireReader(session: Session): CaptureReader {
  const { client, place, calls } = session
  const main = new Set(mainCalls(calls))
  const captured = calls.map(
    (call): CapturedCall => ({
      id: call.id,
      client: client.client,
      session: "wire",
      project: place.tree,
      at: call.at,
      model: call.model,
      usage: call.usage,
      thread: main.has(call) ? "main" : "aside",
      format: call.format,
      coverage: "exact",
      // Parsed from JSON.
      request: call.body as CapturedCall["request"],
      files: [],
    }),
  )
  const read = async function* (): AsyncIterable<Read<CapturedCall>> {
    for (const [at, call] of captured.entries()) yield { kind: "call", call, after: at + 1 }
  }
  const path = join(place.home, "..", "wire.jsonl")
  return {
    client: client.client,
    title: client.name,
    folders: () => [join(path, "..")],
    files: async () => [{ client: client.client, path, bytes: 1, changedAt: captured.at(-1)?.at ?? 0 }],
    usage: read,
    calls: read,
  }
}
