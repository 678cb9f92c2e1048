// Metrics of model calls by the GenAI conventions: tokens and durations as histograms. Sends what was measured since
// the last send (delta temporality); what could not be sent is added to the next one.
import { inputOf } from "../../render/cache/price.ts"
import { type RecordEvent, startOf } from "../write/event.ts"
import {
  type Attribute,
  type Attributes,
  attributesOf,
  errorType,
  modelOf,
  NAMES,
  operationOf,
  providerOf,
  withTexts,
} from "./attributes.ts"
import { nanoseconds } from "./span.ts"

const DELTA = 1

/** The conventions' own buckets, so that all instrumentations can be combined. */
const TOKENS = {
  name: "gen_ai.client.token.usage",
  unit: "{token}",
  description: "Number of input and output tokens used.",
  bounds: Array.from({ length: 14 }, (_, power) => 4 ** power),
}
const DURATION = {
  name: "gen_ai.client.operation.duration",
  unit: "s",
  description: "GenAI operation duration.",
  bounds: Array.from({ length: 14 }, (_, power) => 2 ** power / 100),
}
const INSTRUMENTS = [TOKENS, DURATION]
type Instrument = (typeof INSTRUMENTS)[number]

/** Models and error types are few; series beyond this limit are dropped. */
const MOST_SERIES = 1_000

interface Series {
  readonly instrument: Instrument
  readonly attributes: readonly Attribute[]
  start: number
  end: number
  count: number
  sum: number
  min: number
  max: number
  readonly buckets: number[]
}

export interface Metrics {
  add(event: RecordEvent): void
  /** Takes what was measured. Returns undefined if there is nothing. */
  take(): Taken | undefined
}

export interface Taken {
  /** In OTLP's JSON format, with a function applied to all texts, always in the same order. */
  metrics(change: (text: string) => string): readonly object[]
  /** For a failed send. */
  putBack(): void
}

export function openMetrics(): Metrics {
  let series = new Map<string, Series>()
  const merge = (key: string, other: Series) => {
    const own = series.get(key)
    if (own === undefined) {
      if (series.size < MOST_SERIES) series.set(key, other)
      return
    }
    own.start = Math.min(own.start, other.start)
    own.end = Math.max(own.end, other.end)
    own.count += other.count
    own.sum += other.sum
    own.min = Math.min(own.min, other.min)
    own.max = Math.max(own.max, other.max)
    for (const [at, count] of other.buckets.entries()) own.buckets[at] = (own.buckets[at] ?? 0) + count
  }
  return {
    add(event) {
      for (const one of measured(event)) merge(JSON.stringify([one.instrument.name, one.attributes]), one)
    },
    take() {
      if (series.size === 0) return undefined
      const taken = series
      series = new Map()
      return {
        metrics: (change) => INSTRUMENTS.flatMap((one) => metricOf(one, [...taken.values()], change)),
        putBack() {
          for (const [key, one] of taken) merge(key, one)
        },
      }
    },
  }
}

function measured(event: RecordEvent): readonly Series[] {
  const { type, model, usage, durationMs, exchange, at } = event
  if (type !== "api_call" && type !== "api_error") return []
  const about: Attributes = {
    [NAMES.operation]: operationOf(event).operation,
    [NAMES.provider]: providerOf(model),
    [NAMES.model]: model && modelOf(model),
    [NAMES.responseModel]: exchange?.response?.model,
  }
  const extent = { start: startOf(event), end: at }
  const tokens = (kind: string, count: number) =>
    seriesOf(TOKENS, { ...about, [NAMES.tokenType]: kind }, { ...extent, value: count })
  const error = type === "api_error" ? errorType(event) : undefined
  return [
    ...(usage ? [tokens("input", inputOf(usage)), tokens("output", usage.output)] : []),
    ...(durationMs === undefined
      ? []
      : [seriesOf(DURATION, { ...about, [NAMES.error]: error }, { ...extent, value: durationMs / 1000 })]),
  ]
}

interface Measurement {
  readonly start: number
  readonly end: number
  readonly value: number
}

function seriesOf(instrument: Instrument, about: Attributes, { start, end, value }: Measurement): Series {
  const { bounds } = instrument
  const found = bounds.findIndex((bound) => value <= bound)
  const bucket = found === -1 ? bounds.length : found
  return {
    ...{ instrument, start, end, count: 1, sum: value, min: value, max: value },
    attributes: attributesOf(about),
    buckets: Array.from({ length: bounds.length + 1 }, (_, at) => (at === bucket ? 1 : 0)),
  }
}

function metricOf(
  instrument: Instrument,
  all: readonly Series[],
  change: (text: string) => string,
): readonly object[] {
  const own = all.filter((one) => one.instrument === instrument)
  if (own.length === 0) return []
  const { name, unit, description } = instrument
  const dataPoints = own.map((one) => pointOf(one, change))
  return [{ name, unit, description, histogram: { aggregationTemporality: DELTA, dataPoints } }]
}

function pointOf(
  { instrument, attributes, start, end, buckets, ...point }: Series,
  change: (text: string) => string,
) {
  const { count, sum, min, max } = point
  return {
    attributes: attributes.map((attribute) => withTexts(attribute, change)),
    startTimeUnixNano: nanoseconds(start),
    timeUnixNano: nanoseconds(end),
    ...{ count: String(count), sum, min, max },
    bucketCounts: buckets.map(String),
    explicitBounds: instrument.bounds,
  }
}
