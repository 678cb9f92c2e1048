// Frontmatter as people write it: `description: Use when: testing` and `paths: **/*.ts` are not YAML, but clients read
// them anyway. Quotes such values, one line at a time; never changes a line that has quotes.

/** A key at the start of a line, or a list item, and its value. */
const ENTRY = /^((?:[A-Za-z_][\w-]{0,63}:|[ \t]{0,16}-)[ \t]{1,16})(\S.*)$/
/** Means something to YAML that the author did not intend. */
const SPECIAL = /^[*&!%@`{}#|>?-]|:(?:[ \t]|$)|[ \t]#/
/** A block scalar, which continues on the lines below. */
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
