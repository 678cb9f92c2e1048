// A text with the characters that are not seen spelled out.
import { spelledOut } from "./shown-request.ts"

export function Spelled({ text }: { readonly text: string }) {
  return (
    <>
      {spelledOut(text).map((piece, at) =>
        piece.isSpelled ? (
          <mark key={at} class="spelled">
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </>
  )
}
