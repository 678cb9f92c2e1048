// Fills in a reusable prompt: `$1` and the like stand for the words after its name, as in pi and in a shell. Words that
// were filled in are not looked at again.

/** `$1`, `$@` or `$ARGUMENTS` for all, `${@:2}` from the second word on, `${@:2:3}` for three of them. */
const PLACE = /\$(?:(\d{1,3})|(@|ARGUMENTS\b)|\{@:(\d{1,3})(?::(\d{1,3}))?\})/g

/** What is given and has no place in the text goes below it: nothing that somebody typed is lost. */
export function filledPrompt(text: string, given: string): string {
  const words = wordsOf(given)
  let hasPlace = false
  const filled = text.replaceAll(
    PLACE,
    (_place, one?: string, all?: string, from?: string, count?: string) => {
      hasPlace = true
      if (all !== undefined) return words.join(" ")
      if (one !== undefined) return words[Number(one) - 1] ?? ""
      const start = Math.max(0, Number(from) - 1)
      return words.slice(start, count === undefined ? undefined : start + Number(count)).join(" ")
    },
  )
  const rest = given.trim()
  return hasPlace || rest === "" ? filled : `${filled.trimEnd()}\n\n${rest}`
}

/** Parts between quotation marks are one word; a mark that is never closed holds to the end. */
function wordsOf(text: string): readonly string[] {
  const found = text.matchAll(/(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"'])+/g)
  return [...found].map(([word]) => word.replaceAll(/"([^"]*)(?:"|$)|'([^']*)(?:'|$)/g, "$1$2"))
}
