// The settings of What If: for whom, where, with what budget and model, when, and what they say.

import { MODES } from "../../../src/core/model/mode.ts"
import type { WhatIfModel } from "../../../src/serve/page/what-if/what-if-shown.ts"
import { info } from "../../data/info.ts"
import { count, moment, money } from "../../parts/figures.ts"
import { visibleName } from "../../parts/visible-text.ts"
import { place } from "../../shell/place.ts"
import { Field } from "./field.tsx"
import { message, numberIn, set } from "./settings.ts"
import type { WhatIf } from "./use-what-if.ts"

/** `canCompile`: the browser has the profile. Without it, only the server can compile, and for others. */
export function Controls({ whatIf, canCompile }: { readonly whatIf: WhatIf; readonly canCompile: boolean }) {
  return (
    <form class="wi-controls" aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      <AgentField />
      <PersonField />
      <SituationField whatIf={whatIf} />
      <ModeField whatIf={whatIf} />
      {canCompile && (
        <>
          <BudgetField whatIf={whatIf} />
          <ModelField whatIf={whatIf} />
          <TimeField whatIf={whatIf} />
        </>
      )}
      <MessageField whatIf={whatIf} />
    </form>
  )
}

interface Shown {
  readonly whatIf: WhatIf
}

function AgentField() {
  const agents = info.value?.agents ?? []
  const [main = ""] = agents
  const { agent = main } = place.value
  if (agents.length < 2) return null
  return (
    <Field
      for="wi-agent"
      label="Agent"
      isChanged={place.value.agent !== undefined}
      onReset={() => set({ agent: null })}
    >
      <select
        id="wi-agent"
        value={agent}
        onChange={({ currentTarget: { value } }) => set({ agent: value === main ? null : value })}
      >
        {agents.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** No name of a person: names are not empty. */
const [CALLER, STRANGER] = ["", " "]

function PersonField() {
  const { people = [], caller } = info.value ?? {}
  const { person, stranger } = place.value
  const value = stranger !== undefined ? STRANGER : (person ?? CALLER)
  return (
    <Field
      for="wi-person"
      label="Person"
      isChanged={value !== CALLER}
      onReset={() => set({ person: null, stranger: null })}
    >
      <select
        id="wi-person"
        value={value}
        onChange={({ currentTarget: { value: next } }) =>
          set({
            person: next === CALLER || next === STRANGER ? null : next,
            stranger: next === STRANGER ? "1" : null,
          })
        }
      >
        <option value={CALLER}>{caller?.user ?? "you"} (this sign-in)</option>
        {people.map(({ name, trust, isOwner }) => (
          <option key={name} value={name}>
            {visibleName(name)}: {trust} trust{isOwner ? ", owner" : ""}
          </option>
        ))}
        <option value={STRANGER}>somebody unknown: public trust</option>
      </select>
    </Field>
  )
}

function SituationField({ whatIf }: Shown) {
  const situations = info.value?.situations ?? []
  const usual = whatIf.real?.input.report.situation ?? info.value?.caller.situation ?? "dm"
  const { situation = usual } = place.value
  const ceiling = (name: string) => situations.find((one) => one.name === name)?.ceiling
  const names = [...new Set([...situations.map(({ name }) => name), situation])]
  return (
    <Field
      for="wi-situation"
      label="Situation"
      isChanged={place.value.situation !== undefined}
      onReset={() => set({ situation: null })}
    >
      <select
        id="wi-situation"
        value={situation}
        onChange={({ currentTarget: { value } }) => set({ situation: value })}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {visibleName(name)}
            {ceiling(name) === undefined ? "" : `: at most ${ceiling(name)} trust`}
          </option>
        ))}
      </select>
    </Field>
  )
}

function ModeField({ whatIf }: Shown) {
  const usual = whatIf.real?.input.report.mode ?? "full"
  const { mode = usual } = place.value
  return (
    <Field
      for="wi-mode"
      label="Mode"
      isChanged={place.value.mode !== undefined}
      onReset={() => set({ mode: null })}
    >
      <select
        id="wi-mode"
        value={mode}
        onChange={({ currentTarget: { value } }) => set({ mode: value === usual ? null : value })}
      >
        {MODES.map((name) => (
          <option key={name} value={name}>
            {MODE_WORDS[name]}
          </option>
        ))}
      </select>
    </Field>
  )
}

const MODE_WORDS = { full: "full", minimal: "minimal", subagent: "sub-agent" } as const

function BudgetField({ whatIf }: Shown) {
  const limit = whatIf.changed?.input.report.budget.head.limit ?? 0
  const used = whatIf.compared?.report.budget.head.used ?? 0
  const most = Math.max(limit, 1_000)
  const value = numberIn(place.value.budget) ?? limit
  const change = (text: string) => {
    const next = numberIn(text)
    set({ budget: next === undefined || next === limit ? null : String(next) })
  }
  return (
    <Field
      for="wi-budget"
      label="Budget"
      isChanged={place.value.budget !== undefined}
      onReset={() => set({ budget: null })}
      note={`Limit of the cached prefix without tools, in tokens; ${count(used)} are used`}
    >
      <div class="wi-budget">
        <input
          type="range"
          aria-label="Budget as a slider"
          min={0}
          max={most}
          step={Math.max(1, Math.round(most / 500))}
          value={Math.min(value, most)}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
        <input
          id="wi-budget"
          type="number"
          min={0}
          max={10_000_000}
          value={value}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      </div>
    </Field>
  )
}

function ModelField({ whatIf }: Shown) {
  const models = whatIf.changed?.input.models ?? []
  const usual = models[0]?.id ?? ""
  const { model = usual } = place.value
  const groups = [
    { label: "This workspace", models: models.filter(({ isConfigured }) => isConfigured) },
    { label: "Others with a known price", models: models.filter(({ isConfigured }) => !isConfigured) },
  ]
  return (
    <Field
      for="wi-model"
      label="Model"
      isChanged={place.value.model !== undefined}
      onReset={() => set({ model: null })}
      note={priceNote(models.find(({ id }) => id === model))}
    >
      <select
        id="wi-model"
        value={model}
        onChange={({ currentTarget: { value } }) => set({ model: value === usual ? null : value })}
      >
        {groups.map(({ label, models: inside }) => (
          <optgroup key={label} label={label}>
            {inside.map(({ id }) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </Field>
  )
}

function priceNote(model: WhatIfModel | undefined): string {
  const { price } = model ?? {}
  if (!price) return "Its price isn't known"
  return `${money(price.input)} per million input tokens${price.estimated ? ", estimated" : ""}`
}

function TimeField({ whatIf }: Shown) {
  const turn = whatIf.changed?.input.turn
  const at = numberIn(place.value.time)
  return (
    <Field
      for="wi-time"
      label="Time"
      isChanged={at !== undefined}
      onReset={() => set({ time: null })}
      note={
        at === undefined && turn !== undefined
          ? `Now: ${moment(turn.now)}. The prompt shows it in ${turn.timeZone}`
          : `In this browser's time zone; the prompt shows it in ${turn?.timeZone ?? "its own"}`
      }
    >
      <input
        id="wi-time"
        type="datetime-local"
        value={localTime(at ?? turn?.now)}
        onInput={({ currentTarget: { value } }) => {
          const next = Date.parse(value)
          set({ time: Number.isNaN(next) ? null : String(next) })
        }}
      />
    </Field>
  )
}

/** As a field for dates takes it, without seconds. */
function localTime(at: number | undefined): string {
  const minutes = new Date(at ?? Number.NaN).getTimezoneOffset()
  const local = new Date((at ?? Number.NaN) - minutes * 60_000)
  return Number.isNaN(local.getTime()) ? "" : local.toISOString().slice(0, 16)
}

function MessageField({ whatIf }: Shown) {
  const usual = whatIf.real?.input.turn.message ?? ""
  return (
    <Field
      for="wi-message"
      label="Message"
      isWide
      isChanged={message.value !== undefined}
      onReset={() => {
        message.value = undefined
      }}
    >
      <textarea
        id="wi-message"
        rows={2}
        value={message.value ?? usual}
        onInput={({ currentTarget: { value } }) => {
          message.value = value === usual ? undefined : value
        }}
      />
    </Field>
  )
}
