// What applies where the configuration sets nothing. Code that uses or shows a default takes it from here.
import type { Trust } from "../../base/trust.ts"
import { DEFAULT_TTL } from "../../core/model/cache-ttl.ts"
import type { Config, DuringTurn } from "./config-schema.ts"

export const DEFAULT_PROFILE = "incipit"

/** Of several files with instructions in one directory, only the first is read. */
const DEFAULT_CONTEXT = "first"

/** Ceilings of situations that the configuration does not name. Naming one leaves the others unchanged. */
export const DEFAULT_CEILINGS: Readonly<Record<string, Trust>> = {
  dm: "full",
  group: "familiar",
  system: "full",
}

/** The trust of memory stores that the configuration does not name. */
export const DEFAULT_STORES: Readonly<Record<string, Trust>> = {
  private: "full",
  shared: "inner",
  social: "familiar",
}

/** Each message gets an answer of its own unless the configuration says otherwise: programs and channels rely on that. */
export function duringTurn({ inbox }: Pick<Config, "inbox">): DuringTurn {
  return inbox?.during_turn ?? "queue"
}

/** How long the provider is asked to keep the cached prefix. */
export function cacheTtl({ cache }: Pick<Config, "cache">): NonNullable<NonNullable<Config["cache"]>["ttl"]> {
  return cache?.ttl ?? DEFAULT_TTL
}

export function contextPolicy({ prompt }: Pick<Config, "prompt">): "first" | "all" {
  return prompt?.context ?? DEFAULT_CONTEXT
}

/** By how many percent the prompt may grow before `incipit check --ratchet` fails. */
export function ratchetGrowth({ ratchet }: Pick<Config, "ratchet">): number {
  return ratchet?.growth ?? 10
}
