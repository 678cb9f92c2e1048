// `incipit.lock`: the digests of everything a workspace puts into prompts, so that no change goes unnoticed.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { byCodePoint } from "../../../base/order.ts"
import { unwritable } from "../../../base/system-error.ts"
import { replaceFile } from "../../../files/replace-file.ts"
import { readJson } from "../../command-line/inputs.ts"
import { VERSION } from "../../command-line/version.ts"
import type { Input } from "./resolve.ts"

const NAME = "incipit.lock"
const lockSchema = z.object({
  version: z.literal(1),
  compiler: z.string(),
  files: z.record(z.string(), z.string()),
})

export function writeLock(input: Input): string {
  const path = join(input.workspace.root, NAME)
  const lock = { version: 1, compiler: VERSION, files: digestsOf(input) }
  try {
    replaceFile({ path, before: "any", after: Buffer.from(`${JSON.stringify(lock, null, 2)}\n`) })
  } catch (error) {
    throw unwritable(path, error)
  }
  return path
}

/** What differs from the lock, or an error if there is none. */
export function compareLock(input: Input): readonly Diagnostic[] {
  const path = join(input.workspace.root, NAME)
  if (!existsSync(path)) throw new IncipitError("bad-lock", `${NAME} does not exist`)
  const parsed = lockSchema.safeParse(readJson(path, "bad-lock", { staysInFolder: true }))
  if (!parsed.success)
    throw new IncipitError("bad-lock", `${NAME} was written by another version or is not a lock file`)
  const was = parsed.data.files
  const is = digestsOf(input)
  const compiler: readonly Diagnostic[] =
    parsed.data.compiler === VERSION
      ? []
      : [{ code: "lock-differs", path: NAME, change: "the compiler changed" }]
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

function digestsOf({ agent, session }: Input): Readonly<Record<string, string>> {
  const all = [...agent.files, ...session.files, ...(agent.skills ?? []), ...(session.skills ?? [])]
  return Object.fromEntries(
    all.map(({ path, digest }) => [path, digest] as const).sort(([a], [b]) => byCodePoint(a, b)),
  )
}
