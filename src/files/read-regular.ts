// Reads the bytes of a file, up to a limit. Refuses pipes and devices instead of waiting for them, and returns the
// reason as data. For text, with thrown errors, see read-bounded.ts.
import { type Refused, readBytes, withSafeFile } from "./safe-file.ts"

export type RegularFile =
  | { readonly kind: "read"; readonly bytes: Buffer }
  /** Completes the sentence "it is …". */
  | { readonly kind: "refused"; readonly why: string }

export function readRegular(path: string, most: number): RegularFile {
  const opened = withSafeFile(path, { followsLinks: true, mostBytes: most }, (file) => readBytes(file, most))
  switch (opened.kind) {
    case "opened":
      return { kind: "read", bytes: opened.value }
    case "refused":
      return { kind: "refused", why: whyOf(opened.refused, most) }
    case "absent":
      return { kind: "refused", why: "missing" }
    case "unavailable":
      return { kind: "refused", why: `not readable (${opened.reason})` }
  }
}

function whyOf({ why }: Refused, most: number): string {
  if (why === "too-large") return `larger than ${most} bytes`
  if (why === "foreign") return "another user's, in a folder that anyone can write to"
  return "not a regular file"
}
