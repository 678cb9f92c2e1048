// A call that a host has made, for whoever keeps calls.
import type { Prompt } from "../../core/model/prompt.ts"
import type { Usage } from "../../render/cache/price.ts"

/** A call that has been answered: what was compiled for it, what was sent, and what it used. */
export interface HostedCall {
  /** The chat's id. */
  readonly chat: string
  /** The same for all calls of a turn, and for no others. */
  readonly turnId: string
  /** Which turn of the chat, and which call of the turn, from 1 on. */
  readonly turn: number
  readonly step: number
  /** `provider/model`. */
  readonly model: string
  readonly prompt: Prompt
  /** The body as it was sent, or undefined if the host doesn't show it. */
  readonly request: unknown
  /** Undefined if the provider didn't say. */
  readonly usage: Usage | undefined
  readonly startedAt: number
  readonly endedAt: number
}
