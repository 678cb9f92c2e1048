// Tells what each long test did as soon as it ends, and at the end all of it as a table that can be copied into a note.
import { execFileSync } from "node:child_process"
import { availableParallelism } from "node:os"
import { relative } from "node:path"
import type { Reporter, TestCase, TestModule } from "vitest/node"
import { type Figures, sumOf } from "../figures.ts"

export default class SoakReport implements Reporter {
  readonly #seed: string

  constructor({ seed }: { readonly seed: string }) {
    this.#seed = seed
  }

  onTestRunStart(): void {
    const commit = execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim()
    console.log(`Commit ${commit}, Node ${process.version}, ${availableParallelism()} cores.`)
    console.log(`To repeat what is drawn in this run: SOAK_SEED=${this.#seed} npm run soak\n`)
  }

  onTestCaseResult(test: TestCase): void {
    const { figures } = test.meta()
    if (figures !== undefined) console.log(`   ${test.name}: ${shown(figures)}`)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map((module) => `| ${rowOf(module).join(" | ")} |`)
    console.log(["| file | tests | counts | seconds |", "|---|---|---|--:|", ...rows].join("\n"))
  }
}

function rowOf(module: TestModule): readonly string[] {
  const tests = [...module.children.allTests()]
  const states = Map.groupBy(tests, (test) => test.result().state)
  const counted = [...states].map(([state, some]) => `${some.length} ${state}`)
  const broken = module.errors().length > 0 ? ["broken"] : []
  const figures = sumOf(tests.map((test) => test.meta().figures ?? {}))
  const ms = module.diagnostic().duration
  return [
    relative(process.cwd(), module.moduleId),
    [...counted, ...broken].join(", "),
    shown(figures),
    String(Math.round(ms / 1_000)),
  ]
}

function shown(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => `${value} ${name}`)
    .join(", ")
}
