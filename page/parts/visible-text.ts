// Characters that cannot be seen, or that change the order in which others are, are written as their numbers: a name or a
// text must not look like another one.

const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]/gu

export function isHidden(character: string): boolean {
  return character.search(HIDDEN) === 0
}

/** Each hidden character with its offset. */
export function hiddenIn(text: string): readonly { readonly at: number; readonly character: string }[] {
  return [...text.matchAll(HIDDEN)].map(({ 0: character, index: at }) => ({ at, character }))
}

/** Such as "U+202E". */
export function numberOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`
}

/** A name as it may be shown: on one line, with hidden characters as numbers. */
export function visibleName(text: string): string {
  return text.replaceAll(/[\t\n]+/g, " ").replaceAll(HIDDEN, (character) => `‹${numberOf(character)}›`)
}
