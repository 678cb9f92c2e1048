// All routes below /api.
import { PAGE_ROUTES } from "../page/page-routes.ts"
import { WHAT_IF_ROUTES } from "../page/what-if/agent-what-if.ts"
import { APPROVAL_ROUTES } from "./approval-routes.ts"
import { COMPILE_ROUTES } from "./compile/compile-routes.ts"
import { LIVE_ROUTES } from "./live/live-routes.ts"
import { describedRoutes } from "./openapi/openapi-route.ts"
import type { Route } from "./route.ts"
import { CHANGE_ROUTES } from "./sessions/change-routes.ts"
import { PLAN_ROUTES } from "./sessions/plan-routes.ts"
import { READ_ROUTES } from "./sessions/read-routes.ts"
import { SEND_ROUTES } from "./sessions/send-routes.ts"
import { TURN_ROUTES } from "./sessions/turn-routes.ts"

export const API_ROUTES: readonly Route[] = describedRoutes([
  ...COMPILE_ROUTES,
  ...READ_ROUTES,
  ...SEND_ROUTES,
  ...CHANGE_ROUTES,
  ...PLAN_ROUTES,
  ...TURN_ROUTES,
  ...LIVE_ROUTES,
  ...APPROVAL_ROUTES,
  ...PAGE_ROUTES,
  ...WHAT_IF_ROUTES,
])
