// What is asked, as the reader sees it: in full, and with characters that are not seen spelled out, since what looks
// harmless may be something else.
import type { ApprovalRequest } from "../../../../src/tools/host.ts"

export interface ShownRequest {
  /** A question. */
  readonly title: string
  /** Where, or by which rule. */
  readonly facts: readonly string[]
  readonly text: string | undefined
  readonly change: { readonly before: string | undefined; readonly after: string } | undefined
  /** Whether an answer can last for the rest of the session. */
  readonly mayLast: boolean
}

export function shownRequest(request: ApprovalRequest): ShownRequest {
  const rule = request.rule === undefined ? [] : [`asked because of the rule ${request.rule}`]
  const shown = { facts: rule, text: undefined, change: undefined, mayLast: request.rule === undefined }
  switch (request.kind) {
    case "shell":
      return {
        ...shown,
        title: "Run this command?",
        text: request.command,
        facts: [`in ${request.directory}`, ...rule],
      }
    case "edit":
    case "instructions": {
      const { path, before, after, partOf, kind } = request
      const part = partOf === undefined ? [] : [`part of ${partOf}`]
      const own =
        kind === "instructions"
          ? ["this file is read into the agent’s prompt, or decides what it may do"]
          : []
      const title = before === undefined ? `Create ${path}?` : `Change ${path}?`
      return {
        ...shown,
        title,
        facts: [...own, ...part, ...rule],
        change: { before, after },
        mayLast: shown.mayLast && kind === "edit",
      }
    }
    case "schedule":
      return {
        ...shown,
        title: request.change === "add" ? "Add this to the schedule?" : "Remove this from the schedule?",
        text: `${request.cron}  ${request.run}`,
        mayLast: false,
      }
    case "mcp": {
      const danger = request.isDestructive ? ["it may change or delete what is there"] : []
      return {
        ...shown,
        title: `Call ${request.tool} of ${request.server}?`,
        text: request.input,
        facts: [...danger, ...rule],
      }
    }
    case "tool":
      return { ...shown, title: `Call ${request.name}?`, text: JSON.stringify(request.input, null, 2) }
  }
}

/**
 * Characters that are not drawn, and blanks that only look like a space; long runs of blanks, and of empty lines, which
 * would push the rest out of sight.
 */
const UNSEEN =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|[ \t]{41,}|(?<=\n)(?:[ \t]*\n){4,}/gu

export interface Piece {
  readonly text: string
  /** What is not seen, spelled out. */
  readonly isSpelled: boolean
}

export function spelledOut(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(UNSEEN)) {
    if (index > from) pieces.push({ text: text.slice(from, index), isSpelled: false })
    pieces.push({ text: spelling(found), isSpelled: true })
    from = index + found.length
  }
  return from < text.length || pieces.length === 0
    ? [...pieces, { text: text.slice(from), isSpelled: false }]
    : pieces
}

function spelling(found: string): string {
  if (found.endsWith("\n")) return `[${found.split("\n").length - 1} empty lines]\n`
  if (/^[ \t]{2}/.test(found)) return `[${found.length} blanks]`
  return `\\u{${(found.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`
}
