// Reads one file as text: only inside the allowed roots by real path, only regular files, and only up to a size limit.
// A file that does not exist is absent; one that cannot be read now is unavailable, which is different.
import { isUtf8 } from "node:buffer"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { type Digest, digest } from "../../base/digest.ts"
import { type Refused, readBytes, withSafeFile } from "../../files/safe-file.ts"

export type FileRead =
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly diagnostic: Diagnostic }
  | { readonly kind: "unavailable"; readonly reason: string }
  | {
      readonly kind: "read"
      /** LF line ends, no byte order mark. */
      readonly text: string
      /** The same for one file under any path. */
      readonly identity: string
      readonly digest: Digest
      readonly diagnostics: readonly Diagnostic[]
    }

export interface ReadOptions {
  /** Real paths of the folders that may be read. */
  readonly roots: readonly string[]
  /** The path to show to people. */
  readonly shown: string
  /** Default: true, as long as links lead into `roots`. */
  readonly followsLinks?: boolean
  /** Overrides `MAX_BYTES`, for files that are not prompt text. */
  readonly limit?: number
}

/** A prompt file larger than this is a mistake. */
export const MAX_BYTES = 1024 * 1024

export function readSource(path: string, options: ReadOptions): FileRead {
  const { roots, shown, followsLinks = true, limit = MAX_BYTES } = options
  const found = withSafeFile(path, { roots, followsLinks, mostBytes: limit }, (file): FileRead => {
    const bytes = readBytes(file)
    const text = new TextDecoder().decode(bytes).replaceAll("\r\n", "\n")
    return {
      kind: "read",
      text,
      identity: file.identity,
      digest: digest(text),
      diagnostics: isUtf8(bytes) ? [] : [{ code: "invalid-utf8", path: shown }],
    }
  })
  if (found.kind === "opened") return found.value
  return found.kind === "refused"
    ? { kind: "refused", diagnostic: diagnosticOf(found.refused, shown) }
    : found
}

function diagnosticOf(refused: Refused, path: string): Diagnostic {
  switch (refused.why) {
    case "outside":
      return { code: "outside-roots", path, target: refused.target }
    case "link":
    case "not-a-file":
      return { code: "not-a-regular-file", path }
    case "too-large":
      return { code: "file-too-large", path, bytes: refused.bytes, limit: refused.limit }
    case "foreign":
      return { code: "foreign-file", path }
  }
}
