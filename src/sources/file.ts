// Reads one file safely: inside the allowed roots by real path, regular files only, bounded in size.
// A file that is not there is absent; one that can not be read now is unavailable, which is not the same.

import { isUtf8 } from "node:buffer"
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs"
import type { Diagnostic } from "../core/diagnostic.ts"
import { type Digest, digest } from "../core/digest.ts"
import { errorCode } from "../core/system-error.ts"
import { isInside } from "../files/inside.ts"

export type FileRead =
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly diagnostic: Diagnostic }
  | { readonly kind: "unavailable"; readonly reason: string }
  | {
      readonly kind: "read"
      /** LF line ends, no byte order mark. */
      readonly text: string
      /** Device and inode: the same for one file by whatever path. */
      readonly identity: string
      readonly digest: Digest
      readonly diagnostics: readonly Diagnostic[]
    }

export interface ReadOptions {
  /** Real paths of the folders that may be read. */
  readonly roots: readonly string[]
  /** How the file is named to people. */
  readonly shown: string
}

/** A prompt file larger than this is a mistake. */
export const MAX_BYTES = 1024 * 1024

export function readSource(path: string, { roots, shown }: ReadOptions): FileRead {
  try {
    const real = realpathSync(path)
    if (!roots.some((root) => isInside(real, root))) {
      return refused({ code: "outside-roots", path: shown, target: real })
    }
    // Without O_NONBLOCK, opening a FIFO would wait for a writer for ever.
    const handle = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return readHandle(handle, shown)
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    const code = errorCode(error)
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" }
    if (code === undefined) throw error
    return { kind: "unavailable", reason: code }
  }
}

function readHandle(handle: number, shown: string): FileRead {
  const stat = fstatSync(handle, { bigint: true })
  if (!stat.isFile()) return refused({ code: "not-a-regular-file", path: shown })
  if (stat.size > BigInt(MAX_BYTES)) {
    return refused({ code: "file-too-large", path: shown, bytes: Number(stat.size), limit: MAX_BYTES })
  }
  const bytes = readFileSync(handle)
  const text = new TextDecoder().decode(bytes).replaceAll("\r\n", "\n")
  return {
    kind: "read",
    text,
    identity: `${stat.dev}:${stat.ino}`,
    digest: digest(text),
    diagnostics: isUtf8(bytes) ? [] : [{ code: "invalid-utf8", path: shown }],
  }
}

function refused(diagnostic: Diagnostic): FileRead {
  return { kind: "refused", diagnostic }
}
