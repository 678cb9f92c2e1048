// The list of models: the agents that are served.
import type { ServedAgents } from "../http/surface.ts"
import { SurfaceError } from "../talk/surface-error.ts"

const PREFIX = "/v1/models"

/** All of them, or the one that the path names. */
export function modelsAnswer(path: string, { names }: ServedAgents): Response {
  if (path === PREFIX) return Response.json({ object: "list", data: names.map(modelOf) })
  const name = decoded(path.slice(PREFIX.length + 1))
  if (names.includes(name)) return Response.json(modelOf(name))
  throw new SurfaceError(404, "model_not_found", `there is no agent "${name}"`, "model")
}

/** The format has a time for everything; an agent has none. */
function modelOf(id: string) {
  return { id, object: "model", created: 0, owned_by: "incipit" }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
