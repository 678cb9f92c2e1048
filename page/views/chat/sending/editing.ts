// An earlier message that is being changed: its text is in the field, and sending it begins a branch at its turn. What was
// in the field before comes back.
import { useState } from "preact/hooks"
import { draftOf, setDraft, type Written } from "./drafts.ts"

export interface Edited {
  /** Undefined for a message that the conversation does not have, so that nothing has to be taken back. */
  readonly turn: string | undefined
}

export interface Editing {
  readonly edited: Edited | undefined
  readonly begin: (written: Written, turn: string | undefined) => void
  readonly cancel: () => void
  /** Takes what is in the field; call `giveBack` if it could not be sent. */
  readonly take: () => { readonly draft: Written; readonly giveBack: () => void }
}

const EMPTY: Written = { text: "", files: [] }

interface Begun extends Edited {
  readonly session: string | undefined
  readonly before: Written
}

export function useEditing(session: string | undefined): Editing {
  const [begun, setBegun] = useState<Begun>()
  const own = begun?.session === session ? begun : undefined
  return {
    edited: own,
    begin(written, turn) {
      setBegun({ session, turn, before: own?.before ?? draftOf(session) })
      setDraft(session, written)
    },
    cancel() {
      setDraft(session, own?.before ?? EMPTY)
      setBegun(undefined)
    },
    take() {
      const draft = draftOf(session)
      setDraft(session, own?.before ?? EMPTY)
      setBegun(undefined)
      return {
        draft,
        giveBack() {
          setDraft(session, draft)
          setBegun(own)
        },
      }
    },
  }
}
