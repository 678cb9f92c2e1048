// Everything one can do in a conversation: send, change an earlier message, branch, send again, stop.
import { useState } from "preact/hooks"
import { problemText } from "../../../data/ask.ts"
import { go, place } from "../../../shell/place.ts"
import type { SaidEntry, ShownTurn } from "../turns/entry.ts"
import { stale } from "../turns/live-turns.ts"
import { fork, stop } from "./branches.ts"
import { setDraft } from "./drafts.ts"
import { type Editing, useEditing } from "./editing.ts"
import { type Draft, discard, type Outgoing, send, sendAgain } from "./outbox.ts"

export interface Sending {
  readonly editing: Pick<Editing, "edited" | "cancel">
  readonly planMode: boolean
  readonly problem: string | undefined
  readonly sendDraft: () => void
  readonly sayText: (text: string) => void
  readonly repeat: (sent: Outgoing) => void
  /** Takes a message that could not be sent back into the field. */
  readonly takeBack: (sent: Outgoing) => void
  readonly edit: (turn: ShownTurn) => void
  readonly again: (turn: ShownTurn) => void
  /** A session of its own with everything before this turn; with all, without one. */
  readonly branchBefore: (turn: string | undefined) => void
  readonly stopWork: () => void
  readonly setPlanMode: (isOn: boolean) => void
}

export function useSending(session: string | undefined, agent: string | undefined): Sending {
  const editing = useEditing(session)
  // Undefined leaves the mode of the session as it is.
  const [planMode, setPlanMode] = useState<boolean>()
  const [problem, setProblem] = useState<string>()
  const failed = (error: unknown) => setProblem(problemText(error))
  const say = (text: string, files: Draft["files"], at: string | undefined): Promise<void> => {
    setProblem(undefined)
    return begin({ session, agent, text, files, planMode }, at)
  }
  const edit = (turn: ShownTurn) => editing.begin(saidIn(turn)?.text ?? "", storedTurn(turn))
  return {
    ...{ editing, edit, problem, setPlanMode, planMode: planMode === true },
    sendDraft() {
      const { draft, giveBack } = editing.take()
      say(draft.text, draft.files, editing.edited?.turn).catch((error: unknown) => {
        // The branch could not be made: nothing was sent, and nothing is lost.
        giveBack()
        failed(error)
      })
    },
    sayText: (text) => void say(text, [], undefined).catch(failed),
    repeat: (sent) => void sendAgain(sent).then((begun) => followed(sent.session, begun)),
    takeBack({ key, text, files }) {
      discard(key)
      setDraft(session, { text, files })
    },
    again(turn) {
      const said = saidIn(turn)
      if (said?.files.length === 0) say(said.text, [], storedTurn(turn)).catch(failed)
      else {
        edit(turn)
        setProblem("Attach the files again: the page no longer has them.")
      }
    },
    branchBefore(turn) {
      if (session !== undefined) fork(session, turn).then((made) => openSession(made.session), failed)
    },
    stopWork() {
      if (session !== undefined) stopIn(session).catch(failed)
    },
  }
}

/** `at`: the turn before which a branch begins. */
async function begin(draft: Draft, at: string | undefined): Promise<void> {
  const { session } = draft
  if (session === undefined || at === undefined) return followed(session, await send(draft))
  const made = await fork(session, at)
  openSession(made.session)
  await send({ ...draft, session: made.session })
}

/** A new session is shown once it has begun, unless the reader has gone elsewhere in the meantime. */
function followed(before: string | undefined, begun: string | undefined): void {
  const { view = "chat", session: now } = place.value
  if (before !== undefined || begun === undefined || view !== "chat" || now !== undefined) return
  go({ session: begun, call: null, source: null }, { replace: true })
}

async function stopIn(session: string): Promise<void> {
  // What has ended already is read again.
  if ((await stop(session)) === 0) stale.value = new Set([...stale.value, session])
}

function openSession(session: string): void {
  go({ session, call: null, source: null })
}

/** Small talk that needed no model is not in the conversation, so there is nothing to branch from. */
function storedTurn({ turn, isStored }: ShownTurn): string | undefined {
  return isStored && turn !== null ? turn : undefined
}

function saidIn({ entries }: ShownTurn): SaidEntry | undefined {
  return entries.find((entry) => entry.kind === "said")
}
