// A trace for the simulator: a conversation described by its sizes in a small YAML file, or recorded calls as JSON
// Lines.
import { z } from "zod"
import { sentence } from "../../../base/diagnostic.ts"
import { parseDuration } from "../../../base/duration.ts"
import { IncipitError } from "../../../base/error.ts"
import { unreadable } from "../../../base/system-error.ts"
import { MAX_DATA_BYTES, readBounded } from "../../../files/read-bounded.ts"
import { TIERS } from "../../../render/cache/cache-rule.ts"
import { type Call, withTokens } from "../../../render/cache/call.ts"
import {
  EDIT_TOKENS,
  evenScenario,
  type Scenario,
  type ScenarioTurn,
  USUAL,
} from "../../../render/cache/scenario.ts"
import { schemaProblem } from "../../../sources/read/schema-problem.ts"
import { parseYaml } from "../../../sources/read/yaml-file.ts"

export type Trace =
  | { readonly kind: "scenario"; readonly scenario: Scenario }
  | { readonly kind: "calls"; readonly calls: readonly Call[] }

const count = z.int().min(1).max(10_000)
const tokens = z.int().min(0).max(10_000_000)
const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, "is not a duration such as 30s, 5m or 1h")
  .transform((text) => parseDuration(text) ?? 0)

/** Every call sends the whole conversation, so the work is quadratic in their number. */
const MAX_CALLS = 2_000

const change = z
  .strictObject({
    turn: count.describe("the turn that it comes before"),
    gap: duration.optional(),
    edit: z.string().optional(),
    adds: tokens.default(EDIT_TOKENS),
    add_tool: z.string().optional(),
    tokens: tokens.default(150),
    remove_tool: z.string().optional(),
    model: z.string().optional(),
    evict: z.boolean().optional(),
  })
  .refine(
    ({ turn: _turn, adds: _adds, tokens: _tokens, ...made }) =>
      Object.values(made).some((value) => value !== undefined),
    "does not say what changes: gap, edit, add_tool, remove_tool, model or evict",
  )

const scenarioSchema = z.strictObject({
  turns: count.default(USUAL.turns),
  steps: count.default(USUAL.steps),
  message: tokens.default(USUAL.message),
  answer: tokens.default(USUAL.answer),
  result: tokens.default(USUAL.result),
  gap: duration.default(USUAL.gapMs),
  step_gap: duration.default(USUAL.stepGapMs),
  changes: z.array(change).default([]),
})

const callSchema = z.object({
  at: z.number(),
  output: z.number().min(0),
  blocks: z.array(
    z.object({
      tier: z.enum(TIERS),
      pieces: z.array(z.object({ key: z.string(), tokens: z.number().min(0) })),
      breakpoint: z.string().optional(),
    }),
  ),
  settings: z.record(z.string(), z.string()).optional(),
  evicts: z.literal(true).optional(),
})

export function readTrace(path: string): Trace {
  const text = readText(path)
  return /\.jsonl?$/.test(path)
    ? { kind: "calls", calls: readCalls(text, path) }
    : { kind: "scenario", scenario: readScenario(text, path) }
}

/** Tokens as counted, without the factor of the calls' model. */
export function writeCalls(calls: readonly Call[], factor: number): string {
  const counted = withTokens(calls, (size) => Math.round(size / factor))
  return counted.map((call) => `${JSON.stringify(call)}\n`).join("")
}

function readText(path: string): string {
  try {
    return readBounded(path, MAX_DATA_BYTES)
  } catch (error) {
    throw unreadable(path, error)
  }
}

function readScenario(text: string, path: string): Scenario {
  const { data, diagnostics, lineOf } = parseYaml(text, path, scenarioSchema, "bad-trace")
  const [odd] = diagnostics
  if (odd !== undefined) throw new IncipitError("bad-trace", sentence(odd))
  const { gap: gapMs, step_gap: stepGapMs, changes, ...sizes } = data
  const calls = sizes.turns * sizes.steps
  if (calls > MAX_CALLS)
    throw new IncipitError(
      "bad-trace",
      `${path}: ${sizes.turns} turns of ${sizes.steps} calls are ${calls} calls; at most ${MAX_CALLS} can be simulated`,
    )
  const { turns } = evenScenario({ ...sizes, gapMs, stepGapMs })
  for (const [at, { turn }] of changes.entries()) {
    if (turn <= turns.length) continue
    const where = `${path}:${lineOf(["changes", at])}`
    throw new IncipitError(
      "bad-trace",
      `${where}: a change before turn ${turn}, but there are only ${turns.length} turns`,
    )
  }
  const byTurn = Map.groupBy(changes, ({ turn }) => turn)
  return { turns: turns.map((turn, at) => (byTurn.get(at + 1) ?? []).reduce(applied, turn)) }
}

function applied(turn: ScenarioTurn, made: z.infer<typeof change>): ScenarioTurn {
  const { gap, edit, add_tool: added, remove_tool: removed, model, evict } = made
  return {
    ...turn,
    ...(gap !== undefined && { gapMs: gap }),
    ...(model !== undefined && { model }),
    evicts: turn.evicts || evict === true,
    edits: edit === undefined ? turn.edits : [...turn.edits, { path: edit, adds: made.adds }],
    tools: {
      add: added === undefined ? turn.tools.add : [...turn.tools.add, { name: added, tokens: made.tokens }],
      remove: removed === undefined ? turn.tools.remove : [...turn.tools.remove, removed],
    },
  }
}

function readCalls(text: string, path: string): readonly Call[] {
  const lines = text.split("\n").flatMap((line, at) => (line.trim() === "" ? [] : [{ line, at: at + 1 }]))
  if (lines.length === 0) throw new IncipitError("bad-trace", `${path}: the file has no calls`)
  const calls = lines.map(({ line, at }) => readCall(line, `${path}:${at}`))
  const early = calls.findIndex((call, at) => call.at < (calls[at - 1]?.at ?? call.at))
  if (early !== -1)
    throw new IncipitError(
      "bad-trace",
      `${path}:${lines[early]?.at}: this call is earlier than the one above it`,
    )
  return calls
}

function readCall(line: string, where: string): Call {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new IncipitError("bad-trace", `${where}: not valid JSON`, { cause: error })
  }
  const parsed = callSchema.safeParse(value, { error: schemaProblem })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new IncipitError("bad-trace", `${where}: ${issue?.path.join(".") || "the call"}: ${issue?.message}`)
  }
  const { settings, evicts, blocks, ...rest } = parsed.data
  return {
    ...rest,
    blocks: blocks.map(({ breakpoint, ...block }) => ({ ...block, ...(breakpoint && { breakpoint }) })),
    ...(settings && { settings }),
    ...(evicts && { evicts }),
  }
}
