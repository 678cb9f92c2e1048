// What a caller of `/mcp` sees: what the server's agents recorded and keep, as far as their token goes.
import { explain } from "../../core/read/explain.ts"
import type { ApiServices } from "../api/api-call.ts"
import { inspectWorkspace, reportFor } from "../api/compile/workspace-prompt.ts"
import { isOperator } from "../api/operator.ts"
import { hasScope } from "../auth/authenticate.ts"
import type { SurfaceCall } from "../http/surface.ts"
import type { ShownPage } from "../page/page-call.ts"
import { SurfaceError } from "../talk/surface-error.ts"
import type { McpView, OwnMemory } from "./mcp-view.ts"

export interface ServedViewServices extends Pick<ApiServices, "now"> {
  /** An IANA name. */
  readonly timeZone: string
  /** What operators see of coding agents; undefined as long as there is nothing. */
  readonly bill?: () => McpView["bill"]
}

export function servedView(
  call: SurfaceCall,
  page: Pick<ShownPage, "sources">,
  { now, timeZone, bill }: ServedViewServices,
): McpView {
  const { caller, agents } = call
  const { record, memory } = agents.main
  const opened: OwnMemory = { memory, by: caller.user ?? "owner" }
  return {
    ...{ reader: caller, now, timeZone: caller.locale?.timeZone ?? timeZone },
    sources: async () => page.sources(caller),
    async ownSession() {
      const [source] = page.sources(caller)
      const newest = (await source?.sessions(caller, { limit: 1 }))?.sessions[0]
      return source && newest && { source, session: newest.id, others: [] }
    },
    async record(ask) {
      await record.flushIfFree()
      return record.read(ask)
    },
    memory: (ask) => ask(opened),
    async writableMemory(ask) {
      if (!hasScope(caller, ["talk", "operate"]))
        throw new SurfaceError(403, "no-scope", "To write memory, the token needs the scope talk or operate.")
      return ask(opened)
    },
    compile: (asked) => inspectWorkspace(asked, call),
    async explain(what) {
      const { prompt } = await inspectWorkspace({}, call)
      return explain(reportFor(caller, prompt), what, [])
    },
    bill: isOperator(caller) ? bill?.() : undefined,
  }
}
