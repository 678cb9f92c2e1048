// Reads a whole file with a reader, for tests: calls and diagnostics apart.
import { statSync } from "node:fs"
import type { Diagnostic } from "../../../src/base/diagnostic.ts"
import type { CalledUsage, CapturedCall, Client } from "../../../src/capture/call.ts"
import type { CaptureFile, CaptureReader, Place, Read } from "../../../src/capture/clients/reader.ts"

export interface ReadAll<T> {
  readonly calls: readonly T[]
  readonly diagnostics: readonly Diagnostic[]
  /** Where to read on from. */
  readonly after: Place
}

function fileAt(path: string, client: Client): CaptureFile {
  const { size, mtimeMs } = statSync(path)
  return { client, path, bytes: size, changedAt: Math.floor(mtimeMs) }
}

export function usageIn(reader: CaptureReader, path: string, from?: Place): Promise<ReadAll<CalledUsage>> {
  return readAll(reader.usage(fileAt(path, reader.client), from), from)
}

export function callsIn(reader: CaptureReader, path: string): Promise<ReadAll<CapturedCall>> {
  return readAll(reader.calls(fileAt(path, reader.client)))
}

async function readAll<T>(items: AsyncIterable<Read<T>>, from: Place = 0): Promise<ReadAll<T>> {
  const calls: T[] = []
  const diagnostics: Diagnostic[] = []
  let after = from
  for await (const item of items)
    if (item.kind === "note") diagnostics.push(item.diagnostic)
    else {
      calls.push(item.call)
      after = item.after
    }
  return { calls, diagnostics, after }
}
