// Reads the rollouts of Codex: one JSON Lines file for each thread, below `sessions/YYYY/MM/DD`, moved to
// `archived_sessions` when it is archived, and compressed by some versions when it is old. Usage is exact. Requests are
// partial: a rollout has the base instructions and the conversation, but most tools are not in it.
import { join } from "node:path"
import type { CalledUsage, CapturedCall } from "../../call.ts"
import { clientFiles } from "../client-files.ts"
import { createSkipped, jsonRows } from "../json-rows.ts"
import type { CaptureFile, CaptureReader, Place, Read, ReaderMachine } from "../reader.ts"
import { createCodexRequests } from "./codex-request.ts"
import { createCodexUsage, USAGE_WORDS } from "./codex-usage.ts"

export const CODEX: CaptureReader = {
  client: "codex",
  title: "Codex",
  folders,
  files: async (folder, note) => withoutCopies(clientFiles(folder, { client: "codex", isOne, note })),
  usage,
  calls,
}

function folders({ home, variables }: ReaderMachine): readonly string[] {
  const root = variables.CODEX_HOME || join(home, ".codex")
  return [join(root, "sessions"), join(root, "archived_sessions")]
}

function isOne(way: string): boolean {
  return /(?:^|\/)rollout-[^/]+\.jsonl(?:\.zst)?$/.test(way)
}

/** While a rollout is being compressed, or restored, both forms are there: the plain one is newer. */
function withoutCopies(files: readonly CaptureFile[]): readonly CaptureFile[] {
  const plain = new Set(files.map(({ path }) => path))
  return files.filter(({ path }) => !path.endsWith(".zst") || !plain.has(path.slice(0, -".zst".length)))
}

/**
 * Rows before the place are read too, since they name the model and the totals so far. It costs little: only rows with
 * usage are decoded, a small part of a rollout.
 */
async function* usage(file: CaptureFile, from: Place = 0): AsyncGenerator<Read<CalledUsage>> {
  const skipped = createSkipped(file)
  const state = createCodexUsage()
  for await (const { row, end } of jsonRows(file, { containing: USAGE_WORDS }, skipped)) {
    const call = state.take(row)
    if (call !== undefined && end > from) yield { kind: "call", call, after: end }
  }
  yield* skipped.notes()
}

async function* calls(file: CaptureFile): AsyncGenerator<Read<CapturedCall>> {
  const skipped = createSkipped(file)
  const state = createCodexUsage()
  const requests = createCodexRequests()
  for await (const { row, end } of jsonRows(file, {}, skipped)) {
    requests.take(row)
    const call = state.take(row)
    const own = state.thread()
    if (call === undefined || own === undefined) continue
    const { version, thread } = own
    const request = requests.request(call.model)
    const whole: CapturedCall = {
      ...call,
      version,
      thread,
      format: "openai-responses",
      coverage: request === undefined ? "none" : "partial",
      request,
      files: requests.files(),
    }
    yield { kind: "call", call: whole, after: end }
  }
  if (state.thread() === undefined && file.bytes > 0)
    yield {
      kind: "note",
      diagnostic: {
        code: "capture-unknown-version",
        path: file.path,
        client: "Codex",
        version: "of an unknown version",
      },
    }
  yield* skipped.notes()
}
