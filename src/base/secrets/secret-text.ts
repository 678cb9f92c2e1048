// Finds text that looks like a secret, and where it is. The forms are in `secret-forms.ts`.
import { privateKeysIn, type TextRange } from "./private-key-text.ts"
import { isPlaceholder, SECRET_FORMS, type SecretForm } from "./secret-forms.ts"

export interface FoundSecret extends TextRange {
  /** Appears in the mark that replaces the secret. */
  readonly kind: string
  /** What a diagnostic calls it. Absent if it is only redacted. */
  readonly label?: string
}

/** No form is shorter than a name, a sign and a value. */
const SHORTEST = 12

/** In the order of the forms. Results may overlap or repeat. */
export function secretsIn(text: string): readonly FoundSecret[] {
  if (text.length < SHORTEST) return []
  const keys = privateKeysIn(text).map((range) => ({
    ...range,
    kind: "privatekey",
    label: "a private key",
  }))
  return [...keys, ...SECRET_FORMS.flatMap((form) => foundBy(form, text))]
}

function foundBy(form: SecretForm, text: string): readonly FoundSecret[] {
  // `search` is far cheaper than `matchAll`, and most texts have no match.
  if (text.search(form.pattern) === -1) return []
  return [...text.matchAll(form.pattern)].flatMap((match) => {
    const [whole, value = whole] = match
    const isReal = form.isValue?.(value) ?? !isPlaceholder(value)
    if (!isReal && form.redactsPlaceholders === undefined) return []
    // The value ends the match, except for perhaps one closing sign.
    const from = match.index + whole.lastIndexOf(value)
    const label = isReal ? form.label : undefined
    return [{ from, to: from + value.length, kind: form.kind, ...(label !== undefined && { label }) }]
  })
}
