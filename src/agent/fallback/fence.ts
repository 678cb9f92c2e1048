// Fences in the answer of a model without tool calling: which line opens a call block, which opens another fence, and
// which closes it. Works line by line, so that streamed and complete text follow the same rules.

export interface Fence {
  readonly marks: string
  readonly isCall: boolean
}

const CALL = "tool_call"
const OPENING = /^ {0,3}(`{3,}|~{3,})(.*)$/s

export function openedBy(line: string): Fence | undefined {
  const [, marks, rest = ""] = OPENING.exec(line) ?? []
  // With a backtick after the marks, the line is inline code.
  if (marks === undefined || (marks.startsWith("`") && rest.includes("`"))) return undefined
  return { marks, isCall: rest.trim().toLowerCase() === CALL }
}

export function isClosedBy(line: string, { marks }: Fence): boolean {
  const [, found, rest = ""] = OPENING.exec(line) ?? []
  return found?.startsWith(marks) === true && rest.trim() === ""
}

/** Whether an incomplete line may still open a call block. */
export function mayOpenCall(line: string): boolean {
  const [, marks, rest = ""] = /^ {0,3}(`+|~+|)(.*)$/s.exec(line) ?? []
  if (marks === undefined) return false
  return marks.length < 3 ? rest === "" : CALL.startsWith(rest.trim().toLowerCase())
}
