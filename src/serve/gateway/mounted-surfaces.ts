// The surfaces that `incipit serve` mounts.
import { anthropicSurface } from "../anthropic/anthropic-surface.ts"
import type { Surface } from "../http/surface.ts"
import { openAiSurfaces } from "../openai/openai-surface.ts"
import { createConversationIndex } from "../talk/conversation-index.ts"

/** Both APIs find the same conversations: a person may change clients. */
export function mountedSurfaces(now: () => number): readonly Surface[] {
  const options = { index: createConversationIndex(), now }
  return [...openAiSurfaces(options), anthropicSurface(options)]
}
