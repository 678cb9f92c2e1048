// One turn: what was said, everything that became of it, what it cost, and what can be done with it.
import { clock, count, moment, money, percent } from "../../../parts/figures.ts"
import { linkTo } from "../../../shell/place.ts"
import { answerOf, isUnanswered, type ShownTurn } from "../turns/entry.ts"
import { EntryView } from "./entry-view.tsx"
import type { TurnCost } from "./turn-costs.ts"
import "./turn.css"

export interface TurnActions {
  readonly onEdit: (turn: ShownTurn) => void
  readonly onBranch: (turn: ShownTurn) => void
  readonly onAgain: (turn: ShownTurn) => void
}

export interface TurnViewProps extends TurnActions {
  readonly turn: ShownTurn
  readonly cost: TurnCost | undefined
  readonly session: string
  readonly isLast: boolean
}

export function TurnView({ turn, cost, session, isLast, ...actions }: TurnViewProps) {
  const { entries, state, at, turn: id } = turn
  const isRunning = state === "running"
  const label = at === undefined ? "Turn" : `Turn, ${clock(at)}`
  return (
    <article class="turn" tabIndex={-1} aria-label={label} aria-busy={isRunning}>
      {/* The headings of an answer are below it. */}
      <h2 class="spoken">{label}</h2>
      {entries.map((entry) => (
        <EntryView key={entry.key} entry={entry} />
      ))}
      {id !== null && (
        <footer class="turn-foot small quiet">
          {isRunning && <span>Working …</span>}
          {!isRunning && isUnanswered(turn) && <span>No answer so far.</span>}
          {!isRunning && at !== undefined && <time dateTime={new Date(at).toISOString()}>{moment(at)}</time>}
          {cost !== undefined && <Cost cost={cost} session={session} />}
          {!isRunning && <Actions turn={turn} isLast={isLast} {...actions} />}
        </footer>
      )}
    </article>
  )
}

function Cost({ cost, session }: { readonly cost: TurnCost; readonly session: string }) {
  const { costUsd, tokens, cached, isSimulated, calls, call } = cost
  const facts = [
    isSimulated ? "offline, free" : money(costUsd),
    `${count(tokens)} tokens`,
    ...(cached === undefined ? [] : [`${percent(cached)} cached`]),
    ...(calls > 1 ? [`${calls} calls`] : []),
  ]
  return (
    <>
      {/* Breaks between facts only. */}
      <span class="turn-facts">
        {facts.map((fact, at) => (
          <span key={fact}>
            {fact}
            {at < facts.length - 1 && " · "}
          </span>
        ))}
      </span>
      <a href={linkTo({ view: "prompt", source: "agent", session, call })}>Prompt</a>
    </>
  )
}

function Actions({
  turn,
  isLast,
  onEdit,
  onBranch,
  onAgain,
}: TurnActions & { readonly turn: ShownTurn; readonly isLast: boolean }) {
  const said = turn.entries.find(({ kind }) => kind === "said")
  const answer = answerOf(turn.entries)
  return (
    <span class="turn-actions">
      {answer !== "" && (
        <button type="button" class="plain" onClick={() => void navigator.clipboard.writeText(answer)}>
          Copy
        </button>
      )}
      {said !== undefined && (
        <>
          <button type="button" class="plain" onClick={() => onEdit(turn)}>
            Edit
          </button>
          {isLast ? (
            <button type="button" class="plain" onClick={() => onAgain(turn)}>
              {turn.state === "failed" || answer === "" ? "Send again" : "Regenerate"}
            </button>
          ) : (
            <button type="button" class="plain" onClick={() => onBranch(turn)}>
              Branch
            </button>
          )}
        </>
      )}
    </span>
  )
}
