// All routes below /api.
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { ApprovalDesk } from "../gateway/approval-desk.ts"
import { approvalRoutes } from "./approval-routes.ts"
import { COMPILE_ROUTES } from "./compile/compile-routes.ts"
import type { LiveFeed } from "./live/live-feed.ts"
import { liveRoutes } from "./live/live-routes.ts"
import type { Route } from "./route.ts"
import { READ_ROUTES } from "./sessions/read-routes.ts"
import { SEND_ROUTES } from "./sessions/send-routes.ts"
import { TURN_ROUTES } from "./sessions/turn-routes.ts"

/** What the API needs besides what comes with a call. */
export interface ApiServices {
  readonly store: Pick<AgentStore, "tokens">
  readonly approvals: Pick<ApprovalDesk, "open" | "answer">
  readonly live: Pick<LiveFeed, "follow">
  readonly now: () => number
}

export function apiRoutes({ store, approvals, live, now }: ApiServices): readonly Route[] {
  return [
    ...COMPILE_ROUTES,
    ...READ_ROUTES,
    ...SEND_ROUTES,
    ...TURN_ROUTES,
    ...liveRoutes({ live, tokens: store.tokens, now }),
    ...approvalRoutes(approvals),
  ]
}
