// One turn on the screen: turns its events into finished lines and a few open ones.
import type { LiveEvent, Reply } from "../../agent/turn/live-event.ts"
import { plural, thousands } from "../../base/text/figures.ts"
import { durationText } from "../../record/ask/log.ts"
import { painter, type Style } from "../views/colour.ts"
import { LEVEL_STYLES } from "../views/diagnostics.ts"
import type { Page } from "../views/page.ts"
import { fitCell } from "../views/widths.ts"
import { streamMarkdown } from "./markdown/markdown.ts"
import { broken } from "./screen/lines.ts"
import { type Line, paintLine } from "./screen/styled.ts"
import { visible } from "./screen/visible.ts"
import { spaced, type ToolUse, toolLine } from "./tool-line.ts"

export interface TurnView {
  /** Returns the lines that the event has finished. */
  tell(event: LiveEvent, page: Page): readonly string[]
  /** The unfinished lines as they are so far. */
  open(page: Page, at: Moment): readonly string[]
  readonly tools: readonly ToolUse[]
}

export interface Moment {
  readonly now: number
  readonly isStopping: boolean
  /** A question waits for an answer, so no work is going on. */
  readonly isAsking: boolean
}

/** Lines of one kind have no blank line between them. */
type Kind = "text" | "tool" | "note"

interface Progress {
  readonly startedAt: number
  uses: ToolUse[]
  /** How many of them are finished lines. */
  shown: number
  last: Kind | undefined
  thought: string
  waits: string | undefined
  isAnswered: boolean
  /** Finished lines of this step's answer, which cannot be taken back. */
  said: number
  /** A new epoch was announced. */
  isRewritten: boolean
}

export function viewTurn(startedAt: number): TurnView {
  const text = streamMarkdown()
  const state: Progress = {
    startedAt,
    uses: [],
    shown: 0,
    last: undefined,
    thought: "",
    waits: undefined,
    isAnswered: false,
    said: 0,
    isRewritten: false,
  }
  const put = (kind: Kind, lines: readonly string[]): readonly string[] => {
    if (lines.length === 0) return []
    const gap = state.last !== kind ? [""] : []
    state.last = kind
    return [...gap, ...lines]
  }
  const textLines = (lines: readonly Line[], page: Page) => {
    state.said += lines.length
    return put("text", painted(lines, page))
  }
  const tell = (event: LiveEvent, page: Page): readonly string[] => {
    if (event.kind === "text") {
      Object.assign(state, { isAnswered: true, waits: undefined, thought: "" })
      return textLines(text.push(event.text, page), page)
    }
    // Discarded text that is not on the screen yet is never shown.
    const rest = continuesAnswer(event) ? [] : text.end(page)
    const before = event.kind === "step-discarded" ? [] : textLines(rest, page)
    const { said } = state
    update(state, event)
    const tools = put("tool", finishedTools(state, page))
    const late = event.kind === "turn-finished" ? unstreamedText(event.reply, state) : ""
    const answer = late === "" ? [] : textLines([...text.push(late, page), ...text.end(page)], page)
    const note = isWorthShowing(event, { ...state, said }) ? noteLines(event, page) : []
    return [...before, ...tools, ...answer, ...put("note", note)]
  }
  return {
    tell,
    open(page, at) {
      const paint = painter(page)
      const lines = painted(text.open(page), page)
      const running = state.uses.slice(state.shown).map((use) => toolLine(use, page.columns, paint))
      const isApart = (kind: Kind, own: readonly string[]) =>
        own.length > 0 && state.last !== kind ? [""] : []
      return [
        ...isApart("text", lines),
        ...lines,
        ...isApart("tool", running),
        ...running,
        ...(at.isAsking ? [] : ["", ...workingLines(state, page, at)]),
      ]
    },
    get tools() {
      return state.uses
    },
  }
}

function painted(lines: readonly Line[], page: Page): readonly string[] {
  const paint = painter(page)
  return lines.map((line) => paintLine(line, paint))
}

/** The answer continues across these events. */
export function continuesAnswer({ kind }: LiveEvent): boolean {
  return kind === "reasoning" || kind === "notice" || kind === "retrying" || kind === "tool-progress"
}

/** Only the end of the thoughts is shown. */
const MAX_THOUGHT = 400

/** Text that was not shown need not be retracted; a new epoch is not in the cache yet. */
function isWorthShowing(event: LiveEvent, { said, isRewritten }: Progress): boolean {
  if (event.kind === "step-discarded") return said > 0
  // A miss that lost nothing has nothing to explain.
  return event.kind !== "cache-missed" || (!isRewritten && event.tokens > 0)
}

function update(state: Progress, event: LiveEvent): void {
  state.waits = event.kind === "retrying" ? retryText(event) : undefined
  state.thought = event.kind === "reasoning" ? (state.thought + event.text).slice(-MAX_THOUGHT) : ""
  // Several waiting messages are answered one after the other.
  if (event.kind === "turn-started") Object.assign(state, { last: undefined, isAnswered: false })
  if (event.kind === "epoch-started") state.isRewritten = event.epoch > 1
  if (event.kind === "step-started" || event.kind === "step-discarded") state.said = 0
  if (event.kind === "step-discarded") state.isAnswered = false
  if (event.kind === "tool-started") {
    const { call, name, input } = event
    state.uses = [...state.uses, { call, name, input }]
  }
  if (event.kind === "tool-progress")
    state.uses = state.uses.map((use) => (use.call === event.call ? { ...use, progress: event.text } : use))
  if (event.kind === "tool-finished") {
    const { call, text, isError, durationMs } = event
    state.uses = state.uses.map((use) =>
      use.call === call ? { ...use, result: { text, isError, durationMs } } : use,
    )
  }
  // Stopped calls never report their end.
  if (event.kind === "turn-finished")
    state.uses = state.uses.map((use) => ({ result: { text: "not finished", isError: true }, ...use }))
}

/** In the order of the calls: a running one holds back those after it. */
function finishedTools(state: Progress, page: Page): readonly string[] {
  const waiting = state.uses.slice(state.shown)
  const open = waiting.findIndex(({ result }) => result === undefined)
  const done = open === -1 ? waiting : waiting.slice(0, open)
  state.shown += done.length
  return done.map((use) => toolLine(use, page.columns, painter(page)))
}

/** An answer that was not streamed. */
function unstreamedText(reply: Reply, { isAnswered }: Progress): string {
  return reply.state === "answered" && !isAnswered ? reply.text : ""
}

function retryText({ attempt, waitMs, why }: Extract<LiveEvent, { kind: "retrying" }>): string {
  return `attempt ${attempt} in ${spaced(durationText(waitMs))}: ${visible(why)}`
}

function noteLines(event: LiveEvent, page: Page): readonly string[] {
  const note = eventNote(event)
  if (note === undefined) return []
  const paint = painter(page)
  return visibleWrapped(note.text, page.columns).map((line) => paint(note.style, line))
}

function visibleWrapped(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => broken(visible(line), columns))
}

/** A notice to the user, outside of any turn. */
export function noticeLines(text: string, page: Page): readonly string[] {
  const paint = painter(page)
  return visibleWrapped(text, page.columns - 2).map((line, at) =>
    paint("cyan", `${at === 0 ? "! " : "  "}${line}`),
  )
}

interface Note {
  readonly text: string
  readonly style: Style
}

function eventNote(event: LiveEvent): Note | undefined {
  if (event.kind === "step-discarded")
    return { text: "the call failed; its partial answer above does not count", style: "yellow" }
  if (event.kind === "epoch-started" && event.epoch > 1 && event.rewrites > 0)
    return {
      text: `prompt rebuilt (${event.reason}): ${plural(event.rewrites, "token")} cached again`,
      style: "dim",
    }
  if (event.kind === "section-updated") return { text: updatedText(event), style: "dim" }
  if (event.kind === "cache-missed")
    return { text: `cache miss: ${plural(event.tokens, "token")}; /why explains it`, style: "dim" }
  if (event.kind === "compacted") return { text: compactedText(event), style: "dim" }
  if (event.kind === "plan-suggested")
    return {
      text: "this looks like a larger task; /plan makes a plan first",
      style: "dim",
    }
  if (event.kind === "plan-saved") return { text: savedText(event), style: "cyan" }
  if (event.kind === "message-joined") return { text: `taken up: ${event.text}`, style: "dim" }
  if (event.kind === "delegated" && event.event.kind === "tool-started")
    return { text: `${event.agent ?? "part"}: ${event.event.name}`, style: "dim" }
  if (event.kind === "diagnostic") return { text: event.text, style: LEVEL_STYLES[event.level] }
  return event.kind === "turn-finished" ? endNote(event.reply) : undefined
}

/** A change that waits costs nothing until the head is rewritten. */
function updatedText({ id, why, how }: Extract<LiveEvent, { kind: "section-updated" }>): string {
  if (why === "unavailable") return `${id} cannot be read right now; the last text is kept`
  const verb = { changed: "changed", added: "is new", removed: "was removed" }[why]
  return `${id} ${verb}: ${how === "wait" ? "sent when the prompt is rebuilt, or after /reload" : "sent with this turn"}`
}

function savedText({ name }: Extract<LiveEvent, { kind: "plan-saved" }>): string {
  return `plan saved as ${name}\n/plan approve runs it, /plan change edits it; or say what to change`
}

function compactedText({ from, to, lost }: Extract<LiveEvent, { kind: "compacted" }>): string {
  const what = lost.length === 0 ? "" : `; no longer sent: ${lost.join(", ")}`
  return `conversation compacted: ${thousands(from)} to ${plural(to, "token")}${what}`
}

function endNote({ state, text }: Reply): Note | undefined {
  if (state === "stopped") return { text: "stopped", style: "yellow" }
  if (state === "silent") return { text: "no answer", style: "dim" }
  if (state === "failed") return { text, style: "red" }
  return state === "queued" ? { text, style: "yellow" } : undefined
}

const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

function workingLines(state: Progress, page: Page, { now, isStopping }: Moment): readonly string[] {
  const paint = painter(page)
  const sign = SPINNER[Math.floor(now / 100) % SPINNER.length] ?? ""
  const seconds = Math.floor((now - state.startedAt) / 1000)
  const time = seconds < 1 ? "" : ` ${spaced(durationText(seconds * 1000))}`
  const doing = state.waits ?? `working${time} · Ctrl-C stops`
  const what = isStopping ? "stopping · Ctrl-C again quits" : doing
  const thought = visible(state.thought.trim().replaceAll(/\s+/g, " "))
  const line = fitCell(`${sign} ${what}`, page.columns).trimEnd()
  const last = Array.from(thought)
    .slice(-(page.columns - 4))
    .join("")
  return [
    ...(thought === "" ? [] : [paint("dim", fitCell(`  ${last}`, page.columns).trimEnd())]),
    paint("yellow", line),
  ]
}
