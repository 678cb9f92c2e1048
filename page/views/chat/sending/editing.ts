// An earlier message that is being changed: its text is in the field, and sending it begins a branch at its turn.
import { useState } from "preact/hooks"
import { draftOf, setDraft } from "./drafts.ts"

export interface Editing {
  /** The turn whose message is being changed. */
  readonly turn: string | undefined
  /** `turn`: undefined for a message that the conversation does not have, so that nothing has to be taken back. */
  readonly begin: (text: string, turn: string | undefined) => void
  readonly cancel: () => void
  /** Takes what is in the field; call what it returns if it could not be sent. */
  readonly take: () => { readonly draft: ReturnType<typeof draftOf>; readonly giveBack: () => void }
}

export function useEditing(session: string | undefined): Editing {
  const [edited, setEdited] = useState<{ readonly session: string; readonly turn: string }>()
  return {
    turn: edited?.session === session ? edited?.turn : undefined,
    begin(text, turn) {
      setDraft(session, { text, files: [] })
      setEdited(session === undefined || turn === undefined ? undefined : { session, turn })
    },
    cancel() {
      setEdited(undefined)
      setDraft(session, { text: "" })
    },
    take() {
      const draft = draftOf(session)
      setDraft(session, { text: "", files: [] })
      setEdited(undefined)
      return {
        draft,
        giveBack() {
          setDraft(session, draft)
          setEdited(edited)
        },
      }
    },
  }
}
