// Counters and gauges in the text format of Prometheus.

export type Labels = Readonly<Record<string, string>>

export interface Counter {
  readonly name: string
  readonly help: string
  add(labels: Labels, amount?: number): void
  /** Of all series that have these labels. */
  sum(labels: Labels): number
  readonly series: ReadonlyMap<string, { readonly labels: Labels; readonly value: number }>
}

export function createCounter(name: string, help: string): Counter {
  const series = new Map<string, { readonly labels: Labels; readonly value: number }>()
  return {
    ...{ name, help, series },
    add(labels, amount = 1) {
      const key = labelText(labels)
      series.set(key, { labels, value: (series.get(key)?.value ?? 0) + amount })
    },
    sum(wanted) {
      const fitting = [...series.values()].filter(({ labels }) =>
        Object.entries(wanted).every(([name, value]) => labels[name] === value),
      )
      return fitting.reduce((sum, { value }) => sum + value, 0)
    },
  }
}

export function counterLines({ name, help, series }: Counter): readonly string[] {
  return [
    ...headLines(name, "counter", help),
    ...[...series].map(([labels, { value }]) => `${name}${labels} ${value}`),
  ]
}

export function gaugeLines(
  name: string,
  help: string,
  values: readonly (readonly [Labels, number])[],
): readonly string[] {
  return [
    ...headLines(name, "gauge", help),
    ...values.map(([labels, value]) => `${name}${labelText(labels)} ${value}`),
  ]
}

export function headLines(
  name: string,
  type: "counter" | "gauge" | "histogram",
  help: string,
): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

export function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

function escaped(text: string): string {
  return text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")
}
