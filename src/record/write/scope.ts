// A scope: whose events these are and where in the trace they stand, passed through the code by hand. It makes events
// and children; it holds no state of its own, and its clock and its ids are given.
import type { EventType, Origin, RecordEvent } from "./event.ts"
import type { Recorder } from "./record.ts"

/** What an event says beyond whose it is, when it was and where it stands. */
export type Details = Omit<RecordEvent, keyof Origin | "type" | "at" | "span" | "parent">

export interface ScopeOptions {
  readonly recorder: Pick<Recorder, "append">
  readonly origin: Origin
  readonly now: () => number
  /** A new id each time. */
  readonly id: () => string
  /** The span of an event that was made elsewhere, under which these stand. */
  readonly parent?: string | undefined
}

export interface Scope {
  readonly origin: Origin
  /** The span under which events of this scope stand; none at the top. */
  readonly span: string | undefined
  /** The same place, with more known about whose it is. */
  with(more: Origin): Scope
  event(type: EventType, details?: Details): void
  /** Makes an event, and returns the scope of what happens under it. Its span may be known before. */
  open(type: EventType, details?: Details, span?: string): Scope
  /**
   * Makes one event of the work when it is over, with how long it took. Work that throws is an error of its kind, and
   * throws on. `tell` says of the result what the event should know.
   */
  time<T>(type: EventType, work: (scope: Scope) => T | Promise<T>, tell?: (result: T) => Details): Promise<T>
}

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
  const append = (type: EventType, at: number, own: string, details: Details) =>
    recorder.append({
      ...details,
      ...origin,
      type,
      at,
      span: own,
      ...(span !== undefined && { parent: span }),
    })
  const open = (type: EventType, details: Details = {}, own = id()) => {
    append(type, now(), own, details)
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
      // A clock that was set back meanwhile makes no negative length of time.
      const durationMs = () => Math.max(0, now() - start)
      try {
        const result = await work(scopeAt(options, own))
        append(type, now(), own, { durationMs: durationMs(), ...tell(result) })
        return result
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown.message : String(thrown)
        append(FAILED[type] ?? type, now(), own, { durationMs: durationMs(), level: "error", error })
        throw thrown
      }
    },
  }
}
