// All routes below /api.
import { COMPILE_ROUTES } from "./compile/compile-routes.ts"
import type { Route } from "./route.ts"
import { READ_ROUTES } from "./sessions/read-routes.ts"
import { SEND_ROUTES } from "./sessions/send-routes.ts"
import { TURN_ROUTES } from "./sessions/turn-routes.ts"

export const API_ROUTES: readonly Route[] = [
  ...COMPILE_ROUTES,
  ...READ_ROUTES,
  ...SEND_ROUTES,
  ...TURN_ROUTES,
]
