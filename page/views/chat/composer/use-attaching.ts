// Attaching files to the message that is being written.
import { useState } from "preact/hooks"
import { problemText } from "../../../data/ask.ts"
import { draftOf, setDraft } from "../sending/drafts.ts"
import { readFiles } from "./attachments.ts"

export interface Attaching {
  readonly add: (files: readonly File[]) => void
  readonly remove: (at: number) => void
  /** One sentence for each file that was not taken. */
  readonly refused: readonly string[]
  readonly forget: () => void
}

export function useAttaching(session: string | undefined): Attaching {
  const [refused, setRefused] = useState<readonly string[]>([])
  const add = async (given: readonly File[]) => {
    if (given.length === 0) return
    const read = await readFiles(given, draftOf(session).files)
    setDraft(session, { files: read.files })
    setRefused(read.refused)
  }
  return {
    add: (files) => void add(files).catch((error: unknown) => setRefused([problemText(error)])),
    remove: (at) => {
      setDraft(session, { files: draftOf(session).files.filter((_, index) => index !== at) })
      setRefused([])
    },
    refused,
    forget: () => setRefused([]),
  }
}
