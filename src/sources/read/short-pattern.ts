// Whether a regular expression of a configuration ends soon on a name, whatever the name is. A folder may come from
// anybody, and a pattern that goes back and forth for years would hang every command that looks up a model.

const MOST_CHARACTERS = 200
/** A repetition may try as many lengths as there are characters; a choice doubles what follows it. */
const REPETITION = 4
const CHOICE = 1
const MOST_EFFORT = 14

export function isShortPattern(text: string): boolean {
  if (text.length > MOST_CHARACTERS || !isPattern(text) || /\\[1-9k]/.test(text)) return false
  // What is escaped or in a class counts as one letter; what begins a group is no quantifier.
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
