// Counts for operators, as Prometheus reads them. Labels come from small fixed sets, never from what a caller wrote.

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
  const requests = new Map<string, number>()
  const durations = new Map<string, Durations>()
  return {
    count({ method, route, status, durationMs }) {
      const known = METHODS.includes(method) ? method : "other"
      const labels = `method="${known}",route="${route}",status="${status}"`
      requests.set(labels, (requests.get(labels) ?? 0) + 1)
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
        ...head("incipit_http_requests_total", "counter", "Requests answered."),
        ...[...requests].map(([labels, count]) => `incipit_http_requests_total{${labels}} ${count}`),
        ...head("incipit_http_request_duration_seconds", "histogram", "Time until the answer was complete."),
        ...[...durations].flatMap(([route, entry]) => durationLines(route, entry)),
        ...head("incipit_http_requests_in_flight", "gauge", "Requests that are being answered."),
        `incipit_http_requests_in_flight ${inFlight}`,
        ...head("incipit_draining", "gauge", "1 while the server is stopping."),
        `incipit_draining ${isDraining ? 1 : 0}`,
      ]
      return `${lines.join("\n")}\n`
    },
  }
}

function head(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function durationLines(route: string, { buckets, sum, count }: Durations): readonly string[] {
  const name = "incipit_http_request_duration_seconds"
  return [
    ...BUCKETS.map((end, at) => `${name}_bucket{route="${route}",le="${end}"} ${buckets[at] ?? 0}`),
    `${name}_bucket{route="${route}",le="+Inf"} ${count}`,
    `${name}_sum{route="${route}"} ${sum}`,
    `${name}_count{route="${route}"} ${count}`,
  ]
}
