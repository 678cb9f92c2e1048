// The changed prompt beside the real one: sizes, prices, what the provider's cache would do, and what became of each
// section.
import { attach } from "../../../../src/core/layout/tail.ts"
import { type Message, userMessage } from "../../../../src/core/model/message.ts"
import { type Prompt, toolText } from "../../../../src/core/model/prompt.ts"
import { texts } from "../../../../src/core/read/diff.ts"
import { type Report, report } from "../../../../src/core/read/report.ts"
import { planBreakpoints } from "../../../../src/render/cache/breakpoints.ts"
import type { Call } from "../../../../src/render/cache/call.ts"
import { inputOf, type Usage } from "../../../../src/render/cache/price.ts"
import { callOf, createMeasured } from "../../../../src/render/cache/prompt-call.ts"
import { simulate } from "../../../../src/render/cache/simulate.ts"
import type { WhatIfModel } from "../../../../src/serve/page/what-if/what-if-shown.ts"
import { o200k } from "../../../../src/tokens/o200k.ts"
import { lineRows } from "../../../parts/line-rows.ts"
import { barParts, type CacheTokens } from "./bar-parts.ts"
import type { OpenedInput } from "./opened-input.ts"
import {
  type CacheShare,
  type Compared,
  NO_SETTINGS,
  type PromptFigures,
  type SectionChange,
  type SectionState,
  TOOLS,
  type WhatIfSettings,
} from "./protocol.ts"

/** For prompts that only the server can compile: what was cached cannot be simulated without their text. */
export function compareReports(real: Report, changed: Report): Omit<Compared, "durationMs"> {
  return {
    report: changed,
    real: figuresIn(real),
    changed: figuresIn(changed),
    ...{ cache: undefined, parts: undefined },
    sections: sectionChanges(real, changed, new Set()),
    rows: lineRows(wholeText(real), wholeText(changed)),
  }
}

function figuresIn({ blocks, budget, model }: Report): PromptFigures {
  return {
    bytes: blocks.reduce((sum, { text }) => sum + encoder.encode(text).length, 0),
    tokens: budget.tools + budget.head.used + budget.tail.used + budget.conversation,
    ...{ isExact: budget.exact, model: model ?? "", firstUsd: null, laterUsd: null },
  }
}

interface Side {
  readonly prompt: Prompt
  readonly report: Report
  readonly model: WhatIfModel
  readonly call: Call
  readonly figures: PromptFigures
}

/** Texts that were measured before are not measured again. */
const measured = createMeasured(o200k)
const encoder = new TextEncoder()
const realSides = new WeakMap<OpenedInput, Side>()

export function compare(
  realInput: OpenedInput,
  changedInput: OpenedInput,
  settings: WhatIfSettings,
): Omit<Compared, "durationMs"> {
  const real = realSides.get(realInput) ?? sideOf(realInput, NO_SETTINGS)
  realSides.set(realInput, real)
  const changed = sideOf(changedInput, settings)
  const cache = cacheShare(real, changed)
  const profile = changedInput.profile(settings)
  const adjustable = new Set(profile.sealed ? [] : profile.sections.map(({ id }) => id))
  return {
    report: changed.report,
    real: real.figures,
    changed: changed.figures,
    cache,
    parts: {
      real: barParts(real.prompt, firstShare(real)),
      changed: barParts(changed.prompt, cache ?? firstShare(changed)),
    },
    sections: sectionChanges(real.report, changed.report, adjustable),
    rows: lineRows(wholeText(real.report), wholeText(changed.report)),
  }
}

function sideOf(opened: OpenedInput, settings: WhatIfSettings): Side {
  const prompt = opened.compile(settings)
  const [current] = opened.input.models
  const model = opened.modelOf(settings) ?? current ?? NO_MODEL
  const messages = attach([userMessage(opened.messageOf(settings))], prompt.tail)
  const call = callFor(prompt, messages, model)
  return {
    prompt,
    report: report(prompt),
    model,
    call,
    figures: figuresOf(prompt, messages, { model, call }),
  }
}

/** A prompt of a folder that names no model: nothing is cached, and there is no price. */
const NO_MODEL: WhatIfModel = {
  id: "",
  toolFormat: "native",
  price: null,
  isConfigured: false,
  rule: {
    ...{ id: "none", models: "", lookup: "none", minimum: 0, step: 0, breakpoints: 0, implicit: false },
    ...{ markable: [], surplus: "ignored", lookBack: undefined, read: 1, invalidates: {} },
    ...{ usage: { read: "" }, lateSystem: "refused", source: "", date: "" },
    ttls: [{ name: "5m", seconds: 0, write: 1 }],
  },
}

function callFor(prompt: Prompt, messages: readonly Message[], { rule, id }: WhatIfModel): Call {
  const breakpoints = planBreakpoints(prompt, messages, { rule })
  const settings = { model: id }
  return callOf(prompt, messages, { counter: o200k, measured, breakpoints, rule, at: 0, output: 0, settings })
}

interface Priced {
  readonly model: WhatIfModel
  readonly call: Call
}

function figuresOf(prompt: Prompt, messages: readonly Message[], { model, call }: Priced): PromptFigures {
  const { calls } = simulate([call, { ...call, at: SOON }], model)
  const [first, later] = calls
  const said = messages.flatMap(({ parts }) => parts.map((part) => ("text" in part ? part.text : "")))
  const all = [
    ...prompt.tools.map((tool) => toolText(tool).text),
    ...prompt.head.map(({ text }) => text),
    ...said,
  ]
  return {
    bytes: all.reduce((sum, text) => sum + encoder.encode(text).length, 0),
    tokens: first === undefined ? 0 : inputOf(first.usage),
    isExact: prompt.plan.budget.exact,
    model: model.id,
    firstUsd: first?.inputUsd ?? null,
    laterUsd: later?.inputUsd ?? null,
  }
}

/** A second later: within the lifetime of every cache. */
const SOON = 1_000

function cacheShare(real: Side, changed: Side): CacheShare | undefined {
  const { rule, price, id } = changed.model
  if (rule.lookup === "none") return undefined
  // Models do not share a cache.
  const before = real.model.id === id ? [real.call] : []
  const row = simulate([...before, { ...changed.call, at: SOON }], { rule, price }).calls.at(-1)
  return row && { ...tokensOf(row.usage), usd: row.inputUsd, rule: rule.id }
}

/** What a first call does with its tokens: nothing is cached yet. */
function firstShare({ call, model: { rule } }: Side): CacheTokens {
  const [row] = simulate([call], { rule }).calls
  return row === undefined ? { read: 0, written: 0, uncached: 0 } : tokensOf(row.usage)
}

function tokensOf({ read, uncached, write }: Usage): CacheTokens {
  return { read, uncached, written: Object.values(write).reduce((sum, tokens) => sum + tokens, 0) }
}

function wholeText({ blocks }: Report): string {
  return blocks.map(({ text }) => text).join("")
}

function sectionChanges(
  before: Report,
  after: Report,
  adjustable: ReadonlySet<string>,
): readonly SectionChange[] {
  const was = statesOf(before, adjustable)
  const is = statesOf(after, adjustable)
  const [old, now] = [texts(before), texts(after)]
  const tools = ({ tools: all }: Report) =>
    all.map(({ digest, outcome }) => `${digest} ${outcome.kind}`).join()
  return [...new Set([...is.keys(), ...was.keys()])].map((id) => ({
    id,
    before: was.get(id),
    after: is.get(id),
    isTextChanged: id === TOOLS ? tools(before) !== tools(after) : old.get(id) !== now.get(id),
  }))
}

function statesOf(report: Report, adjustable: ReadonlySet<string>): ReadonlyMap<string, SectionState> {
  const states = new Map<string, SectionState>()
  const inModels = (tokens: number) => Math.round(tokens * report.budget.factor)
  const tools = report.tools.filter(({ outcome }) => outcome.kind === "included")
  if (tools.length > 0)
    states.set(TOOLS, {
      ...{ pace: "stable", outcome: { kind: "included" }, paths: [], isAdjustable: false },
      tokens: inModels(tools.reduce((sum, { tokens }) => sum + tokens, 0)),
    })
  for (const { id, kind, pace, tokens, outcome, spans } of report.sections) {
    if (kind !== "section") continue
    const paths = spans.flatMap(({ from }) => (from !== undefined && "path" in from ? [from.path] : []))
    states.set(id, {
      ...{ pace, tokens: inModels(tokens), outcome },
      paths: [...new Set(paths)],
      isAdjustable: adjustable.has(id),
    })
  }
  return states
}
