// `incipit.lock`: the digests of everything a workspace puts into prompts, so that no change goes unnoticed, and since
// version 2 the size and price of its prompt, so that a change can be held against them.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../../base/json-depth.ts"
import { byCodePoint } from "../../../base/order.ts"
import { unwritable } from "../../../base/system-error.ts"
import { VERSION } from "../../../base/version.ts"
import { replaceFile } from "../../../files/replace-file.ts"
import { readJson } from "../../command-line/inputs.ts"
import type { PromptSize } from "./prompt-size.ts"
import type { Input } from "./resolve.ts"

export const LOCK_NAME = "incipit.lock"

const tokens = z.number().min(0)
const usd = z.number().min(0).nullable()
const sizeSchema = z.object({
  model: z.string().nullable(),
  tokens: z.object({ tools: tokens, prefix: tokens, turn: tokens }),
  firstCallUsd: usd,
  callUsd: usd,
  parts: z.record(z.string(), tokens),
  leaks: z.array(z.string()),
}) satisfies z.ZodType<PromptSize>

const digests = { compiler: z.string(), files: z.record(z.string(), z.string()) }
const lockSchema = z.discriminatedUnion("version", [
  z.object({ version: z.literal(1), ...digests }),
  z.object({ version: z.literal(2), ...digests, prompt: sizeSchema }),
])

export type Lock = z.infer<typeof lockSchema>

export function writeLock(input: Input, prompt: PromptSize): string {
  const path = join(input.workspace.root, LOCK_NAME)
  const lock: Lock = { version: 2, compiler: VERSION, files: digestsOf(input), prompt: mutable(prompt) }
  try {
    replaceFile({ path, before: "any", after: Buffer.from(`${JSON.stringify(lock, null, 2)}\n`) })
  } catch (error) {
    throw unwritable(path, error)
  }
  return path
}

/** As the schema types it. */
function mutable({ leaks, ...size }: PromptSize) {
  return { ...size, leaks: [...leaks] }
}

/** What differs from the lock, or an error if there is none. */
export function compareLock(input: Input): readonly Diagnostic[] {
  const path = join(input.workspace.root, LOCK_NAME)
  if (!existsSync(path)) throw new IncipitError("bad-lock", `${LOCK_NAME} does not exist`)
  const lock = lockIn(readJson(path, "bad-lock", { staysInFolder: true }), LOCK_NAME)
  const was = lock.files
  const is = digestsOf(input)
  const compiler: readonly Diagnostic[] =
    lock.compiler === VERSION
      ? []
      : [{ code: "lock-differs", path: LOCK_NAME, change: "the compiler changed" }]
  const changes = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .sort(byCodePoint)
    .flatMap((file): Diagnostic[] => {
      if (was[file] === is[file]) return []
      const change =
        was[file] === undefined ? "was added" : is[file] === undefined ? "was removed" : "changed"
      return [{ code: "lock-differs", path: file, change }]
    })
  return [...compiler, ...changes]
}

/** A lock from elsewhere, such as another commit; `where` names it in the error. */
export function parseLock(text: string, where: string): Lock {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new IncipitError("bad-lock", `${where}: not valid JSON: ${error.message}`, { cause: error })
  }
  if (isDeeperThan(value, MAX_JSON_DEPTH)) throw new IncipitError("bad-lock", `${where}: nested too deep`)
  return lockIn(value, where)
}

function lockIn(value: unknown, where: string): Lock {
  const parsed = lockSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new IncipitError("bad-lock", `${where} was written by another version or is not a lock file`)
}

function digestsOf({ agent, session }: Input): Readonly<Record<string, string>> {
  const all = [...agent.files, ...session.files, ...(agent.skills ?? []), ...(session.skills ?? [])]
  return Object.fromEntries(
    all.map(({ path, digest }) => [path, digest] as const).sort(([a], [b]) => byCodePoint(a, b)),
  )
}
