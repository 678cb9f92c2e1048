// What a long run did, in numbers, for the table at its end. Numbers of one name are added up over the tests of a file,
// except those that begin with "longest".
import type { TestContext } from "vitest"

export type Figures = Readonly<Record<string, number>>

declare module "vitest" {
  interface TaskMeta {
    figures?: Figures
  }
}

export function noteFigures({ task }: Pick<TestContext, "task">, figures: Figures): void {
  task.meta.figures = figures
}

export function sumOf(all: readonly Figures[]): Figures {
  const sums = new Map<string, number>()
  for (const [name, value] of all.flatMap((figures) => Object.entries(figures))) {
    const before = sums.get(name)
    const both = (before ?? 0) + value
    sums.set(name, name.startsWith("longest") ? Math.max(before ?? value, value) : both)
  }
  return Object.fromEntries(sums)
}
