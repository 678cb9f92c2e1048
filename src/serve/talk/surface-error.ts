// A request that a compatible surface cannot serve. Each surface writes it in the shape of its API.

export type SurfaceStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 413
  | 415
  | 421
  | 422
  | 429
  | 500
  | 502
  | 503

/** Thrown while a request is read or answered; `message` is one line for the developer of the client. */
export class SurfaceError extends Error {
  readonly status: SurfaceStatus
  /** A stable word, such as "model_not_found". */
  readonly code: string
  /** The field of the request that it is about. */
  readonly param: string | undefined

  constructor(status: SurfaceStatus, code: string, message: string, param?: string) {
    super(message)
    this.name = "SurfaceError"
    this.status = status
    this.code = code
    this.param = param
  }
}

/** The path exists and takes another method. */
export class WrongMethod extends SurfaceError {
  readonly allowed: string

  constructor(path: string, used: string, allowed: string) {
    super(405, "method_not_allowed", `${path} takes ${allowed}, not ${used}`)
    this.allowed = allowed
  }
}

/** Headers of the answer to a request that failed. */
export function failureHeaders(error: unknown, status: number): Record<string, string> {
  if (error instanceof WrongMethod) return { allow: error.allowed }
  // A message that was received is not to be sent again by an SDK.
  return status === 429 || status >= 500 ? { "x-should-retry": "false" } : {}
}

export function unsupported(param: string, why: string): SurfaceError {
  return new SurfaceError(400, "unsupported_parameter", why, param)
}

export function invalid(param: string, why: string): SurfaceError {
  return new SurfaceError(400, "invalid_value", why, param)
}

export function tooMany(why: string): SurfaceError {
  return new SurfaceError(413, "too_many_parts", why)
}
