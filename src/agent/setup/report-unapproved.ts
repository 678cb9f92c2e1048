// Reports which parts of the configuration are not used because the user has not approved them. What needs approval is
// decided elsewhere.
import type { Approvable } from "../../approval/approvable.ts"
import type { Opened } from "./opened.ts"

/** A model that waits for approval is reported where it is chosen. */
export function reportUnapproved(
  { events, watching }: Pick<Opened, "events" | "watching">,
  waiting: readonly Approvable[],
): void {
  const scope = events.scope({ agent: watching.now().workspace.id, trust: "full" })
  for (const { kind, name, place } of waiting) {
    const once = "once you approve it: incipit hooks approve"
    if (kind === "mcp")
      scope.event("diagnostic", { data: { code: "mcp-waits", text: `MCP server ${name} starts ${once}` } })
    if (kind === "otlp")
      scope.event("diagnostic", { data: { code: "otlp-waits", text: `spans go to ${place} ${once}` } })
    if (kind === "rules")
      scope.event("diagnostic", {
        data: {
          code: "rules-wait",
          text: `the rules of ${name} allow nothing until you approve them: incipit hooks approve`,
        },
      })
    if (kind === "sandbox")
      scope.event("diagnostic", {
        data: {
          code: "sandbox-waits",
          text: "until you approve the settings of the sandbox, they only restrict, and commands in it need a yes: incipit hooks approve",
        },
      })
    if (kind === "directory")
      scope.event("diagnostic", {
        data: {
          code: "directory-waits",
          text: `the folder ${name} is not used until you approve it: incipit hooks approve`,
        },
      })
  }
}
