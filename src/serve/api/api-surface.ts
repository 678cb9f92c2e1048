// The surface below /api.
import { oncePerObject } from "../../base/memo/once.ts"
import type { ServedAgents, Surface } from "../http/surface.ts"
import { agentPage } from "../page/agent/agent-page.ts"
import type { ApiServices } from "./api-call.ts"
import { surfaceOf } from "./route-surface.ts"
import { API_ROUTES } from "./routes.ts"

export function apiSurface(services: ApiServices): Surface {
  // What was found out about calls that do not change is found out once.
  const pageOf = oncePerObject((agents: ServedAgents) => agentPage(agents, services))
  return surfaceOf(API_ROUTES, (call) => ({ ...call, services, page: pageOf(call.agents) }))
}
