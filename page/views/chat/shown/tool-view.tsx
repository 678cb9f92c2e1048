// A call of a tool: one line that says what runs and how it ended; opened, what went in and what came out, and the work
// that it delegated.
import { useState } from "preact/hooks"
import { count, span } from "../../../parts/figures.ts"
import { spelledCode } from "../../../parts/markdown/spelled-text.ts"
import { ScrollBox } from "../../../parts/scroll-box.tsx"
import { visibleName } from "../../../parts/visible-text.ts"
import { linkTo } from "../../../shell/place.ts"
import { ChangeView } from "../approval/change-view.tsx"
import { notRunText, type PartOfWork, type ToolEntry } from "../turns/entry.ts"
import { EntryView } from "./entry-view.tsx"
import { inputLine, inputText, shownChange } from "./tool-input.ts"

export function ToolView({ tool }: { readonly tool: ToolEntry }) {
  const { name, input, result, parts, asked } = tool
  const [isOpen, setIsOpen] = useState(false)
  const line = visibleName(inputLine(input))
  const outcome = outcomeOf(tool)
  const hasMore = input !== undefined || (result !== undefined && result.text !== "") || parts.length > 0
  const head = (
    <>
      <span aria-hidden="true" class={outcome.isBad ? "bad" : "quiet"}>
        {outcome.sign}
      </span>
      <span class="tool-name mono">{visibleName(name)}</span>
      <span class="quiet cut mono tool-input">{line}</span>
      <span class={`small tool-outcome ${outcome.isBad ? "bad" : "quiet"}`}>{outcome.text}</span>
    </>
  )
  return (
    <div class="tool">
      {hasMore ? (
        <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>{head}</summary>
          {isOpen && <Inside tool={tool} />}
        </details>
      ) : (
        <div class="tool-head">{head}</div>
      )}
      {asked?.answer === undefined ? null : <p class="line small quiet">{ANSWERS[asked.answer]}</p>}
      {parts.map((part) => (
        <Part key={part.turn} part={part} />
      ))}
    </div>
  )
}

const ANSWERS = {
  yes: "· Approved.",
  always: "· Approved for the rest of this session.",
  no: "· Not approved.",
  stopped: "· The question was withdrawn.",
} as const

interface Outcome {
  readonly sign: string
  readonly text: string
  readonly isBad: boolean
}

function outcomeOf(tool: ToolEntry): Outcome {
  const { result, durationMs, asked } = tool
  const time = durationMs === undefined || durationMs < 1_000 ? "" : ` · ${span(durationMs)}`
  const notRun = notRunText(tool)
  if (notRun !== undefined) return { sign: "–", text: notRun, isBad: false }
  if (result?.isError === true) return { sign: "✕", text: `failed${time}`, isBad: true }
  if (result !== undefined || durationMs !== undefined)
    return { sign: "✓", text: `done${time}`, isBad: false }
  if (asked !== undefined && asked.answer === undefined)
    return { sign: "?", text: "waits for approval", isBad: false }
  return { sign: "…", text: "", isBad: false }
}

function Inside({ tool: { name, input, result } }: { readonly tool: ToolEntry }) {
  const change = shownChange(name, input)
  const text = inputText(input)
  return (
    <div class="inside">
      {change !== undefined && <ChangeView {...change} hasNumbers={false} />}
      {change === undefined && text !== "" && <LongText text={text} label="Input" />}
      {result !== undefined && result.text !== "" && <LongText text={result.text} label="Result" />}
    </div>
  )
}

const AT_ONCE = 10_000

function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const [isWhole, setIsWhole] = useState(false)
  const isCut = !isWhole && text.length > AT_ONCE
  return (
    <div>
      <p class="quiet small">{label}</p>
      <ScrollBox class="long mono" label={label}>
        {spelledCode(isCut ? text.slice(0, AT_ONCE) : text)}
      </ScrollBox>
      {isCut && (
        <button type="button" onClick={() => setIsWhole(true)}>
          Show all {count(text.length)} characters
        </button>
      )}
    </div>
  )
}

/** Delegated work, beneath the call that delegated it. */
function Part({ part: { agent, session, entries } }: { readonly part: PartOfWork }) {
  if (entries.length === 0) return null
  return (
    <details class="part fold">
      <summary class="quiet small">Delegated{agent === undefined ? "" : ` to ${visibleName(agent)}`}</summary>
      <div class="part-inside">
        {entries.map((entry) => (
          <EntryView key={entry.key} entry={entry} />
        ))}
        {session !== undefined && <a href={linkTo({ session, call: null })}>Its session</a>}
      </div>
    </details>
  )
}
