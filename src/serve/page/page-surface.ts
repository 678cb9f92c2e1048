// The routes of the page as a surface of their own, for a server without agents.
import { surfaceOf } from "../api/route-surface.ts"
import type { Surface } from "../http/surface.ts"
import type { ShownPage } from "./page-call.ts"
import { PAGE_ROUTES } from "./page-routes.ts"

export function pageSurface(page: ShownPage): Surface {
  return surfaceOf(PAGE_ROUTES, (call) => ({ ...call, page }))
}
