// What a run found, for a person: a line for each run, then what did not pass.
import type { Judged } from "./known.ts"
import type { CheckResult } from "./suite-run.ts"

export function printReport(checks: readonly CheckResult[], { unexpected, expected, stale }: Judged): void {
  for (const [name, found] of Object.entries(Object.groupBy(checks, ({ run }) => run))) {
    const all = found ?? []
    const scenarios = new Set(all.map(({ scenario }) => scenario)).size
    const passed = all.filter(({ status }) => status === "passed").length
    const wrong = unexpected.filter(({ run }) => run === name).length
    const known = expected.filter(({ run }) => run === name).length
    const about = `${scenarios} scenarios, ${passed} checks passed`
    console.log(
      `${wrong === 0 ? "ok    " : "FAILED"}  ${name.padEnd(38)}${about}${known > 0 ? `, ${known} known` : ""}`,
    )
  }
  for (const [reason, found] of Object.entries(Object.groupBy(expected, (one) => one.reason)))
    console.log(`\nknown: ${reason}\n${(found ?? []).map((one) => `  ${placeOf(one)}`).join("\n")}`)
  for (const one of unexpected) console.log(`\n${one.status}: ${placeOf(one)}\n  ${one.why}`)
  for (const { run, scenario, check = "*" } of stale)
    console.log(`\nknown.yaml: everything passes for "${run}", ${scenario}, ${check}. Remove that entry.`)
  const count = `${checks.length} checks, ${expected.length} known failures`
  const isGood = unexpected.length + stale.length === 0
  console.log(`\n${count}, ${isGood ? "nothing else failed" : `${unexpected.length} unexpected`}`)
}

function placeOf({ run, scenario, check }: CheckResult): string {
  return `${run}: ${scenario}, ${check}`
}
