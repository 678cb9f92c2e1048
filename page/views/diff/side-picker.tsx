// Chooses one side: a call by its session and number, or the prompt as it would be now for a person and a situation.
import { useEffect } from "preact/hooks"
import type { SourceId } from "../../../src/serve/page/shown.ts"
import { isCompiled, useCalls, useSessions } from "../../data/calls.ts"
import { info } from "../../data/info.ts"
import { count, moment } from "../../parts/figures.ts"
import { sessionText } from "../../parts/session-select.tsx"
import { visibleName } from "../../parts/visible-text.ts"
import { PROFILE_NAMES } from "../what-if/worker/profile-names.ts"
import type { DiffSide } from "./diff-parts.ts"
import { type CallSide, canCompile, type NowSide, type Side, userIn, userText } from "./sides.ts"

export interface SidePickerProps {
  readonly title: "Before" | "After"
  readonly side: Side
  readonly onChange: (side: Side, options?: { readonly replace: boolean }) => void
  readonly content: DiffSide | undefined
  readonly problem: string | undefined
}

const NOW = "(now)"

export function SidePicker({ title, side, onChange, content, problem }: SidePickerProps) {
  const sources = info.value?.sources ?? []
  const choose = (value: string) => {
    const source = sources.find(({ id }) => id === value)?.id
    if (source !== undefined) onChange({ kind: "call", source, session: "", call: undefined })
    else onChange({ kind: "now", user: undefined, situation: undefined, profile: undefined })
  }
  return (
    <fieldset class="diff-side">
      <legend>{title}</legend>
      <div class="diff-fields">
        {(sources.length > 1 || canCompile()) && (
          <select
            aria-label={`${title}: what`}
            value={side.kind === "now" ? NOW : side.source}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {sources.map((source) => (
              <option key={source.id} value={source.id}>
                {sources.length === 1 && source.id === "agent" ? "A call" : visibleName(source.title)}
              </option>
            ))}
            {canCompile() && <option value={NOW}>As it would be now</option>}
          </select>
        )}
        {side.kind === "call" ? (
          <CallFields title={title} side={side} onChange={onChange} />
        ) : (
          <NowFields title={title} side={side} onChange={onChange} />
        )}
      </div>
      {problem === undefined ? (
        <p class="small quiet">
          {content === undefined
            ? "Loading …"
            : `${count(content.tokens)} tokens${content.model && ` · ${visibleName(content.model)}`}`}
        </p>
      ) : (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

interface FieldsProps<S> extends Pick<SidePickerProps, "title" | "onChange"> {
  readonly side: S
}

function CallFields({ title, side, onChange }: FieldsProps<CallSide>) {
  const { value: sessions, problem } = useSessions(side.source)
  const session = side.session === "" ? sessions?.[0]?.id : side.session
  if (problem !== undefined) return <p class="bad">{problem}</p>
  if (sessions === undefined) return <p class="quiet">Loading …</p>
  if (session === undefined) return <p>No sessions yet.</p>
  const isListed = sessions.some(({ id }) => id === session)
  return (
    <>
      <select
        aria-label={`${title}: session`}
        value={session}
        onChange={(event) => onChange({ ...side, session: event.currentTarget.value, call: undefined })}
      >
        {!isListed && <option value={session}>An older session</option>}
        {sessions.map((one) => (
          <option key={one.id} value={one.id}>
            {sessionText(one)}
          </option>
        ))}
      </select>
      <CallField title={title} side={{ ...side, session }} source={side.source} onChange={onChange} />
    </>
  )
}

/** By number: a list of thousands would be of no use. */
function CallField({ title, side, source, onChange }: FieldsProps<CallSide> & { readonly source: SourceId }) {
  const { value: calls, problem } = useCalls(side.session, source)
  const last = calls?.at(-1)?.id
  // Without a call, the newest is meant; the address then says which one that was.
  useEffect(() => {
    if (side.call === undefined && last !== undefined) onChange({ ...side, call: last }, { replace: true })
  }, [side.call, last])
  // The side says the same about its call.
  if (problem !== undefined) return side.call === undefined ? <p class="bad">{problem}</p> : null
  if (calls === undefined) return <p class="quiet">Loading …</p>
  if (calls.length === 0) return <p>No calls in this session.</p>
  const found = calls.findIndex(({ id }) => id === side.call)
  const at = found === -1 ? calls.length - 1 : found
  const move = (to: number) => {
    const next = calls[Math.min(calls.length, Math.max(1, to)) - 1]
    if (next !== undefined) onChange({ ...side, call: next.id })
  }
  return (
    <label class="diff-call">
      {isCompiled(source) ? "version" : "call"}
      <input
        type="number"
        aria-label={`${title}: call`}
        min={1}
        max={calls.length}
        value={at + 1}
        onChange={(event) => move(Math.round(event.currentTarget.valueAsNumber || 1))}
      />
      <span class="quiet small">
        of {count(calls.length)} · {moment(calls[at]?.at ?? 0)}
      </span>
    </label>
  )
}

function NowFields({ title, side, onChange }: FieldsProps<NowSide>) {
  const { people = [], situations = [], caller } = info.value ?? {}
  return (
    <>
      <select
        aria-label={`${title}: person`}
        value={userText(side.user)}
        onChange={(event) => onChange({ ...side, user: userIn(event.currentTarget.value) })}
      >
        <option value={userText(undefined)}>{caller?.user ?? "you"}</option>
        {people
          .filter(({ name }) => name !== caller?.user)
          .map(({ name, trust }) => (
            <option key={name} value={userText(name)}>
              {visibleName(name)} · {trust}
            </option>
          ))}
        <option value={userText(null)}>somebody unknown</option>
      </select>
      <select
        aria-label={`${title}: situation`}
        value={side.situation === caller?.situation ? "" : (side.situation ?? "")}
        onChange={(event) => onChange({ ...side, situation: event.currentTarget.value || undefined })}
      >
        <option value="">{caller?.situation ?? "direct"}</option>
        {situations
          .filter(({ name }) => name !== caller?.situation)
          .map(({ name }) => (
            <option key={name} value={name}>
              {visibleName(name)}
            </option>
          ))}
      </select>
      <select
        aria-label={`${title}: profile`}
        value={side.profile ?? ""}
        onChange={(event) =>
          onChange({ ...side, profile: PROFILE_NAMES.find((name) => name === event.currentTarget.value) })
        }
      >
        <option value="">its own profile</option>
        {PROFILE_NAMES.map((name) => (
          <option key={name} value={name}>
            profile {name}
          </option>
        ))}
      </select>
    </>
  )
}
