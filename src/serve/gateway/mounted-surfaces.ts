// The surfaces that `incipit serve` mounts.

import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { anthropicSurface } from "../anthropic/anthropic-surface.ts"
import type { Surface } from "../http/surface.ts"
import { openAiSurfaces } from "../openai/openai-surface.ts"
import { createConversationIndex } from "../talk/conversation-index.ts"
import type { ApprovalDesk } from "./approval-desk.ts"

/** What surfaces are made with; what they need of a call comes with the call. */
export interface SurfaceServices {
  readonly workspace: string
  readonly config: () => Config
  readonly store: AgentStore
  readonly approvals: Pick<ApprovalDesk, "open" | "answer">
  readonly now: () => number
}

/** Both APIs find the same conversations: a person may change clients. */
export function mountedSurfaces({ now }: SurfaceServices): readonly Surface[] {
  const options = { index: createConversationIndex(), now }
  return [...openAiSurfaces(options), anthropicSurface(options)]
}
