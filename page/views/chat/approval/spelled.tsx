// A text in full, with what is not seen in words: what looks harmless may be something else.
import { unseenIn } from "./unseen.ts"

export function Spelled({ text }: { readonly text: string }) {
  const unseen = unseenIn(text)
  if (unseen.length === 0) return <>{text}</>
  return (
    <>
      {unseen.map(({ start, words }, index) => [
        text.slice(unseen[index - 1]?.end ?? 0, start),
        <mark key={start} class="spelled">
          {words}
        </mark>,
      ])}
      {text.slice(unseen.at(-1)?.end)}
    </>
  )
}
