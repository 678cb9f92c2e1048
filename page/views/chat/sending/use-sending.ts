// Everything one can do in a conversation: send, change an earlier message, branch, send again, stop.
import { useState } from "preact/hooks"
import { problemText } from "../../../data/ask.ts"
import { go, place } from "../../../shell/place.ts"
import type { SaidEntry, ShownTurn } from "../turns/entry.ts"
import { stale } from "../turns/live-turns.ts"
import { fork, type SentMessage, sentMessage, stop } from "./branches.ts"
import { setDraft } from "./drafts.ts"
import { type Editing, useEditing } from "./editing.ts"
import { type Draft, discard, type Outgoing, send, sendAgain } from "./outbox.ts"

export interface Sending {
  readonly editing: Pick<Editing, "edited" | "cancel">
  readonly planMode: boolean
  readonly problem: string | undefined
  readonly sendDraft: () => void
  readonly sayText: (text: string) => void
  /** Sends this and ends plan mode. */
  readonly carryOut: (plan: string) => void
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
  const say = (text: string, files: Draft["files"], at?: string, mode = planMode): Promise<void> => {
    setProblem(undefined)
    return begin({ session, agent, text, files, planMode: mode }, at)
  }
  /** With the message of the turn as it was sent. Small ones are known, and what has files is read. */
  const withSent = (turn: ShownTurn, use: (sent: SentMessage) => unknown) => {
    const { text, files } = saidIn(turn) ?? { text: "", files: [] }
    if (session === undefined || turn.turn === null || !hasFiles(text, files))
      return void use({ text, files: [] })
    sentMessage(session, turn.turn).then(use, () => {
      editing.begin({ text, files: [] }, storedTurn(turn))
      setProblem("The files of this message are no longer there. Attach them again.")
    })
  }
  const edit = (turn: ShownTurn) => withSent(turn, (sent) => editing.begin(sent, storedTurn(turn)))
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
    sayText: (text) => void say(text, []).catch(failed),
    carryOut(plan) {
      setPlanMode(false)
      say(plan, [], undefined, false).catch(failed)
    },
    repeat: (sent) => void sendAgain(sent).then((begun) => followed(sent.session, begun)),
    takeBack({ key, text, files }) {
      discard(key)
      setDraft(session, { text, files })
    },
    again: (turn) => withSent(turn, ({ text, files }) => say(text, files, storedTurn(turn)).catch(failed)),
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

/** Text files are in the text of a conversation. */
function hasFiles(text: string, { length }: SaidEntry["files"]): boolean {
  return length > 0 || text.endsWith("[end of the file]")
}

function saidIn({ entries }: ShownTurn): SaidEntry | undefined {
  return entries.find((entry) => entry.kind === "said")
}
