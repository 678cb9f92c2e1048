// Reads one file as text: inside the allowed roots by real path, regular files only, bounded in size.
// A file that is not there is absent; one that cannot be read now is unavailable, which is not the same.
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
  /** Default: yes, as long as they lead into the folders. */
  readonly followsLinks?: boolean
  /** In place of `MAX_BYTES`, for what is not text of a prompt. */
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
  return found.kind === "refused" ? { kind: "refused", diagnostic: findingOf(found.refused, shown) } : found
}

function findingOf(refused: Refused, path: string): Diagnostic {
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
