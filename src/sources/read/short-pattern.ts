// Whether a regular expression from a configuration finishes quickly on any name. A folder may come from anyone, and a
// pattern that backtracks for years would hang every command that looks up a model.

const MOST_CHARACTERS = 200
/** A repetition may try as many lengths as there are characters; an alternation doubles what follows. */
const REPETITION = 4
const CHOICE = 1
const MOST_EFFORT = 14

export function isShortPattern(text: string): boolean {
  if (text.length > MOST_CHARACTERS || !isPattern(text) || /\\[1-9k]/.test(text)) return false
  // An escape or a class counts as one letter; the prefix of a group is not a quantifier.
  const plain = text.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gs, "x").replaceAll(/\(\?(?:<?[=!]|:|<\w+>)/g, "(")
  const isGroupRepeated = /\)(?:[*+]|\{\d)/.test(plain)
  const repetitions = plain.match(/[*+]|\{\d+(?:,\d*)?\}/g)?.length ?? 0
  const choices = plain.match(/[?|]/g)?.length ?? 0
  return !isGroupRepeated && repetitions * REPETITION + choices * CHOICE <= MOST_EFFORT
}

export function isPattern(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
