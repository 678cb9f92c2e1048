// What is known of a captured call, as the event of a record, and back.
import { isRecord } from "../../base/is-record.ts"
import type { StoredEvent } from "../../record/write/event.ts"
import { type CalledUsage, type CapturedCall, CLIENTS, COVERAGES, FORMATS } from "../call.ts"

/** Calls of clients are turns with one step: where a turn begins is the client's own. */
export const STEP = 1

/** The threads of a session are compared only with themselves, so each is a session of the record. */
export function recordSession({ session, thread }: Pick<CapturedCall, "session" | "thread">): string {
  return thread === "" || thread === "main" || thread === session ? session : `${session}/${thread}`
}

type Facts = Omit<CapturedCall, "id" | "at" | "model" | "usage" | "request" | "files">

export function factsOf(call: CapturedCall, isTextless: boolean): Readonly<Record<string, unknown>> {
  const { client, coverage, format, session, thread, version, project, reportedUsd, via } = call
  const known = coverage === "none" || !isTextless ? coverage : "none"
  return {
    ...{ client, coverage: known, format, thread },
    ...(recordSession(call) !== session && { session }),
    ...(version !== undefined && { version }),
    ...(project !== undefined && { project }),
    ...(reportedUsd !== undefined && { reportedUsd }),
    ...(via !== undefined && { via }),
  }
}

/** Returns undefined if the event is not of a captured call. */
export function factsFrom({ data, session = "" }: StoredEvent): Facts | undefined {
  if (!isRecord(data)) return undefined
  const client = CLIENTS.find((name) => name === data.client)
  const format = FORMATS.find((name) => name === data.format)
  const coverage = COVERAGES.find((name) => name === data.coverage)
  if (client === undefined || format === undefined || coverage === undefined) return undefined
  return {
    ...{ client, format, coverage, thread: textOf(data.thread) ?? "" },
    session: textOf(data.session) ?? session,
    ...optional("version", textOf(data.version)),
    ...optional("project", textOf(data.project)),
    ...(typeof data.reportedUsd === "number" && { reportedUsd: data.reportedUsd }),
    ...(data.via === "wire" && { via: data.via }),
  }
}

/** What an event says of a call's use. Returns undefined if it is not a call with a known use. */
export function usageFrom(event: StoredEvent): CalledUsage | undefined {
  const { type, at, model, usage, turn } = event
  if (type !== "api_call" || usage === undefined || model === undefined || turn === undefined)
    return undefined
  const facts = factsFrom(event)
  if (facts !== undefined) {
    const { client, session, project, reportedUsd, via } = facts
    return {
      ...{ id: turn, client, session, at, model, usage },
      ...(project !== undefined && { project }),
      ...(reportedUsd !== undefined && { reportedUsd }),
      ...(via !== undefined && { via }),
    }
  }
  // A step of our own agent may be answered more than once: by another model, or beside the conversation.
  const id = `incipit:${event.span ?? `${turn}.${event.step}.${event.id}`}`
  return { id, client: "incipit", session: event.session ?? "", at, model, usage }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}

function optional(name: "version" | "project", value: string | undefined) {
  return value === undefined ? {} : { [name]: value }
}
