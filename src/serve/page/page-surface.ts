// The routes of the page as a surface of their own, for a server without agents.
import type { Route } from "../api/route.ts"
import { surfaceOf } from "../api/route-surface.ts"
import type { Surface } from "../http/surface.ts"
import type { PageCall, ShownPage } from "./page-call.ts"
import { PAGE_ROUTES } from "./page-routes.ts"

/** `more`: routes that only such a server has. */
export function pageSurface(page: ShownPage, more: readonly Route<PageCall>[] = []): Surface {
  return surfaceOf([...PAGE_ROUTES, ...more], (call) => ({ ...call, page }))
}
