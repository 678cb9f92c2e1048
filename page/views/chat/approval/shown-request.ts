// What is asked, as the reader sees it: in full.
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
        title:
          request.leaves === undefined ? "Run this command?" : "Run this command outside of the sandbox?",
        text: request.command,
        facts: [
          `in ${request.directory}`,
          ...(request.isInside ? ["in the sandbox"] : []),
          ...(request.leaves === undefined ? [] : [`the agent’s reason: ${request.leaves}`]),
          ...rule,
        ],
        mayLast: shown.mayLast && request.leaves === undefined,
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
    case "question": {
      const { server, text, page } = request
      const title =
        page === undefined
          ? `The MCP server ${server} asks:`
          : `Open a page that the MCP server ${server} names?`
      const where = page === undefined ? [] : [`the page is at ${new URL(page).host}: ${page}`]
      return { ...shown, title, text, facts: [...where, ...rule], mayLast: false }
    }
    case "tool":
      return { ...shown, title: `Call ${request.name}?`, text: JSON.stringify(request.input, null, 2) }
  }
}
