// Characters that are not seen, and those that turn the text around them, written as their numbers.
import { numberOf } from "../visible-text.ts"

/**
 * Everything that is not drawn, and blanks that only look like a space, as in approvals. Line ends of Windows stay, and
 * so do the characters that join emoji or give them their colours.
 */
const UNSEEN =
  /(?!\r?\n|\t|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)[\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

/** They make a text look like another one. */
const TURNING = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** Of code, inputs and results: what is not seen may do something. */
export function spelledCode(text: string): string {
  return text.replaceAll(UNSEEN, spelled)
}

/** Of what people and models say, in all languages. */
export function spelledText(text: string): string {
  return text.replaceAll(TURNING, spelled)
}

function spelled(character: string): string {
  return `‹${numberOf(character)}›`
}

/** What a text looks like. */
export function withoutUnseen(text: string): string {
  return spelledCode(text).replaceAll(/‹U\+\w+›/g, "")
}
