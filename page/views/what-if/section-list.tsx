// All sections in the order of the prompt: how many tokens each takes, what changed and why. Each can be switched off,
// and edited where its text is.
import { useState } from "preact/hooks"
import { change, count } from "../../parts/figures.ts"
import { outcomeOf } from "../../parts/outcome.ts"
import { Sign } from "../../parts/sign.tsx"
import { visibleName } from "../../parts/visible-text.ts"
import { place } from "../../shell/place.ts"
import { namesIn, switchSection } from "./settings.ts"
import { type SectionChange, type SectionState, TOOLS } from "./worker/protocol.ts"

export interface SectionListProps {
  readonly sections: readonly SectionChange[]
  /** Undefined if the browser cannot compile changes. */
  readonly onEdit: ((section: SectionChange) => void) | undefined
}

export function SectionList({ sections, onEdit }: SectionListProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? sections : sections.filter((section) => isInUse(section) || isChangedIn(section))
  return (
    <>
      <label class="small wi-switch">
        <input
          type="checkbox"
          checked={isWhole}
          onChange={({ currentTarget: { checked } }) => setWhole(checked)}
        />
        <span>show {count(sections.filter((section) => !isInUse(section)).length)} without text</span>
      </label>
      <ul class="wi-sections">
        {shown.map((section) => (
          <Row key={section.id} section={section} onEdit={onEdit} />
        ))}
      </ul>
    </>
  )
}

/** Has text, or would have if there were more trust or more room. */
function isInUse({ before, after }: SectionChange): boolean {
  return [before, after].some((state) => state !== undefined && state.outcome.kind !== "unused")
}

/** Why something has no text may be said in other words, as with the name of the situation. */
function isChangedIn({ before, after, isTextChanged }: SectionChange): boolean {
  const [was, is] = [before, after].map((state) =>
    state?.outcome.kind === "unused" ? "unused" : JSON.stringify([state?.outcome, state?.tokens]),
  )
  return isTextChanged || was !== is
}

interface RowProps {
  readonly section: SectionChange
  readonly onEdit: SectionListProps["onEdit"]
}

function Row({ section, onEdit }: RowProps) {
  const { id, before, after, isTextChanged } = section
  const state = after ?? before
  if (state === undefined) return null
  const tokens = (after?.tokens ?? 0) - (before?.tokens ?? 0)
  const hasOutcome = before?.outcome.kind !== after?.outcome.kind
  const isChanged = isChangedIn(section)
  return (
    <li class={isChanged ? "wi-section wi-section-changed" : "wi-section"} data-section={id}>
      <span class={`wi-pace wi-pace-${state.pace}`} aria-hidden="true" />
      <div class="wi-section-name">
        <span class="cut">{id === TOOLS ? "tool definitions" : visibleName(id)}</span>
        {state.paths.length > 0 && (
          <span class="small quiet cut" title={visibleName(state.paths.join(", "))}>
            {visibleName(state.paths.join(", "))}
          </span>
        )}
      </div>
      <div class="wi-section-outcome">
        <Outcomes before={before} after={after} hasChanged={hasOutcome} />
        {isTextChanged && !hasOutcome && <span class="wi-tag">text changed</span>}
      </div>
      <span class="figure wi-section-tokens">
        {isChanged && tokens !== 0 && <strong>{change(tokens)} </strong>}
        <span class={isChanged ? "quiet" : ""}>{count(after?.tokens ?? 0)}</span>
      </span>
      <div class="wi-section-actions">
        {onEdit !== undefined && state.isAdjustable && <Switch section={section} />}
        {onEdit !== undefined && canEdit(section) && (
          <button type="button" class="plain small" onClick={() => onEdit(section)} aria-label={`Edit ${id}`}>
            Edit
          </button>
        )}
      </div>
    </li>
  )
}

/** Text that is made anew for each turn has no place where it could be edited. */
function canEdit({ before, after }: SectionChange): boolean {
  const state = after ?? before
  return state !== undefined && (state.paths.length > 0 || (state.isAdjustable && state.pace !== "turn"))
}

function Switch({ section: { id, before } }: { readonly section: SectionChange }) {
  const { off, on } = place.value
  const wasOn = !(before?.outcome.kind === "unused" && before.outcome.why.kind === "switched-off")
  // As it is set, also while that is being compiled.
  const isOn = namesIn(on).includes(id) || (wasOn && !namesIn(off).includes(id))
  return (
    <label class="small wi-switch">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => switchSection(id, { to: checked, isOn: wasOn })}
      />
      <span>
        on<span class="spoken">: {id}</span>
      </span>
    </label>
  )
}

interface OutcomesProps {
  readonly before: SectionState | undefined
  readonly after: SectionState | undefined
  readonly hasChanged: boolean
}

function Outcomes({ before, after, hasChanged }: OutcomesProps) {
  const reason = after && outcomeOf(after.outcome).reason
  return (
    <>
      <span class={hasChanged ? "wi-outcome wi-outcome-changed" : "wi-outcome"}>
        {hasChanged && (
          <>
            <Outcome state={before} /> <span aria-hidden="true">→</span>
            <span class="spoken">now</span>{" "}
          </>
        )}
        <Outcome state={after} />
      </span>
      {reason !== undefined && <span class="small quiet wi-reason">{visibleName(reason)}</span>}
    </>
  )
}

function Outcome({ state }: { readonly state: SectionState | undefined }) {
  if (state === undefined) return <span>– not there</span>
  const { sign, word } = outcomeOf(state.outcome)
  return (
    <span>
      <Sign name={sign} /> {word}
    </span>
  )
}
