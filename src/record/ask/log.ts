// Formats events as lines: for people on a terminal, as JSON for programs. Untrusted text stays one value on one line:
// control characters, line ends and terminal sequences are escaped, and long values are cut with a mark.
import { EVENT_TYPES, LEVELS, type Level } from "../../base/event-types.ts"
import { inputOf, type Usage } from "../../render/cache/price.ts"
import type { Origin, RecordEvent } from "../write/event.ts"
import { jsonTexts } from "../write/json-texts.ts"
import type { Redact } from "../write/record.ts"

/** Where a log is written, and from which level on. */
export interface LogOptions {
  readonly write: (text: string) => void
  readonly level: Level
  /** Lines for people if true, JSON otherwise. */
  readonly isTerminal: boolean
  readonly redact?: Redact
}

/** A log of events as lines. */
export interface Log {
  append(event: RecordEvent): void
  /** Resolves when everything appended before is written. */
  flush(): Promise<void>
}

/** Writes events as lines, for people at a terminal or as JSON. */
export function createLog({ write, level, isTerminal, redact }: LogOptions): Log {
  let working: Promise<void> = Promise.resolve()
  const line = isTerminal ? logLine : jsonLine
  return {
    append(event) {
      if (LEVELS.indexOf(levelOf(event)) < LEVELS.indexOf(level)) return
      if (redact === undefined) return write(`${line(event)}\n`)
      const { texts, fill } = eventTexts(event)
      // Text that could not be checked for secrets is not shown.
      working = working.then(async () => write(`${line(fill(await redact(texts)))}\n`)).catch(() => undefined)
    },
    flush: () => working,
  }
}

/** Our own words: a pattern that matches them would not hide anyone's secret. */
const FIXED: ReadonlySet<string> = new Set(["type", "level", "trust"])

/** The original texts of an event: a secret that is cut or escaped would not be found. */
function eventTexts(event: RecordEvent) {
  const fields = Object.entries(event).flatMap(([name, value]) =>
    typeof value === "string" && !FIXED.has(name) ? [{ name, value }] : [],
  )
  const inData = event.data && jsonTexts(JSON.stringify(event.data))
  return {
    texts: [...fields.map(({ value }) => value), ...(inData?.texts ?? [])],
    fill: (shown: readonly string[]): RecordEvent => ({
      ...event,
      ...Object.fromEntries(fields.map(({ name }, at) => [name, shown[at] ?? ""])),
      // It was an object, and only its strings have changed.
      ...(inData && {
        data: JSON.parse(inData.fill(shown.slice(fields.length))) as NonNullable<RecordEvent["data"]>,
      }),
    }),
  }
}

/** `2026-11-15T02:47:03.120Z error [provider] api_error model=… status=429` */
function logLine(event: RecordEvent): string {
  const time = new Date(event.at).toISOString()
  return `${time} ${levelOf(event).padEnd(5)} ${eventText(event, ["channel", "user", "trust", "session", "turn"])}`
}

function jsonLine({ at, type, exchange: _exported, ...rest }: RecordEvent): string {
  const { category } = EVENT_TYPES[type]
  const line = {
    timestamp: new Date(at).toISOString(),
    level: levelOf({ at, type, ...rest }),
    category,
    type,
  }
  return escapeHidden(JSON.stringify({ ...line, ...rest }))
}

/** `[provider] api_call model=… input_tokens=5200`: the event, with the named parts of its origin. */
export function eventText(event: RecordEvent, origin: readonly (keyof Origin)[] = ownOrigin(event)): string {
  return [headText(event), ...fieldTexts(event, origin)].join(" ")
}

function headText(event: RecordEvent): string {
  // Incoming messages belong to the gateway; a channel is only how they arrive.
  const part = event.type === "message_received" ? "gateway" : EVENT_TYPES[event.type].category
  const tool = isToolEvent(event) ? event.data?.tool : undefined
  return `[${part}] ${typeof tool === "string" ? bare(tool) : event.type}`
}

/** The parts of its origin that an event is about. */
function ownOrigin({ type }: RecordEvent): readonly (keyof Origin)[] {
  if (type === "message_received") return ["channel", "user", "trust"]
  if (type === "message_sent" || type === "channel_error") return ["channel"]
  return type === "turn_started" || type === "session_created" ? ["session"] : []
}

function fieldTexts(event: RecordEvent, origin: readonly (keyof Origin)[]): readonly string[] {
  const { model, usage, durationMs, costUsd, error } = event
  const whose = origin.flatMap((name) =>
    event[name] === undefined ? [] : [`${name}=${bare(String(event[name]))}`],
  )
  return [
    ...whose,
    ...(model === undefined ? [] : [`model=${bare(model)}`]),
    ...(usage === undefined ? [] : usageTexts(usage)),
    ...dataTexts(event),
    ...(durationMs === undefined ? [] : [`duration=${durationText(durationMs)}`]),
    ...(costUsd === undefined ? [] : [`cost=${costUsd === null ? "unknown" : dollars(costUsd)}`]),
    ...(isToolEvent(event) ? [`status=${levelOf(event) === "error" ? "error" : "ok"}`] : []),
    ...(error === undefined ? [] : [`error=${quoted(error)}`]),
  ]
}

function usageTexts(usage: Usage): readonly string[] {
  return [
    `input_tokens=${inputOf(usage)}`,
    ...(usage.read > 0 ? [`cached_tokens=${usage.read}`] : []),
    `output_tokens=${usage.output}`,
  ]
}

/** Durations in an event's data, by the name they are shown under. */
const DURATIONS: Readonly<Record<string, string>> = { waitMs: "wait", askedMs: "asked" }

/** Queries to tools and memory are untrusted text, so they are always quoted. */
function dataTexts(event: RecordEvent): readonly string[] {
  const text = isToolEvent(event) || event.type === "memory_search" ? quoted : bare
  return Object.entries(event.data ?? {})
    .filter(([name, value]) => value !== undefined && !(name === "tool" && isToolEvent(event)))
    .map(([name, value]) => {
      const duration = DURATIONS[name]
      if (duration !== undefined && typeof value === "number") return `${duration}=${durationText(value)}`
      if (typeof value === "string") return `${bare(name)}=${text(value)}`
      return `${bare(name)}=${bare(JSON.stringify(value))}`
    })
}

function isToolEvent({ type }: RecordEvent): boolean {
  return type === "tool_call" || type === "tool_error"
}

export function levelOf(event: RecordEvent): Level {
  return event.level ?? EVENT_TYPES[event.type].level
}

/** Longer values are cut to keep lines readable. */
const MAX_VALUE = 300

/** The value unquoted if it is unambiguous, otherwise quoted. */
export function bare(value: string): string {
  return value.length <= MAX_VALUE && /^[\p{L}\p{N}_.:/@%+~-]+$/u.test(value) ? value : quoted(value)
}

export function quoted(value: string): string {
  const kept = value.length > MAX_VALUE ? value.slice(0, MAX_VALUE) : value
  const rest = value.length - kept.length
  const text = escapeHidden(kept.replaceAll(/["\\]/g, String.raw`\$&`))
  return `"${text}${rest > 0 ? ` ... ${rest} more characters` : ""}"`
}

/** Invisible characters: control, format and private characters, lone surrogates, line and paragraph separators. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/gu
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

export function escapeHidden(text: string): string {
  return text.replaceAll(HIDDEN, (char) => SHORT[char] ?? unitsText(char))
}

function unitsText(text: string): string {
  return text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")
}

/** `120ms`, `4.2s`, `3m 20s`. */
export function durationText(ms: number): string {
  const whole = Math.round(ms)
  if (whole < 1000) return `${whole}ms`
  if (whole < 59_950) return `${trimmed(whole / 1000)}s`
  const seconds = Math.round(whole / 1000)
  return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
}

/** Two significant digits, however small the sum. */
export function dollars(value: number): string {
  if (value === 0) return "$0"
  const digits = value >= 0.1 ? 2 : Math.min(12, 1 - Math.floor(Math.log10(value)))
  return `$${value.toFixed(digits)}`
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "")
}
