// What is being written, for each session: kept while one looks at another session or view, and if the page is loaded
// again. Only in this tab.
import { signal } from "@preact/signals"
import type { OutgoingFile } from "./outbox.ts"

export interface Written {
  readonly text: string
  readonly files: readonly OutgoingFile[]
}

const EMPTY: Written = { text: "", files: [] }
const KEY = "incipit-draft "

/** By session; "" is the new one. Files are too large for the browser's storage. */
const drafts = signal<ReadonlyMap<string, Written>>(new Map())

export function draftOf(session = ""): Written {
  return drafts.value.get(session) ?? { ...EMPTY, text: storedText(session) }
}

export function setDraft(session = "", change: Partial<Written>): void {
  const next = { ...draftOf(session), ...change }
  drafts.value = new Map([...drafts.value, [session, next]])
  store(session, next.text)
}

/** Takes back what was not answered. What is being written stays, below it. */
export function putBack(session: string | undefined, { text, files }: Written): void {
  const draft = draftOf(session)
  setDraft(session, {
    text: [text, draft.text].filter((one) => one !== "").join("\n\n"),
    files: [...files, ...draft.files],
  })
}

function storedText(session: string): string {
  try {
    return sessionStorage.getItem(KEY + session) ?? ""
  } catch {
    return ""
  }
}

/** A browser may refuse storage altogether; the draft then lasts until the page is left. */
function store(session: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(KEY + session)
    else sessionStorage.setItem(KEY + session, text)
  } catch {
    // Nothing to do.
  }
}
