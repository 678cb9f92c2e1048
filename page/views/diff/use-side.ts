// Loads one side. The prompt as it would be now is compiled by the server; with another profile, by the compiler in the
// browser from the same input.
import type { WhatIfInput } from "../../../src/serve/page/what-if/what-if-shown.ts"
import { ask } from "../../data/ask.ts"
import { readCall } from "../../data/calls.ts"
import { type Loaded, useLoaded } from "../../data/load.ts"
import { createPageCompiler } from "../what-if/compiler.ts"
import { type DiffSide, partsOfCall, partsOfReport } from "./diff-parts.ts"
import { type NowSide, type Side, sideText } from "./sides.ts"

/** Undefined: nothing is chosen yet. */
export function useSide(side: Side | undefined): Loaded<DiffSide> {
  const isWhole = side?.kind === "now" || side?.call !== undefined
  return useLoaded(side && isWhole ? sideText(side) : undefined, (signal) => load(side, signal))
}

async function load(side: Side | undefined, signal: AbortSignal): Promise<DiffSide> {
  if (side?.kind === "now") return partsOfReport(await reportNow(side, signal))
  return partsOfCall(await readCall(side?.call ?? "", { source: side?.source, signal }))
}

async function reportNow({ user, situation, profile }: NowSide, signal: AbortSignal) {
  const body = { ...(user !== undefined && { user }), ...(situation !== undefined && { situation }) }
  const input = await ask<WhatIfInput>("/api/what-if", { body, signal })
  if (profile === undefined) return input.report
  const broken = Promise.withResolvers<never>()
  const compiler = createPageCompiler((problem) => broken.reject(new Error(problem)))
  try {
    const made = async () => {
      await compiler.take("now", input)
      return compiler.report("now", profile)
    }
    return await Promise.race([made(), broken.promise])
  } finally {
    compiler.close()
  }
}
