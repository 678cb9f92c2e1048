// Calls of our own making, as readers and the proxy give them, and a folder of captures for a test.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { onTestFinished } from "vitest"
import { type CapturedCall, CLIENTS, FORMATS } from "../../../src/capture/call.ts"
import { INCIPIT_RECORD } from "../../../src/capture/clients/incipit-record.ts"
import type { Captures } from "../../../src/capture/keep/open-captures.ts"
import { openCaptures } from "../../../src/capture/keep/open-captures.ts"
import { type CaptureFiles, captureFiles } from "../../../src/files/paths.ts"
import type { JsonObject } from "../../../src/record/write/request-marks.ts"

export const NOON = Date.UTC(2026, 10, 15, 12)

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "incipit-captures-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface Opening {
  readonly folder?: string
  readonly metadataOnly?: boolean
  readonly variables?: Readonly<Record<string, string>>
}

export function openIn({ folder = newFolder(), metadataOnly = false, variables = {} }: Opening = {}): {
  readonly files: CaptureFiles
  readonly captures: Captures
} {
  const files = captureFiles(folder)
  const price = { model: "m", input: 3, output: 15, read: 0.3, write: { "5m": 3.75 } }
  const captures = openCaptures({
    ...{ files, variables, metadataOnly, now: () => NOON },
    priceOf: () => ({ ...price, estimated: false, source: "test", date: "2026-11-15" }),
  })
  return { files, captures }
}

/** All calls of a folder of captures, in order. */
export async function readCalls(folder: string): Promise<readonly CapturedCall[]> {
  const calls: CapturedCall[] = []
  for (const file of await INCIPIT_RECORD.files(folder))
    for await (const read of INCIPIT_RECORD.calls(file)) if (read.kind === "call") calls.push(read.call)
  return calls
}

export function callOf(given: Partial<CapturedCall> & Pick<CapturedCall, "id">): CapturedCall {
  return {
    ...{ client: "claude-code", session: "s1", thread: "main", format: "anthropic", coverage: "exact" },
    ...{ at: NOON, model: "claude-sonnet-5-5", files: [] },
    usage: { uncached: 10, read: 2_000, write: { "5m": 500 }, output: 30 },
    ...given,
  }
}

/** Any JSON that a request may hold, and cache marks in between. */
const json = fc.jsonValue({ maxDepth: 4, stringUnit: "binary", noUnicodeString: false } as object)
const text = fc.string({ unit: "binary", maxLength: 40 })
const block = fc.oneof(
  text.map((said) => ({ type: "text", text: said })),
  text.map((said) => ({ type: "text", text: said.repeat(40), cache_control: { type: "ephemeral" } })),
  fc.record({ type: fc.constant("tool_use"), id: text, name: text, input: json }),
)
const content = fc.oneof(text, fc.array(block, { maxLength: 3 }))
const message = fc.record({ role: fc.constantFrom("user", "assistant", "system"), content })
const request = fc.record(
  {
    model: text,
    system: content,
    tools: fc.array(fc.record({ name: text, description: text, input_schema: json }), { maxLength: 3 }),
    messages: fc.array(message, { maxLength: 5 }),
    metadata: json,
  },
  { requiredKeys: ["messages"] },
)
const tokens = fc.nat({ max: 1_000_000 })

/** Calls with different ids. Negative zero is not JSON. */
export const anyCalls: fc.Arbitrary<readonly CapturedCall[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.string({ unit: "grapheme-ascii", minLength: 1 }).map((id) => `msg_${id}`),
      client: fc.constantFrom(...CLIENTS),
      session: fc.constantFrom("s1", "s2"),
      thread: fc.constantFrom("main", "side", "s1"),
      project: fc.option(text, { nil: undefined }),
      version: fc.option(text, { nil: undefined }),
      reportedUsd: fc.option(fc.double({ min: 0, max: 10, noNaN: true }), { nil: undefined }),
      at: fc.integer({ min: NOON - 1_000_000, max: NOON }),
      model: fc.constantFrom("claude-sonnet-5-5", "gpt-5.5"),
      format: fc.constantFrom(...FORMATS),
      coverage: fc.constantFrom("exact", "partial"),
      usage: fc.record({ uncached: tokens, read: tokens, write: fc.constant({ "5m": 7 }), output: tokens }),
      request: request.map((value) => JSON.parse(JSON.stringify(value)) as JsonObject),
      files: fc.array(fc.record({ path: text, text }), { maxLength: 2 }),
    }),
    { selector: ({ id }) => id, maxLength: 12 },
  )
  .map((calls) => calls as readonly CapturedCall[])
