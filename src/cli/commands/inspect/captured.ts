// Calls of clients as `inspect` shows them: all of this machine, one session, or those of a file. Finds sessions while
// the page is already open, and shows on the terminal how far it is.
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { READERS, READERS_OF_NAMED } from "../../../capture/clients/readers.ts"
import { openSessionIndex, type SessionIndex } from "../../../capture/sessions/session-index.ts"
import { priceFor } from "../../../record/prices/prices.ts"
import { createRedactor } from "../../../record/redact/redactor.ts"
import { secretsAmong } from "../../../record/redact/secret-variables.ts"
import { createSecrets } from "../../../record/redact/secrets.ts"
import { capturesSource } from "../../../serve/page/captures/captures-source.ts"
import type { PageSource } from "../../../serve/page/page-source.ts"
import { o200k } from "../../../tokens/o200k.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import type { Terminal } from "../../terminal.ts"
import { progressOn } from "../bill/progress.ts"

export interface CapturedOptions {
  readonly title: string
  /** A file that was named; without it, what clients keep on this machine. */
  readonly file?: string | undefined
  /** As the client names it, or the beginning of it. */
  readonly session?: string | undefined
  readonly flags: FlagsOf<"inspect">
  readonly terminal: Terminal
}

export interface Captured {
  readonly source: PageSource
  readonly index: SessionIndex
  /** What could not be read, so far. */
  readonly diagnostics: readonly Diagnostic[]
  /** Shows how far reading is, and then what could not be read. */
  followProgress(): void
}

export function openCaptured({ title, file, session = "", flags, terminal }: CapturedOptions): Captured {
  const machine = { home: terminal.home ?? terminal.cwd, variables: terminal.env }
  const priceOf = (model: string, at: number) => priceFor(model, { at })
  const { diagnostics, onNote } = collected()
  const progress = progressOn(flags, terminal)
  let isFollowed = false
  let isShown = false
  const readers = file === undefined ? READERS : READERS_OF_NAMED
  const folders = file === undefined ? undefined : [file]
  const index = openSessionIndex({
    ...{ machine, priceOf, onNote, readers, folders },
    // Our own agents have records of their own, which are shown as such.
    isAsked: (call) => (file !== undefined || call.client !== "incipit") && call.session.startsWith(session),
    onProgress: (reached) => isShown && progress.show(reached),
  })
  const redact = createRedactor({ secrets: createSecrets(secretsAmong(terminal.env)) })
  return {
    ...{ index, diagnostics },
    source: capturesSource({
      ...{ title, index, redact, priceOf, onNote, home: machine.home, counter: o200k },
      files: {
        ...{ machine, priceOf, folders, session },
        readers: file === undefined ? readers.filter(({ client }) => client !== "incipit") : readers,
      },
    }),
    followProgress() {
      if (isFollowed) return
      isFollowed = true
      isShown = true
      void index.whole.finally(() => {
        isShown = false
        progress.clear()
        if (!flags.json) printDiagnostics(worthSaying(diagnostics), terminal)
      })
    },
  }
}

/** What is not exact is said where it is shown. */
function worthSaying(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => code !== "capture-not-exact")
}

/** Files are read more than once, and what is wrong with them is said once. */
function collected() {
  const diagnostics: Diagnostic[] = []
  const said = new Set<string>()
  const onNote = (diagnostic: Diagnostic) => {
    const key = JSON.stringify(diagnostic)
    if (!said.has(key)) diagnostics.push(diagnostic)
    said.add(key)
  }
  return { diagnostics, onNote }
}
