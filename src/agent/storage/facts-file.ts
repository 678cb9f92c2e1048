// Memory for a system that sends facts from its own file: what the owner has the agent remember, without naming a
// place, is added there. Everything else stays as in memory.
import { Buffer } from "node:buffer"
import { errorCode } from "../../base/system-error.ts"
import { NotReplaced, replaceFile } from "../../files/replace-file.ts"
import type { SharedMemory } from "../../memory/shared-memory.ts"
import { refusal, textRefusal, type WriteOptions, type WriteResult } from "../../memory/write.ts"
import { shownPath } from "../../sources/config/configured-trust.ts"
import { isFixed } from "../../sources/documents.ts"
import type { FactsPlace } from "../../sources/systems/editable-places.ts"
import { ToolFailure } from "../../tools/host.ts"
import { ownPath, placesIn, type Reading, textAt } from "../setup/agent-files.ts"

export function withFactsFile(memory: SharedMemory, now: () => Reading): SharedMemory {
  return {
    ...memory,
    write(text, options) {
      const { facts } = placesIn(now())
      return facts === undefined || !isForAll(options) || isFixed(now().workspace, facts.path)
        ? memory.write(text, options)
        : addFact(facts, text, options, now())
    },
  }
}

/** Such a file cannot record who said what, so only the owner may write to it. */
function isForAll({ trust, store, path }: WriteOptions): boolean {
  return trust === "full" && store === undefined && path === undefined
}

function addFact(
  { path, add }: FactsPlace,
  text: string,
  { by }: WriteOptions,
  { workspace }: Reading,
): WriteResult {
  const why = textRefusal(text, by)
  if (why !== undefined) return refusal(why)
  try {
    const before = textAt(path, workspace)
    const made = add(before, text)
    if (made === undefined) return refusal("duplicate")
    if (made.kind === "problem") return { status: "refused", why: "unavailable", reason: made.problem }
    // Refused if another process has changed the file.
    const expected = before === undefined ? undefined : Buffer.from(before)
    replaceFile({ path: ownPath(path, workspace), before: expected, after: Buffer.from(made.text) })
    const line = made.line ?? 1
    return { status: "written", path: shownPath(path, workspace), lines: [line, line] }
  } catch (error) {
    const isExpected = error instanceof NotReplaced || error instanceof ToolFailure || errorCode(error)
    if (!isExpected) throw error
    return refusal("unavailable")
  }
}
