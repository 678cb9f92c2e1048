// What this server shows to this caller.
import { signal } from "@preact/signals"
import type { PageInfo } from "../../src/serve/page/shown.ts"
import { ask, problemText } from "./ask.ts"

export const info = signal<PageInfo | undefined>(undefined)
export const infoProblem = signal<string | undefined>(undefined)

export async function loadInfo(): Promise<void> {
  infoProblem.value = undefined
  try {
    info.value = await ask<PageInfo>("/api/page")
  } catch (error) {
    infoProblem.value = problemText(error)
  }
}
