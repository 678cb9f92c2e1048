// What a route gets along with the request.
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import type { ApprovalDesk } from "../gateway/approval-desk.ts"
import type { SurfaceCall } from "../http/surface.ts"
import type { LiveFeed } from "./live/live-feed.ts"

/** What the API needs besides the agents, which come with each call. */
export interface ApiServices {
  readonly store: Pick<AgentStore, "tokens" | "requests">
  readonly approvals: Pick<ApprovalDesk, "open" | "answer">
  readonly live: Pick<LiveFeed, "follow">
  /** incipit.yaml as it is now. */
  readonly config: () => Config
  readonly now: () => number
}

export interface ApiCall extends SurfaceCall {
  readonly services: ApiServices
}
