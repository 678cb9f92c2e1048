// What is compared: a call, or the prompt as it would be now. Each side is one value of the address.
import type { SourceId } from "../../../src/serve/page/shown.ts"
import { info } from "../../data/info.ts"
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
function userText(user: NowSide["user"]): string {
  if (user === undefined) return "me"
  return user === null ? "unknown" : `u:${user}`
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
  const user = first === "unknown" ? null : first.startsWith("u:") ? first.slice(2) : undefined
  const profile = PROFILE_NAMES.find((name) => name === third)
  return { kind, user, situation: second === "" ? undefined : second, profile }
}

function decoded(field: string): string {
  try {
    return decodeURIComponent(field)
  } catch {
    return ""
  }
}

/** Whether this server compiles the prompt as it is now, and for this caller. */
export function canCompile(): boolean {
  const { mode, sources = [], caller } = info.value ?? {}
  return caller?.isOperator === true && (mode === "serve" || sources.some(({ id }) => id === "folder"))
}
