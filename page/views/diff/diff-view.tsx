// Diff: two calls of any sessions, people or clients, or the prompt as it would be now, by section and by line.
import { useMemo } from "preact/hooks"
import type { CallRow } from "../../../src/serve/page/shown.ts"
import { currentSource, useCalls, useSessions } from "../../data/calls.ts"
import { info } from "../../data/info.ts"
import { change, count } from "../../parts/figures.ts"
import { Empty, Loading, Problem } from "../../parts/notice.tsx"
import { showText } from "../../parts/show-text.ts"
import { go, place } from "../../shell/place.ts"
import { ChangeList } from "./change-list.tsx"
import { ChangedText } from "./changed-text.tsx"
import "./diff.css"
import type { DiffSide } from "./diff-parts.ts"
import { firstOf, partChanges } from "./part-changes.ts"
import { SidePicker } from "./side-picker.tsx"
import { canCompile, type Side, sideIn, sideText } from "./sides.ts"
import { useSide } from "./use-side.ts"

export default function DiffView() {
  const chosen = { left: sideIn(place.value.left), right: sideIn(place.value.right) }
  return chosen.left !== undefined && chosen.right !== undefined ? (
    <Compared left={chosen.left} right={chosen.right} />
  ) : (
    <WithDefaults {...chosen} />
  )
}

interface Chosen {
  readonly left: Side | undefined
  readonly right: Side | undefined
}

/** Where the address names no sides: the current call, and the one before it. */
function WithDefaults({ left, right }: Chosen) {
  const source = currentSource()
  const sessions = useSessions()
  const session = place.value.session ?? sessions.value?.[0]?.id
  const calls = useCalls(session)
  const problem = sessions.problem ?? calls.problem
  const retry = sessions.problem === undefined ? calls.reload : sessions.reload
  if (problem !== undefined) return <Problem text={problem} onRetry={retry} />
  if (sessions.value === undefined || source === undefined) return <Loading what="the sessions" />
  if (session === undefined)
    return (
      <Empty title="Nothing to compare yet">
        <p>Once a model has been called, its prompts can be compared here.</p>
      </Empty>
    )
  if (calls.value === undefined) return <Loading what="the calls" />
  const { before, here } = neighbours(calls.value)
  const side = (call: string | undefined): Side => ({ kind: "call", source, session, call })
  return <Compared left={left ?? side(before)} right={right ?? side(here)} />
}

function neighbours(calls: readonly CallRow[]) {
  const found = calls.findIndex(({ id }) => id === place.value.call)
  const at = found === -1 ? calls.length - 1 : found
  return { before: calls[Math.max(0, at - 1)]?.id, here: calls[at]?.id }
}

function Compared({ left, right }: { readonly left: Side; readonly right: Side }) {
  const [one, other] = [useSide(left), useSide(right)]
  const choose =
    (name: "left" | "right") =>
    (side: Side, { replace }: { readonly replace: boolean } = { replace: false }) => {
      // The other side may have changed since.
      const { left: one = sideText(left), right: other = sideText(right) } = place.peek()
      go({ left: one, right: other, [name]: sideText(side) }, { replace })
    }
  const isCurrent = one.isCurrent && other.isCurrent
  return (
    <div class="diff">
      <h1 class="spoken">Diff</h1>
      <div class="diff-sides">
        <SidePicker
          title="Before"
          side={left}
          onChange={choose("left")}
          content={one.isCurrent ? one.value : undefined}
          problem={one.problem}
        />
        <button
          type="button"
          class="diff-swap"
          onClick={() => go({ left: sideText(right), right: sideText(left) })}
        >
          <span aria-hidden="true">⇄</span> Swap
        </button>
        <SidePicker
          title="After"
          side={right}
          onChange={choose("right")}
          content={other.isCurrent ? other.value : undefined}
          problem={other.problem}
        />
      </div>
      {one.value !== undefined && other.value !== undefined && (
        <div aria-busy={!isCurrent} class="diff-result">
          <Result left={one.value} right={other.value} hasNow={left.kind !== right.kind} side={left} />
        </div>
      )}
    </div>
  )
}

interface ResultProps {
  readonly left: DiffSide
  readonly right: DiffSide
  /** A prompt that was not sent has no conversation. */
  readonly hasNow: boolean
  readonly side: Side
}

function Result({ left, right, hasNow, side }: ResultProps) {
  const changes = useMemo(() => partChanges(left, right), [left, right])
  const chosen = changes.find(({ key }) => key === place.value.part) ?? firstOf(changes)
  const isSeen = info.value?.caller.isOperator === true
  return (
    <>
      <p class="diff-sum" role="status">
        <strong>{sumText(changes)}</strong> {count(left.tokens)} to {count(right.tokens)} tokens,{" "}
        {change(right.tokens - left.tokens)}.
        {hasNow && " A prompt as it would be now has no conversation, and its tools have no text."}
        {!isSeen && " Only what you may see is compared."}
      </p>
      <div class="diff-panes">
        <ChangeList
          changes={changes}
          chosen={chosen?.key}
          onChoose={(key) => {
            go({ part: key })
            showText(document.querySelector(".diff-text"))
          }}
        />
        {chosen === undefined ? <Same side={side} /> : <ChangedText key={chosen.key} change={chosen} />}
      </div>
    </>
  )
}

/** With a single call, both sides are that one. */
function Same({ side }: { readonly side: Side }) {
  const call = side.kind === "call" ? side : undefined
  const calls = useCalls(call?.session, call?.source)
  if (call === undefined || calls.value?.length !== 1)
    return <p class="quiet">Both prompts are the same. Choose another one above.</p>
  if (call.source === "folder")
    return <p>This is the only version. Save a file, and the next one appears here.</p>
  if (call.source === "report") return <p>A report has one version.</p>
  const now = canCompile() ? ", or As it would be now" : ""
  return <p>This session has one call. Choose another session{now}.</p>
}

function sumText(changes: ReturnType<typeof partChanges>): string {
  const words = (["added", "removed", "changed"] as const).flatMap((kind) => {
    const found = changes.filter((one) => one.kind === kind).length
    return found === 0 ? [] : [`${count(found)} ${kind}`]
  })
  return words.length === 0 ? "No differences." : `${words.join(", ")}.`
}
