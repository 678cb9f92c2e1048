// The calls of a transcript with what is known of their requests.
import type { CapturedCall } from "../call.ts"
import { createOpenCalls } from "./claude-code-open-calls.ts"
import { answerIn, USAGE, versionNote } from "./claude-code-rows.ts"
import { BROKEN } from "./claude-code-usage.ts"
import { createSkipped, jsonRows } from "./json-rows.ts"
import type { CaptureFile, Read } from "./reader.ts"

export async function* callsOf(file: CaptureFile, session: string): AsyncGenerator<Read<CapturedCall>> {
  const skipped = createSkipped(file)
  const open = createOpenCalls<CapturedCall>()
  let version: string | undefined
  for await (const line of jsonRows(file, { containing: [USAGE] }, skipped)) {
    const answer = answerIn(line.row, session)
    if (answer === "other") continue
    if (answer === "broken") skipped.add(BROKEN)
    else {
      version ??= answer.version
      yield* open.add(answer, line, () => ({
        ...answer.called,
        version: answer.version,
        thread: "main",
        format: "anthropic",
        coverage: "none",
        files: [],
      }))
    }
  }
  yield* open.takeAll()
  yield* versionNote(file, version)
  yield* skipped.notes()
}
