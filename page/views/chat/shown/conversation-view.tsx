// The conversation: its turns, and what is on its way. It grows at the end, and scrolls only for a reader who is there.
import { useRef, useState } from "preact/hooks"
import { problemText } from "../../../data/ask.ts"
import { Problem } from "../../../parts/notice.tsx"
import { ScrollBox } from "../../../parts/scroll-box.tsx"
import { useKeys } from "../../../shell/keys.ts"
import type { Outgoing } from "../sending/outbox.ts"
import type { Sending } from "../sending/use-sending.ts"
import type { OpenConversation } from "../turns/conversation.ts"
import type { ShownTurn } from "../turns/entry.ts"
import { saidOf } from "../turns/merged-turns.ts"
import { Said } from "./entry-view.tsx"
import { useStickToEnd } from "./stick-to-end.ts"
import type { TurnCost } from "./turn-costs.ts"
import { TurnView } from "./turn-view.tsx"

export interface ConversationViewProps {
  readonly session: string | undefined
  readonly conversation: OpenConversation
  readonly turns: readonly ShownTurn[]
  readonly pending: readonly Outgoing[]
  readonly costs: ReadonlyMap<string, TurnCost>
  readonly sending: Sending
}

export function ConversationView(props: ConversationViewProps) {
  const { session, conversation, turns, pending, costs, sending } = props
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const end = useStickToEnd(scroller, content, session)
  const [problem, setProblem] = useState<string>()
  useMoves(content)
  const readEarlier = () => {
    const release = end.holdPlace()
    conversation.readEarlier().then(
      // Once the messages are drawn.
      () => requestAnimationFrame(release),
      (error: unknown) => setProblem(problemText(error)),
    )
  }
  const isBusy = turns.some(({ state }) => state === "running")
  return (
    <div class="scroller-frame">
      <ScrollBox element={scroller} class="scroller" label="Conversation">
        <div ref={content} class="turns">
          {conversation.problem !== undefined && (
            <Problem text={conversation.problem} onRetry={conversation.reload} />
          )}
          {conversation.hasEarlier && (
            <button type="button" class="plain" onClick={readEarlier}>
              Earlier messages
            </button>
          )}
          {problem !== undefined && <p class="bad small">{problem}</p>}
          {turns.map((turn, at) => (
            <TurnView
              key={turn.key}
              {...{ turn, session: session ?? "" }}
              cost={turn.turn === null ? undefined : costs.get(turn.turn)}
              isLast={at === turns.length - 1}
              onEdit={sending.edit}
              onAgain={sending.again}
              onBranch={() =>
                sending.branchBefore(turns.slice(at + 1).find((one) => one.turn !== null)?.turn ?? undefined)
              }
            />
          ))}
          {pending.map((sent) => (
            <PendingView key={sent.key} {...{ sent, isBusy, sending }} />
          ))}
        </div>
      </ScrollBox>
      {!end.isAtEnd && (
        <button type="button" class="to-end" onClick={end.toEnd}>
          ↓ Latest
        </button>
      )}
    </div>
  )
}

interface PendingViewProps {
  readonly sent: Outgoing
  /** The agent works on another message of the session. */
  readonly isBusy: boolean
  readonly sending: Sending
}

function PendingView({ sent, isBusy, sending }: PendingViewProps) {
  return (
    <article class="turn" tabIndex={-1} aria-label="Message that is on its way">
      <Said entry={saidOf(sent)} />
      <footer class="turn-foot small quiet">
        {sent.problem !== undefined ? (
          <>
            <span class={sent.state === "failed" ? "bad" : undefined}>
              {sent.state === "failed" && "Not sent: "}
              {sent.problem}
            </span>
            <span class="turn-actions">
              <button type="button" class="plain" onClick={() => sending.repeat(sent)}>
                Send again
              </button>
              <button type="button" class="plain" onClick={() => sending.takeBack(sent)}>
                Edit
              </button>
            </span>
          </>
        ) : (
          <span>{isBusy ? "Waits until the agent has answered." : "Sending …"}</span>
        )}
      </footer>
    </article>
  )
}

/** From turn to turn, with the keys of lists. */
function useMoves(content: { readonly current: HTMLDivElement | null }): void {
  const move = (by: number) => {
    const turns = [...(content.current?.querySelectorAll<HTMLElement>(".turn") ?? [])]
    const now = turns.findIndex((turn) => turn.contains(document.activeElement))
    const next =
      now === -1 ? (by > 0 ? 0 : turns.length - 1) : Math.min(Math.max(now + by, 0), turns.length - 1)
    turns[next]?.focus()
    turns[next]?.scrollIntoView({ block: "nearest" })
  }
  useKeys([
    { key: "j", does: "next message", run: () => move(1) },
    { key: "k", does: "message before", run: () => move(-1) },
  ])
}
