// Captured calls in real files, and the source of the page that shows them.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Diagnostic } from "../../../src/base/diagnostic.ts"
import type { CapturedCall } from "../../../src/capture/call.ts"
import { READERS_OF_NAMED } from "../../../src/capture/clients/readers.ts"
import { openSessionIndex } from "../../../src/capture/sessions/session-index.ts"
import { createRedactor } from "../../../src/record/redact/redactor.ts"
import { capturesSource } from "../../../src/serve/page/captures/captures-source.ts"
import type { Reader } from "../../../src/serve/page/page-source.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { priceOf } from "../../capture/bill/conversation.ts"

export const OPERATOR: Reader = {
  ...{ user: undefined, situation: "dm", trust: "full", from: { situation: "dm" } },
  scopes: ["talk", "read", "operate"],
}

/** The plain form that any program may write. */
function callLines(calls: readonly CapturedCall[]): string {
  return calls
    .map(({ coverage: _coverage, via: _via, version: _version, reportedUsd: _usd, ...call }) => {
      const { request, format, ...rest } = call
      return `${JSON.stringify(request === undefined ? rest : { ...rest, format, request })}\n`
    })
    .join("")
}

export function writeCalls(folder: string, name: string, calls: readonly CapturedCall[]): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, callLines(calls))
  return path
}

export function addCalls(path: string, calls: readonly CapturedCall[]): void {
  appendFileSync(path, callLines(calls))
}

/** The source over all files of a folder. */
export function sourceOver(folder: string, home = folder) {
  const notes: Diagnostic[] = []
  const onNote = (note: Diagnostic) => void notes.push(note)
  const files = { machine: { home, variables: {} }, readers: READERS_OF_NAMED, folders: [folder], priceOf }
  const index = openSessionIndex({ ...files, isAsked: () => true, onNote })
  const options = { index, files, priceOf, onNote, home, counter: o200k }
  const source = capturesSource({ ...options, title: "Captured", redact: createRedactor() })
  return { index, source, notes }
}
