// What a route gets along with the request.
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import type { ApprovalDesk } from "../gateway/approval-desk.ts"
import type { SurfaceCall } from "../http/surface.ts"
import type { PageCall } from "../page/page-call.ts"
import type { PageSource } from "../page/page-source.ts"
import type { LiveFeed } from "./live/live-feed.ts"

/** What the API needs besides the agents, which come with each call. */
export interface ApiServices {
  readonly store: Pick<AgentStore, "tokens" | "requests" | "outbox"> & {
    readonly inbox: Pick<AgentStore["inbox"], "message">
  }
  readonly approvals: Pick<ApprovalDesk, "open" | "answer">
  readonly live: Pick<LiveFeed, "follow">
  /** incipit.yaml as it is now. */
  readonly config: () => Config
  readonly now: () => number
  /** What the page shows besides what the agents recorded. Asked again each time: there may be more by then. */
  readonly sources?: (() => readonly PageSource[]) | undefined
}

export interface ApiCall extends SurfaceCall, PageCall {
  readonly services: ApiServices
}
