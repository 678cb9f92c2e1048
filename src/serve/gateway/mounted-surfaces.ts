// The surfaces that `incipit serve` mounts.

import type { AgentStore } from "../../database/contract/agent-store.ts"
import { anthropicSurface } from "../anthropic/anthropic-surface.ts"
import { apiSurface } from "../api/api-surface.ts"
import type { Surface } from "../http/surface.ts"
import { type IncipitSurfaceServices, incipitSurface } from "../mcp/incipit-surface.ts"
import { openAiSurfaces } from "../openai/openai-surface.ts"

/** What surfaces are made with; what they need of a call comes with the call. */
export interface SurfaceServices extends IncipitSurfaceServices {
  readonly store: AgentStore
}

/** Both APIs find the same conversations: a person may change clients. */
export function mountedSurfaces(services: SurfaceServices): readonly Surface[] {
  const options = { requests: services.store.requests, now: services.now }
  return [
    ...openAiSurfaces(options),
    anthropicSurface(options),
    apiSurface(services),
    incipitSurface(services),
  ]
}
