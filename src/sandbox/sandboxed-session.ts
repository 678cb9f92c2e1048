// Whether the commands of a session run in the sandbox, by its mode.
import type { Session } from "../core/model/inputs.ts"
import type { SandboxSettings } from "./settings.ts"

/** `directories` and `files`: what the session uses beside its workspace, which commands see and may not change. */
export type SandboxedSession = Pick<Session, "id" | "audience" | "isOwner" | "background"> &
  Partial<Pick<Session, "directories" | "files">>

export function isSandboxed({ mode }: Pick<SandboxSettings, "mode">, session: SandboxedSession): boolean {
  if (mode !== "non-main") return mode === "on"
  return !isMain(session)
}

/** The owner's own: nobody else listens, and they are there to see what is done. */
function isMain({ audience, isOwner, background }: SandboxedSession): boolean {
  const { trust, situation, mode } = audience
  return isOwner === true && trust === "full" && situation === "dm" && mode === "full" && background !== true
}
