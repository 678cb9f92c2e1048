// What of the suite isn't expected to pass, from `known.yaml`: each entry with its reason, and an entry that no longer
// applies is an error.
import { readFileSync } from "node:fs"
import { matchesGlob } from "node:path"
import { parse } from "yaml"
import { z } from "zod"
import type { CheckResult } from "./suite-run.ts"

const ENTRY = z.strictObject({
  /** Of runs and scenarios, with `*`. */
  run: z.string(),
  scenario: z.string(),
  /** With `*`; without it, any check of the scenario. */
  check: z.string().optional(),
  reason: z.string().min(20),
})
const KNOWN = z.strictObject({ notOffered: z.array(ENTRY), failing: z.array(ENTRY) })

export type KnownEntry = z.infer<typeof ENTRY>
export type Known = z.infer<typeof KNOWN>

export function readKnown(): Known {
  return KNOWN.parse(parse(readFileSync(new URL("./known.yaml", import.meta.url), "utf8")))
}

/** The scenarios of a run that are left: those of the others are not run. */
export function offered(run: string, scenarios: readonly string[], { notOffered }: Known): readonly string[] {
  const isLeftOut = (scenario: string) => notOffered.some((entry) => isAbout(entry, { run, scenario }))
  return scenarios.filter((scenario) => !isLeftOut(scenario))
}

export interface Judged {
  /** What did not pass, and no entry says why. */
  readonly unexpected: readonly CheckResult[]
  /** What did not pass, and why. */
  readonly expected: readonly (CheckResult & { readonly reason: string })[]
  /** Entries for what passes. */
  readonly stale: readonly KnownEntry[]
}

export function judge(results: readonly CheckResult[], { failing }: Known): Judged {
  const problems = results.filter(({ status }) => status !== "passed")
  const entryFor = (result: CheckResult) =>
    failing.find((entry) => isAbout(entry, result) && matchesGlob(result.check, entry.check ?? "*"))
  return {
    unexpected: problems.filter((result) => entryFor(result) === undefined),
    expected: problems.flatMap((result) => {
      const entry = entryFor(result)
      return entry === undefined ? [] : [{ ...result, reason: entry.reason }]
    }),
    stale: failing.filter((entry) => !problems.some((result) => entryFor(result) === entry)),
  }
}

function isAbout(entry: KnownEntry, { run, scenario }: Pick<CheckResult, "run" | "scenario">): boolean {
  return matchesGlob(run, entry.run) && matchesGlob(scenario, entry.scenario)
}
