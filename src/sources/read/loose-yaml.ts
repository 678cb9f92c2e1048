// Frontmatter as people write it: `description: Use when: testing` and `paths: **/*.ts` are not YAML, and clients read
// them all the same. Puts quotes around such values, one line at a time; it never changes a line that has quotes.

/** A key at the start of a line, or an item of a list, and its value. */
const ENTRY = /^((?:[A-Za-z_][\w-]{0,63}:|[ \t]{0,16}-)[ \t]{1,16})(\S.*)$/
/** What means something else to YAML than to whoever wrote it. */
const SPECIAL = /^[*&!%@`{}#|>?-]|:(?:[ \t]|$)|[ \t]#/
/** A block of text, which goes on in the lines below. */
const BLOCK = /^[|>][+-]?\d?[ \t]*$/

export function quotedValues(source: string): string {
  return source.split("\n").map(quotedLine).join("\n")
}

function quotedLine(line: string): string {
  const [, before = "", written = ""] = ENTRY.exec(line) ?? []
  const value = written.trimEnd()
  if (value === "" || /["']/.test(value.charAt(0)) || BLOCK.test(value)) return line
  if (value.startsWith("[") && value.endsWith("]")) return `${before}[${quotedItems(value.slice(1, -1))}]`
  return SPECIAL.test(value) ? before + JSON.stringify(value) : line
}

function quotedItems(items: string): string {
  return items
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => (/^["']/.test(item) ? item : JSON.stringify(item)))
    .join(", ")
}
