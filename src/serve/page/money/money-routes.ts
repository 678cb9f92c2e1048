// Where the money went, and what the same calls would have cost in other ways.
import { z } from "zod"
import { isTimeZone } from "../../../base/clock-face.ts"
import { badField } from "../../api/read-input.ts"
import { type Route, route } from "../../api/route.ts"
import { askedSource, missing, sourceOf } from "../asked-source.ts"
import type { PageCall } from "../page-call.ts"
import { COSTS_BY } from "../shown.ts"
import { costsSchema, simulatedSchema } from "./money-schema.ts"

const SCOPES = ["read", "operate"] as const
const moment = z.coerce.number().int().min(0).max(8.64e15)

const costs = route({
  ...{ method: "GET", path: "/api/page/costs", scopes: SCOPES },
  summary: "Sum up what the calls of a source cost, by whose text it was, day, session, person or model",
  description:
    "An operator gets all calls; others those of their newest sessions, as far as they may see them. Needs full trust; below, `isOpen` is false.",
  query: z.strictObject({
    source: askedSource,
    by: z.enum(COSTS_BY).default("owner"),
    since: moment.optional().describe("Milliseconds since 1970."),
    until: moment.optional().describe("Milliseconds since 1970; not included."),
    session: z.string().optional().describe("Only the calls of this session."),
    timeZone: z.string().default("UTC").describe("For days."),
  }),
  answer: costsSchema,
  async handle({ query: { source, ...asked } }, call: PageCall) {
    const { timeZone } = asked
    if (!isTimeZone(timeZone)) throw badField("timeZone", `there is no time zone "${timeZone}"`)
    return (await sourceOf(call, source).costs(call.caller, asked)) ?? missing()
  },
})

const simulated = route({
  ...{ method: "GET", path: "/api/page/simulated", scopes: SCOPES },
  summary: "Simulate the calls of a session with another cache lifetime, other marks and other providers",
  description:
    "By the published rules of the providers' caches: simulated, not measured. The newest calls only, as far as there is time; `notes` say what was left out.",
  query: z.strictObject({ source: askedSource, session: z.string() }),
  answer: simulatedSchema,
  async handle({ query: { source, session } }, call: PageCall) {
    return (await sourceOf(call, source).simulated(call.caller, session)) ?? missing()
  },
})

export const MONEY_ROUTES: readonly Route<PageCall>[] = [costs, simulated]
