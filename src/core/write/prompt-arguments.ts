// Fills in a reusable prompt: `$1` and the like are replaced by the words after its name, as in pi and in a shell. Text
// that was filled in is not expanded again.

/** `$1`, `$@` or `$ARGUMENTS` for all, `${@:2}` from the second word on, `${@:2:3}` for three of them. */
const PLACE = /\$(?:(\d{1,3})|(@|ARGUMENTS\b)|\{@:(\d{1,3})(?::(\d{1,3}))?\})/g

/** Arguments without a place in the text are appended, so nothing that the user typed is lost. */
export function filledPrompt(text: string, given: string): string {
  const words = wordsOf(given)
  let hasPlace = false
  const filled = text.replaceAll(PLACE, (_place, ...groups: readonly (string | undefined)[]) => {
    const [one, all, from, count] = groups
    hasPlace = true
    if (all !== undefined) return words.join(" ")
    if (one !== undefined) return words[Number(one) - 1] ?? ""
    const start = Math.max(0, Number(from) - 1)
    return words.slice(start, count === undefined ? undefined : start + Number(count)).join(" ")
  })
  const rest = given.trim()
  return hasPlace || rest === "" ? filled : `${filled.trimEnd()}\n\n${rest}`
}

/** Quoted text is one word; an unclosed quotation mark extends to the end. */
function wordsOf(text: string): readonly string[] {
  const found = text.matchAll(/(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"'])+/g)
  return [...found].map(([word]) => word.replaceAll(/"([^"]*)(?:"|$)|'([^']*)(?:'|$)/g, "$1$2"))
}
