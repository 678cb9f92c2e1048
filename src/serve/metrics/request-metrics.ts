// Counts of requests for operators, as Prometheus reads them. Labels come from small fixed sets, never from what a
// caller wrote.
import { counterLines, createCounter, gaugeLines, headLines, labelText } from "./counters.ts"

/** Upper ends of the buckets of durations, in seconds. */
const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300] as const
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

/** A request that was answered. */
export interface Answered {
  readonly method: string
  /** The prefix of the surface, or the server's own path; "other" for everything else. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

export interface Gauges {
  readonly inFlight: number
  readonly isDraining: boolean
}

export interface Metrics {
  count(answered: Answered): void
  text(gauges: Gauges): string
}

interface Durations {
  readonly buckets: number[]
  sum: number
  count: number
}

export function createMetrics(): Metrics {
  const requests = createCounter("incipit_http_requests_total", "Requests answered.")
  const durations = new Map<string, Durations>()
  return {
    count({ method, route, status, durationMs }) {
      requests.add({ method: METHODS.includes(method) ? method : "other", route, status: String(status) })
      const seconds = durationMs / 1000
      const entry = durations.get(route) ?? { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 }
      for (const [at, end] of BUCKETS.entries())
        if (seconds <= end) entry.buckets[at] = (entry.buckets[at] ?? 0) + 1
      entry.sum += seconds
      entry.count += 1
      durations.set(route, entry)
    },
    text({ inFlight, isDraining }) {
      const lines = [
        ...counterLines(requests),
        ...headLines(DURATION, "histogram", "Time until the answer was complete."),
        ...[...durations].flatMap(([route, entry]) => durationLines(route, entry)),
        ...gaugeLines("incipit_http_requests_in_flight", "Requests that are being answered.", [
          [{}, inFlight],
        ]),
        ...gaugeLines("incipit_draining", "1 while the server is stopping.", [[{}, isDraining ? 1 : 0]]),
      ]
      return `${lines.join("\n")}\n`
    },
  }
}

const DURATION = "incipit_http_request_duration_seconds"

function durationLines(route: string, { buckets, sum, count }: Durations): readonly string[] {
  const labels = labelText({ route })
  return [
    ...BUCKETS.map(
      (end, at) => `${DURATION}_bucket${labelText({ route, le: String(end) })} ${buckets[at] ?? 0}`,
    ),
    `${DURATION}_bucket${labelText({ route, le: "+Inf" })} ${count}`,
    `${DURATION}_sum${labels} ${sum}`,
    `${DURATION}_count${labels} ${count}`,
  ]
}
