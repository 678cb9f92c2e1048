// How stored texts name each other: by the digest of the text, inside JSON as `{"$text":"…"}` or `{"$json":"…"}`.
import { hash } from "node:crypto"

/** The digest of a text, in base64url. */
export type Ref = string

export function refOf(text: string): Ref {
  return hash("sha256", text, "base64url")
}

/** A quote inside of a string has a backslash, so this matches only keys and their values. */
const REF = /"\$(text|json)":"([\w-]{43})"/g

/** `parts` may name further texts; `texts` are plain. */
export function refsIn(stored: string): { readonly texts: readonly Ref[]; readonly parts: readonly Ref[] } {
  const texts: Ref[] = []
  const parts: Ref[] = []
  for (const [, kind, ref = ""] of stored.matchAll(REF)) (kind === "text" ? texts : parts).push(ref)
  return { texts, parts }
}
