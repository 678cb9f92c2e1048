// A sign. It stands beside a word, so it is not spoken.
import { SIGNS, type SignName } from "./signs.ts"

export function Sign({ name }: { readonly name: SignName }) {
  return (
    <svg class="sign" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={SIGNS[name]} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" />
    </svg>
  )
}
