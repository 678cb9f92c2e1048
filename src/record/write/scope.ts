// A scope: whose events these are and their place in the trace, passed explicitly through the code. Makes events and
// child scopes. Has no state; its clock and ids are passed in.
import type { EventType } from "../../base/event-types.ts"
import type { Origin, RecordEvent } from "./event.ts"
import type { Recorder } from "./record.ts"

/**
 * What an event has beyond its origin, time and place. An event with a duration passes `at`, the time that its duration
 * was measured to: read again, the clock may have gone on, and the event would seem to start too late.
 */
export type Details = Omit<RecordEvent, keyof Origin | "type" | "at" | "span" | "parent"> & {
  readonly at?: number
}

/** The record, clock and ids of a trace. */
export interface ScopeOptions {
  readonly recorder: Pick<Recorder, "append">
  readonly origin: Origin
  readonly now: () => number
  /** Returns a new id each time. */
  readonly id: () => string
  /** The span of an event made elsewhere, which becomes the parent. */
  readonly parent?: string | undefined
}

/** A place in a trace: events made here have it as their parent. */
export interface Scope {
  readonly origin: Origin
  /** The parent span of this scope's events; undefined at the top. */
  readonly span: string | undefined
  /** The same place, with more origin fields. */
  with(more: Origin): Scope
  event(type: EventType, details?: Details): void
  /** Makes an event, and returns the scope of what happens under it. Its span id may be passed in. */
  open(type: EventType, details?: Details, span?: string): Scope
  /**
   * Makes one event when the work is over, with its duration. If the work throws, the event is an error and the
   * exception passes through. `tell` derives details for the event from the result.
   */
  time<T>(type: EventType, work: (scope: Scope) => T | Promise<T>, tell?: (result: T) => Details): Promise<T>
}

/** Opens the outermost scope of a trace, such as a message that came in. */
export function openScope(options: ScopeOptions): Scope {
  const { origin, id, parent } = options
  return scopeAt({ ...options, origin: { ...origin, trace: origin.trace ?? id() } }, parent)
}

const FAILED: Readonly<Partial<Record<EventType, EventType>>> = {
  api_call: "api_error",
  tool_call: "tool_error",
}

function scopeAt(options: ScopeOptions, span: string | undefined): Scope {
  const { recorder, origin, now, id } = options
  const append = (type: EventType, own: string, details: Details) =>
    recorder.append({
      ...details,
      ...origin,
      type,
      at: details.at ?? now(),
      span: own,
      ...(span !== undefined && { parent: span }),
    })
  const open = (type: EventType, details: Details = {}, own = id()) => {
    append(type, own, details)
    return scopeAt(options, own)
  }
  return {
    origin,
    span,
    with: (more) => scopeAt({ ...options, origin: { ...origin, ...more } }, span),
    event: (type, details) => void open(type, details),
    open,
    async time(type, work, tell = () => ({})) {
      const own = id()
      const start = now()
      const over = () => spent(start, now())
      try {
        const result = await work(scopeAt(options, own))
        append(type, own, { ...over(), ...tell(result) })
        return result
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown.message : String(thrown)
        append(FAILED[type] ?? type, own, { ...over(), level: "error", error })
        throw thrown
      }
    },
  }
}

/** The end and duration of work, for an event. If the clock was set back, the duration is 0, not negative. */
export function spent(start: number, at: number): { readonly at: number; readonly durationMs: number } {
  return { at, durationMs: Math.max(0, at - start) }
}
