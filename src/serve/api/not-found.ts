// The answer for what doesn't exist, and for what is another person's: the same bytes.
import { NOT_FOUND } from "../http/refuse.ts"
import { SurfaceError } from "../talk/surface-error.ts"

export function notFound(): SurfaceError {
  return new SurfaceError(404, NOT_FOUND.code, NOT_FOUND.message)
}
