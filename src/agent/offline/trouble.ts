// "Why did my message fail last night?": finds the newest failing turn among the record's errors and retells its trace
// in sentences, with times, status codes, waits and the outcome. Reads the output of the record's own tools.
import { clipped, quoted, troubleOf } from "./answer.ts"
import type { Called } from "./view.ts"

/** The turn of the newest of these events, or its trace if it has no turn. */
export function newestTurn(logs: Called | undefined): string | undefined {
  if (logs === undefined || troubleOf(logs) !== undefined) return undefined
  const found = (logs.result?.lines ?? []).map(fieldsOf)
  return found.flatMap(({ turn, trace }) => turn ?? trace ?? [])[0]
}

export function tellTrouble([logs, trace]: readonly Called[], since: string): string {
  const trouble = logs && troubleOf(logs)
  if (logs === undefined || trouble !== undefined) return trouble ?? "I could not read the record."
  const errors = logs.result?.lines ?? []
  if (errors.length === 0 || errors[0] === "No events.") return `No errors are recorded (since ${since}).`
  const story =
    trace === undefined || troubleOf(trace) !== undefined ? [] : storyOf(trace.result?.lines ?? [])
  if (story.length === 0) return `These errors are recorded (since ${since}):\n${quoted(errors)}`
  return [...story, otherErrors(errors)].filter((part) => part !== "").join("\n")
}

function otherErrors(errors: readonly string[]): string {
  const turns = new Set(errors.flatMap((line) => fieldsOf(line).turn ?? []))
  const [, ...others] = turns
  return others.length === 0 ? "" : `Turns that failed before it: ${others.slice(0, 5).join(", ")}.`
}

interface Event {
  readonly kind: string
  readonly text: string
  readonly fields: Fields
  /** `02:47:09`, or empty if the trace has no time. */
  readonly time: string
}

type Fields = Readonly<Partial<Record<string, string>>>

function storyOf(lines: readonly string[]): readonly string[] {
  const [, started] = /^started (\S+ \S+)$/.exec(lines[0] ?? "") ?? []
  const events = lines.flatMap((line) => eventOf(line, started))
  if (events.length === 0) return []
  const told = events.flatMap((event) => tellEvent(event) ?? [])
  return [
    `What happened${started === undefined ? "" : ` on ${started.slice(0, 10)}`}:`,
    ...told,
    endOf(events),
  ]
}

function eventOf(line: string, started: string | undefined): readonly Event[] {
  const [, category = "", type = ""] = /^ *\[(\w+)\] (\S+)/.exec(line) ?? []
  if (category === "") return []
  const fields = fieldsOf(line)
  const time = started === undefined ? "" : timeAfter(started, fields.start ?? fields.end)
  return [{ kind: category === "tool" ? "tool" : type, text: line, fields, time }]
}

/** A sentence about an event; undefined if it went well. */
function tellEvent({ kind, text, fields, time }: Event): string | undefined {
  const { user, channel, model = "the model", error, duration } = fields
  const why = error === undefined ? "" : `: ${clipped(error)}`
  const at = time === "" ? "" : `${time} `
  if (kind === "message_received")
    return `- ${at}a message${user ? ` from ${user}` : ""} arrived${channel ? ` over ${channel}` : ""}.`
  const refused = refusalOf(text, fields)
  if (refused !== undefined) return `- ${at}${model} ${refused}${why}`
  if (kind === "message_sent") return `- ${at}a reply was sent${channel ? ` over ${channel}` : ""}.`
  if (kind === "turn_completed")
    return `- ${at}the turn ended${duration ? ` after ${duration}` : ""}${error ? ` with an error${why}` : ", without an error."}`
  if (error === undefined) return undefined
  return `- ${at}${kind === "tool" ? (/\] (\S+)/.exec(text)?.[1] ?? "a tool") : kind} failed${why}`
}

/** The trace merges several refusals of one kind into a line; a single one has its status and wait as fields. */
function refusalOf(text: string, { status, wait, error }: Fields): string | undefined {
  const [, many, times, waits] = / (\d{3}) ×(\d+)(?: \(([^)]*)\))?/.exec(text) ?? []
  if (many !== undefined)
    return `answered ${many}, ${times} times${waits === undefined ? "" : `, followed by waits of ${waits}`}`
  if (!/^ *\[provider\] api_error/.test(text)) return undefined
  if (status === undefined) return error === undefined ? "did not answer" : "could not be reached"
  return `answered ${status}${wait === undefined ? "" : `, followed by a wait of ${wait}`}`
}

function endOf(events: readonly Event[]): string {
  const sent = events.findLast(({ kind }) => kind === "message_sent")
  const failed = events.findLastIndex(({ kind, fields }) => kind !== "tool" && fields.error !== undefined)
  if (sent === undefined) {
    const done = events.findLast(({ kind }) => kind === "turn_completed")
    return done !== undefined && done.fields.error === undefined
      ? "So the message was answered in the end."
      : "The record has no reply to the message."
  }
  const { start } = sent.fields
  const late = start === undefined ? "" : `, ${start.slice(1)} after it arrived`
  return events.indexOf(sent) > failed
    ? `So the message was answered in the end${late}.`
    : "A reply was sent before the last of these errors."
}

const FIELD = / (\w+)=("(?:[^"\\]|\\.)*"|\+?\d+m \d+s|\S+)/g

function fieldsOf(line: string): Fields {
  return Object.fromEntries([...line.matchAll(FIELD)].map(([, name = "", value = ""]) => [name, value]))
}

/** Both are wall-clock times, so the zone does not matter. */
function timeAfter(started: string, start: string | undefined): string {
  const [, minutes = "0", amount = "0", unit = "s"] =
    /^\+(?:(\d+)m )?([\d.]+)(ms|s)$/.exec(start ?? "+0s") ?? []
  const ms = Number(minutes) * 60_000 + Number(amount) * (unit === "ms" ? 1 : 1000)
  const at = Date.parse(`${started.replace(" ", "T")}Z`)
  return Number.isNaN(at) ? "" : new Date(at + ms).toISOString().slice(11, 19)
}
