// Reads the sessions of OpenCode: from its database, and from the files that versions before it wrote. Usage is exact,
// but a title is asked for without a message that says so. Requests are partial.
import { join } from "node:path"
import type { JsonObject } from "../../../record/write/request-marks.ts"
import type { CalledUsage, CapturedCall } from "../../call.ts"
import { clientFiles } from "../client-files.ts"
import { createSkipped } from "../json-rows.ts"
import type { CaptureFile, CaptureReader, Place, Read, ReaderMachine } from "../reader.ts"
import { isOpen, isSummary, messageCall, type OpencodeSession, sentMessages } from "./opencode-message.ts"
import { messagesIn, sessionsIn } from "./opencode-store.ts"

export const OPENCODE: CaptureReader = {
  client: "opencode",
  title: "OpenCode",
  folders: ({ home, variables }: ReaderMachine) => [
    join(variables.XDG_DATA_HOME || join(home, ".local", "share"), "opencode"),
  ],
  files: async (folder, note) => clientFiles(folder, { client: "opencode", isOne, skips, note }),
  usage,
  calls,
}

/** `opencode-dev.db` and others are those of other channels. */
function isOne(way: string): boolean {
  return /(?:^|\/)opencode(?:-[\w.-]+)?\.db$|(?:^|\/)session\/[^/]+\/ses_[^/]+\.json$|^ses_[^/]+\.json$/.test(
    way,
  )
}

/** Messages are found by their session, and there may be very many. */
function skips(name: string): boolean {
  return ["message", "part", "log", "bin", "snapshot", "session_diff", "repos", "tool-output"].includes(name)
}

/** The place does not go past an answer that is still being written, so that this one is not missed. */
async function* usage(file: CaptureFile, from: Place = 0): AsyncGenerator<Read<CalledUsage>> {
  const skipped = createSkipped(file)
  let last: Place | undefined
  for (const { id, message, session, place } of messagesIn(file, from, skipped)) {
    if (isOpen(message)) last ??= place - 1
    const call = messageCall(id, message, session)
    if (call !== undefined) yield { kind: "call", call, after: last ?? place }
  }
  yield* skipped.notes()
}

async function* calls(file: CaptureFile): AsyncGenerator<Read<CapturedCall>> {
  const skipped = createSkipped(file)
  for (const messages of sessionsIn(file, skipped)) {
    let sent: readonly JsonObject[] = []
    for (const { id, message, session, place, parts } of messages) {
      const isAside = isSummary(message)
      const call = messageCall(id, message, session)
      if (call !== undefined)
        yield { kind: "call", call: wholeCall(call, session, { sent, isAside }), after: place }
      // A summary stands for everything before it.
      sent = [...(isAside ? [] : sent), ...sentMessages(message, parts)]
    }
  }
  yield* skipped.notes()
}

interface Sent {
  readonly sent: readonly JsonObject[]
  readonly isAside: boolean
}

function wholeCall(call: CalledUsage, { version }: OpencodeSession, { sent, isAside }: Sent): CapturedCall {
  return {
    ...call,
    version,
    thread: isAside ? `${call.session}/summary` : call.session,
    format: "anthropic",
    coverage: "partial",
    request: { model: call.model, messages: sent },
    files: [],
  }
}
