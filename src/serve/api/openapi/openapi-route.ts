// The document describes this route as well.
import { z } from "zod"
import { type Route, route } from "../route.ts"
import { openApiDocument } from "./openapi.ts"

/** All routes, with the one that describes them. */
export function describedRoutes(routes: readonly Route[]): readonly Route[] {
  const described: Route = route({
    ...{ method: "GET", path: "/api/openapi.json", scopes: ["talk", "read", "operate"] },
    summary: "This document",
    answer: z.looseObject({ openapi: z.string() }),
    handle: () => openApiDocument([...routes, described]),
  })
  return [...routes, described]
}
