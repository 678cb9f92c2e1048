// Finds what looks like a secret in a text, with its place. The forms are in `secret-forms.ts`.
import { privateKeysIn, type TextRange } from "./private-key-text.ts"
import { isPlaceholder, SECRET_FORMS, type SecretForm } from "./secret-forms.ts"

export interface FoundSecret extends TextRange {
  /** Stands in the mark that replaces it. */
  readonly kind: string
  /** As a finding names it. */
  readonly label: string
}

/** No form is shorter: a name, a sign and a value. */
const SHORTEST = 12

/** In the order of the forms; two may find the same, or parts of it. */
export function secretsIn(text: string): readonly FoundSecret[] {
  if (text.length < SHORTEST) return []
  const keys = privateKeysIn(text).map((range) => ({
    ...range,
    kind: "privatekey",
    label: "a private key",
  }))
  return [...keys, ...SECRET_FORMS.flatMap((form) => foundBy(form, text))]
}

function foundBy({ kind, label, pattern, isValue }: SecretForm, text: string): readonly FoundSecret[] {
  // To search first is far cheaper than to set up a walk over matches, and most texts have none.
  if (text.search(pattern) === -1) return []
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [whole, value = whole] = match
    if (!(isValue?.(value) ?? !isPlaceholder(value))) return []
    // A value stands at the end of what names it, or right before a last sign.
    const from = match.index + whole.lastIndexOf(value)
    return [{ from, to: from + value.length, kind, label }]
  })
}
