// Classifies failures of PostgreSQL by their codes, and puts them into words. No message has the password.
import { type ErrorCode, IncipitError } from "../../base/error.ts"
import type { DatabaseUrl } from "./database-url.ts"

/** Of the system, and of the server: connection exceptions, shutdown, crash, starting up, idle for too long. */
const LOST: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN", "ENOENT"],
  ...["57P01", "57P02", "57P03", "57P05", "25P03", "53300"],
])
/** The driver has no codes for what it finds itself. */
const LOST_TEXT =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying|Query read timeout|Cannot use a pool after)/

/** Serialization failure and deadlock: the server has undone the transaction. */
const COLLIDED: ReadonlySet<string> = new Set(["40001", "40P01"])

const REFUSED: ReadonlySet<string> = new Set(["28000", "28P01", "42501"])
const NO_DATABASE = "3D000"
const READ_ONLY = "25006"
/** Names a startup parameter that the server, or a pooler before it, does not take. */
const PROTOCOL = "08P01"

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
}

/** The connection is gone, or there is none. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined) return LOST.has(code) || (code.startsWith("08") && code !== PROTOCOL)
  return error instanceof Error && LOST_TEXT.test(error.message)
}

export function hasCollided(error: unknown): boolean {
  return COLLIDED.has(codeOf(error) ?? "")
}

/** A pooler has refused the options that are sent when a connection begins. */
export function isAboutOptions(error: unknown): boolean {
  return (
    codeOf(error) === PROTOCOL &&
    error instanceof Error &&
    /startup parameter|startup option/i.test(error.message)
  )
}

export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY
}

/** Errors of ours, and of our own code, stay as they are. */
export function asIncipitError(error: unknown, url: Pick<DatabaseUrl, "shown" | "password">): unknown {
  if (error instanceof IncipitError || !(error instanceof Error) || !isOfDriver(error)) return error
  const [code, text] = inWords(error, url.shown)
  const safe = withoutPassword(text, url.password)
  return new IncipitError(code, safe, safe === text ? { cause: error } : {})
}

function isOfDriver(error: Error): boolean {
  return isLost(error) || /^[0-9A-Z]{5}$/.test(codeOf(error) ?? "") || codeOf(error)?.startsWith("E") === true
}

function inWords(error: Error, shown: string): readonly [ErrorCode, string] {
  const code = codeOf(error) ?? ""
  const why = messageOf(error)
  if (code === READ_ONLY) return ["read-only-database", `${shown} takes no changes: the server is read-only`]
  if (code === NO_DATABASE) return ["unreachable-database", `${shown}: ${why}`]
  if (REFUSED.has(code)) return ["database-rights", `${shown} refuses this user: ${why}`]
  if (isLost(error)) return ["unreachable-database", `cannot reach ${shown}: ${why}`]
  return ["unusable-database", `cannot use ${shown}: ${why}`]
}

/** An error about several addresses has no message of its own. */
function messageOf(error: Error): string {
  if (error.message !== "") return error.message
  if (error instanceof AggregateError) return error.errors.map((one) => String(one.message)).join(", ")
  return codeOf(error) ?? error.name
}

/** The driver does not repeat it, but a server or a pooler may. */
function withoutPassword(text: string, password: string): string {
  return password === "" ? text : text.replaceAll(password, "***")
}
