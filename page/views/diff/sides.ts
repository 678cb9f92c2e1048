// What is compared: a call, or the prompt as it would be now. Each side is one value of the address.
import type { SourceId } from "../../../src/serve/page/shown.ts"
import { info } from "../../data/info.ts"
import { openViews } from "../../shell/current-view.ts"
import { PROFILE_NAMES, type ProfileName } from "../what-if/worker/profile-names.ts"

export interface CallSide {
  readonly kind: "call"
  readonly source: SourceId
  /** Empty for the most recently used. */
  readonly session: string
  /** Undefined for the newest. */
  readonly call: string | undefined
}

export interface NowSide {
  readonly kind: "now"
  /** Null for somebody unknown; undefined for the caller. */
  readonly user: string | null | undefined
  readonly situation: string | undefined
  /** Undefined for the folder's own. */
  readonly profile: ProfileName | undefined
}

export type Side = CallSide | NowSide

const SEPARATOR = "~"

export function sideText(side: Side): string {
  const fields =
    side.kind === "call"
      ? ["call", side.source, side.session, side.call ?? ""]
      : ["now", userText(side.user), side.situation ?? "", side.profile ?? ""]
  return fields.map((field) => encodeURIComponent(field).replaceAll(SEPARATOR, "%7E")).join(SEPARATOR)
}

/** A name stands behind a letter, so that somebody may be called anything. */
export function userText(user: NowSide["user"]): string {
  if (user === undefined) return "me"
  return user === null ? "unknown" : `u:${user}`
}

export function userIn(text: string): NowSide["user"] {
  if (text === "unknown") return null
  return text.startsWith("u:") ? text.slice(2) : undefined
}

/** Undefined for what is no side, or of a source that this server doesn't have. */
export function sideIn(text: string | undefined): Side | undefined {
  const fields = (text ?? "").split(SEPARATOR).map(decoded)
  const [kind, first = "", second = "", third = ""] = fields
  if (kind === "call") {
    const source = info.value?.sources.find(({ id }) => id === first)?.id
    const call = third === "" ? undefined : third
    return source === undefined ? undefined : { kind, source, session: second, call }
  }
  if (kind !== "now" || !canCompile()) return undefined
  const profile = PROFILE_NAMES.find((name) => name === third)
  return { kind, user: userIn(first), situation: second === "" ? undefined : second, profile }
}

function decoded(field: string): string {
  try {
    return decodeURIComponent(field)
  } catch {
    return ""
  }
}

/** Whether this server compiles the prompt as it is now for this caller: What if does the same. */
export function canCompile(): boolean {
  return openViews.value.some(({ name }) => name === "what-if")
}
