// What each call of a transcript used. Only rows that say it are parsed.
import type { CalledUsage } from "../../call.ts"
import { createSkipped, jsonRows } from "../json-rows.ts"
import type { CaptureFile, Place, Read } from "../reader.ts"
import { createOpenCalls } from "./claude-code-open-calls.ts"
import { answerIn, USAGE, versionNote } from "./claude-code-rows.ts"

export interface UsageOptions {
  readonly from?: Place | undefined
  /** Without calls of sub-agents and advisors, whose prefixes are their own. */
  readonly onlyMain?: boolean
}

export async function* usageOf(
  file: CaptureFile,
  session: string,
  { from = 0, onlyMain = false }: UsageOptions = {},
): AsyncGenerator<Read<CalledUsage>> {
  const skipped = createSkipped(file)
  const open = createOpenCalls<CalledUsage>()
  let version: string | undefined
  for await (const line of jsonRows(file, { from, containing: [USAGE] }, skipped)) {
    const answer = answerIn(line.row, session)
    if (answer === "other") continue
    if (answer === "broken") {
      skipped.add(BROKEN)
      continue
    }
    if (onlyMain && answer.isAside) continue
    version ??= answer.version
    yield* open.add(answer, line, () => answer.called)
    for (const called of onlyMain ? [] : answer.advisors)
      yield* open.add({ ...answer, called }, line, () => called)
  }
  yield* open.takeAll()
  yield* versionNote(file, version)
  yield* skipped.notes()
}

/** Completes the sentence "2 lines were skipped: …". */
export const BROKEN = "their figures cannot be right"
