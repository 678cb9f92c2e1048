// Calls of clients as the page shows them: all of this machine, one session, those of a file, or those that were kept.
// Finds sessions while the page is already open, and shows on the terminal how far it is.
import { existsSync } from "node:fs"
import type { Diagnostic } from "../../../base/diagnostic.ts"
import type { CalledUsage } from "../../../capture/call.ts"
import { INCIPIT_RECORD } from "../../../capture/clients/incipit-record.ts"
import type { CaptureReader } from "../../../capture/clients/reader.ts"
import { READERS, READERS_OF_NAMED } from "../../../capture/clients/readers.ts"
import { collectNotes } from "../../../capture/collect-notes.ts"
import { openSessionIndex, type SessionIndex } from "../../../capture/sessions/session-index.ts"
import { priceFor } from "../../../record/prices/prices.ts"
import { createRedactor } from "../../../record/redact/redactor.ts"
import { secretsAmong } from "../../../record/redact/secret-variables.ts"
import { createSecrets } from "../../../record/redact/secrets.ts"
import { capturesSource } from "../../../serve/page/captures/captures-source.ts"
import type { PageSource } from "../../../serve/page/page-source.ts"
import { o200k } from "../../../tokens/o200k.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import type { Terminal } from "../../terminal.ts"
import { progressOn } from "../bill/progress.ts"
import { capturesPlace } from "../capture/captures-place.ts"

/** Which calls, and where they are read. */
export interface CapturedCalls {
  readonly title: string
  readonly readers: readonly CaptureReader[]
  /** Where each reader looks; by default, in its client's own folders. */
  readonly folders?: readonly string[] | undefined
  readonly isAsked: (call: CalledUsage) => boolean
}

export interface Captured {
  readonly source: PageSource
  readonly index: SessionIndex
  /** What could not be read, so far. */
  readonly diagnostics: readonly Diagnostic[]
  /** Shows how far reading is, and then what could not be read; with `json`, neither. */
  followProgress(flags: { readonly json: boolean }): void
  /** Reads no more. */
  close(): void
}

/** All calls of coding agents on this machine, or those of one session, by its id or the beginning of it. */
export function ofThisMachine(session = ""): CapturedCalls {
  // Our own agents have records of their own, which are shown as such.
  const isAsked = (call: CalledUsage) => call.client !== "incipit" && call.session.startsWith(session)
  return { title: "Coding agents", readers: READERS, isAsked }
}

export function ofFile(path: string, title: string): CapturedCalls {
  return { title, readers: READERS_OF_NAMED, folders: [path], isAsked: () => true }
}

/** What `wrap`, `proxy` and `capture` have kept. Returns undefined if there is nothing. */
export function keptCalls(terminal: Terminal): CapturedCalls | undefined {
  const { record } = capturesPlace(terminal)
  if (!existsSync(record)) return undefined
  return { title: "Captured calls", readers: [INCIPIT_RECORD], folders: [record], isAsked: () => true }
}

export function openCaptured({ title, ...calls }: CapturedCalls, terminal: Terminal): Captured {
  const machine = { home: terminal.home ?? terminal.cwd, variables: terminal.env }
  const priceOf = (model: string, at: number) => priceFor(model, { at })
  const { diagnostics, onNote } = collectNotes()
  const ending = new AbortController()
  let progress: ReturnType<typeof progressOn> | undefined
  const index = openSessionIndex({
    ...{ ...calls, machine, priceOf, onNote, signal: ending.signal },
    onProgress: (reached) => progress?.show(reached),
  })
  const redact = createRedactor({ secrets: createSecrets(secretsAmong(terminal.env)) })
  return {
    ...{ index, diagnostics },
    source: capturesSource({
      ...{ title, index, redact, priceOf, onNote, home: machine.home, counter: o200k },
      files: { ...calls, machine, priceOf },
    }),
    close: () => ending.abort(),
    followProgress(flags) {
      if (progress !== undefined) return
      progress = progressOn(flags, terminal)
      void index.whole.finally(() => {
        progress?.clear()
        progress = { show: () => {}, clear: () => {} }
        if (!flags.json && !ending.signal.aborted) printDiagnostics(worthSaying(diagnostics), terminal)
      })
    },
  }
}

/** What is not exact is said where it is shown. */
function worthSaying(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => code !== "capture-not-exact")
}
