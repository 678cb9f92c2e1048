// Where events go: into the record and, on request, to a log and to an OTLP endpoint.
import { parseBytes } from "../../base/data-size.ts"
import { defined } from "../../base/defined.ts"
import { parseDuration } from "../../base/duration.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import { openRecordStore, type RecordPlace } from "../../database/open-record-store.ts"
import { createLog, type LogOptions } from "../../record/ask/log.ts"
import { startUpkeep } from "../../record/keep/upkeep.ts"
import { openOtel } from "../../record/otel/otel.ts"
import { createRedactor } from "../../record/redact/redactor.ts"
import type { Secrets } from "../../record/redact/secrets.ts"
import type { Origin, RecordEvent } from "../../record/write/event.ts"
import { noRecord } from "../../record/write/no-record.ts"
import { type Recorder, recordInto } from "../../record/write/record.ts"
import { openScope, type Scope } from "../../record/write/scope.ts"
import type { Config } from "../../sources/config/config-schema.ts"

export interface EventSinks {
  readonly record: Recorder
  scope(origin: Origin, parent?: string): Scope
  close(): Promise<void>
}

export interface EventSinkOptions {
  /** Where the record is; undefined if none is kept. */
  readonly place: RecordPlace | undefined
  readonly config: Config
  /** The agent's own secrets, by value. */
  readonly secrets: Secrets
  readonly now: () => number
  readonly id: () => string
  /** Whether spans are sent to the configured endpoint. */
  readonly isSent: boolean
  readonly log?: Omit<LogOptions, "redact">
  /** Receives problems outside of any session. */
  readonly trouble?: (text: string) => void
}

export async function openEventSinks(options: EventSinkOptions): Promise<EventSinks> {
  const { place, config, secrets, now, id, isSent, log: given, trouble } = options
  const { redact: patterns = [], otlp } = config.record ?? {}
  const redact = createRedactor({ patterns, secrets })
  const open = place && (() => openRecordStore(place, { text: secrets.redact }))
  const record = open === undefined ? noRecord() : recordInto(await open(), { redact })
  const log = given && createLog({ ...given, redact })
  const otel =
    isSent && otlp ? openOtel({ endpoint: otlp.endpoint, content: otlp.content === true, redact }) : undefined
  const append = (event: RecordEvent) => {
    record.append(event)
    log?.append(event)
    otel?.append(event)
    const text = trouble && troubleIn(event)
    if (text !== undefined) trouble?.(secrets.redact(text))
  }
  const upkeep = open && upkeepOf(record, { open, config, now })
  return {
    record,
    scope: (origin, parent) => openScope({ recorder: { append }, origin, now, id, parent }),
    async close() {
      upkeep?.stop()
      await upkeep?.first
      await Promise.all([log?.flush(), otel?.flush()])
      await record.close()
    },
  }
}

function upkeepOf(
  record: Pick<Recorder, "append">,
  {
    open,
    config,
    now,
  }: Pick<EventSinkOptions, "config" | "now"> & { readonly open: () => Promise<RecordStore> },
) {
  const { retention, max_size: size } = config.record ?? {}
  return startUpkeep(open, {
    now,
    ...defined({
      olderThanMs: retention === undefined ? undefined : parseDuration(retention),
      maxBytes: size === undefined ? undefined : parseBytes(size),
    }),
    tell: (outcome) => {
      if (!(outcome instanceof Error)) return
      const error = `The record could not be pruned and keeps growing: ${outcome.message}`
      // Only for the record: nothing that a caller waits for has failed.
      record.append({ type: "diagnostic", at: now(), trust: "full", level: "warn", error })
    },
  })
}

/** The event in one sentence; undefined for details, and for events of a session, which are reported in its turn. */
function troubleIn({ type, level, session, error, data }: RecordEvent): string | undefined {
  if (session !== undefined || level === "debug") return undefined
  if (type === "hook_error") return `the hook ${data?.hook} of ${data?.module} failed: ${error}`
  if (type !== "diagnostic") return undefined
  return error ?? (typeof data?.text === "string" ? data.text : undefined)
}
