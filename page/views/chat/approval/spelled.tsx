// A text in full, with the characters that are not seen as their numbers: what looks harmless may be something else.
import { hiddenIn, numberOf } from "../../../parts/visible-text.ts"

export function Spelled({ text }: { readonly text: string }) {
  const hidden = hiddenIn(text)
  if (hidden.length === 0) return <>{text}</>
  const ends = hidden.map(({ at, character }) => at + character.length)
  return (
    <>
      {hidden.map(({ at, character }, index) => [
        text.slice(ends[index - 1] ?? 0, at),
        <mark key={at} class="spelled">
          {numberOf(character)}
        </mark>,
      ])}
      {text.slice(ends.at(-1))}
    </>
  )
}
