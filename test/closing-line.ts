// Prints the closing line that continuous integration reads: "N passed, N failed", alone and last.
import type { Reporter, TestModule } from "vitest/node"

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length
    const skipped = count("skipped")
    const line = `${count("passed")} passed, ${count("failed") + broken} failed`
    process.once("exit", () => console.log(skipped > 0 ? `${line}, ${skipped} skipped` : line))
  }
}
