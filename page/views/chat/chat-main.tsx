// One conversation and the field for the next message.
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { approvals, mayApprove } from "../../data/approvals.ts"
import { info } from "../../data/info.ts"
import { ApprovalCard } from "./approval/approval-card.tsx"
import { shownRequest } from "./approval/shown-request.ts"
import { Composer } from "./composer/composer.tsx"
import { useAttaching } from "./composer/use-attaching.ts"
import { useDropping } from "./composer/use-dropping.ts"
import { PlanCard } from "./plan/plan-card.tsx"
import { outbox } from "./sending/outbox.ts"
import { useSending } from "./sending/use-sending.ts"
import { BeginView } from "./shown/begin-view.tsx"
import { ConversationView } from "./shown/conversation-view.tsx"
import { Spoken } from "./shown/spoken.tsx"
import { useTurnCosts } from "./shown/turn-costs.ts"
import { useConversation } from "./turns/conversation.ts"
import { isUnanswered } from "./turns/entry.ts"
import { liveVersion, turnsOf } from "./turns/live-turns.ts"
import { type Merged, mergedTurns } from "./turns/merged-turns.ts"
import { storedTurns } from "./turns/stored-turns.ts"
import type { Conversation } from "./turns/with-newest.ts"

export interface ChatMainProps {
  readonly session: string | undefined
}

export function ChatMain({ session }: ChatMainProps) {
  const agents = info.value?.agents ?? []
  const [agent, setAgent] = useState(agents[0])
  const sending = useSending(session, agent)
  const attaching = useAttaching(session)
  const conversation = useConversation(session)
  const { turns, pending } = useTurns(session, conversation.messages)
  const costs = useTurnCosts(session)
  const body = useRef<HTMLDivElement>(null)
  useDropping(body, attaching.add)
  const [news, setNews] = useState<string>()
  const newest = turns.findLast(({ turn }) => turn !== null)
  const isRunning = newest !== undefined && (newest.state === "running" || isUnanswered(newest))
  const last = turns.findLast(
    ({ turn, entries }) => turn !== null && entries.some(({ kind }) => kind === "said"),
  )
  const isOurs = conversation.session?.isYours !== false
  const isNew = session === undefined && turns.length === 0 && pending.length === 0
  return (
    <div ref={body} class="chat-body">
      {isNew ? (
        <BeginView agents={agents} agent={agent} onAgent={setAgent} onTry={sending.sayText} />
      ) : (
        <ConversationView {...{ session, conversation, turns, pending, costs, sending }} />
      )}
      <Spoken turn={turns.at(-1)?.key} entries={turns.at(-1)?.entries ?? []} news={news} />
      <div class="dock">
        {sending.problem !== undefined && (
          <p class="bad small" role="alert">
            {sending.problem}
          </p>
        )}
        <SessionApproval session={session} onNews={setNews} />
        {isOurs && session !== undefined && !isRunning && (
          <PlanCard
            session={session}
            onGo={sending.carryOut}
            onChange={() => {
              sending.setPlanMode(true)
              body.current?.querySelector("textarea")?.focus()
            }}
          />
        )}
        {isOurs && conversation.problem === undefined && (
          <Composer
            {...{ session, isRunning, attaching }}
            edited={sending.editing.edited}
            planMode={sending.planMode}
            onSend={() => {
              attaching.forget()
              sending.sendDraft()
            }}
            onStop={sending.stopWork}
            onCancelEdit={sending.editing.cancel}
            onEditLast={last && (() => sending.edit(last))}
            onPlanMode={sending.setPlanMode}
          />
        )}
        {!isOurs && <p class="quiet composer">You can read this conversation but not continue it.</p>}
      </div>
    </div>
  )
}

/** What this session asks for, one question at a time; for those who may not answer, nothing. */
function SessionApproval({
  session,
  onNews,
}: {
  readonly session: string | undefined
  readonly onNews: (text: string) => void
}) {
  const own = mayApprove.value ? approvals.value.filter((one) => one.session === session) : []
  const [first] = own
  const title = first && shownRequest(first.request).title
  useEffect(() => {
    if (title !== undefined) onNews(`The agent asks: ${title}`)
  }, [first?.id])
  return first === undefined ? null : (
    <ApprovalCard key={first.id} approval={first} more={own.length - 1} onOver={onNews} />
  )
}

function useTurns(session: string | undefined, messages: Conversation["messages"]): Merged {
  const stored = useMemo(() => storedTurns(messages), [messages])
  const outgoing = outbox.value.filter((one) => one.session === session)
  const live = session === undefined ? [] : turnsOf(session)
  // The live turns change without becoming another list.
  return useMemo(
    () => mergedTurns({ stored, live, outgoing }),
    [stored, liveVersion.value, outbox.value, session],
  )
}
