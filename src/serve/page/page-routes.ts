// What the page reads: sessions, their calls, one call as the model received it, and where lines of a file rode along.
// Every source answers in the same form.
import { z } from "zod"
import { badField } from "../api/read-input.ts"
import { type Route, route } from "../api/route.ts"
import { askedSource, missing, sourceOf } from "./asked-source.ts"
import { MONEY_ROUTES } from "./money/money-routes.ts"
import type { PageCall } from "./page-call.ts"
import {
  callDetailSchema,
  callPageSchema,
  carriedSchema,
  pageInfoSchema,
  sessionPageSchema,
} from "./shown-schema.ts"

const SCOPES = ["read", "operate"] as const

const info = route({
  ...{ method: "GET", path: "/api/page", scopes: ["talk", "read", "operate"] },
  summary: "What the page of this server shows you",
  description: "People, situations and models are for operators.",
  answer: pageInfoSchema,
  handle: (_asked, { caller, page }: PageCall) => page.info(caller),
})

const sessions = route({
  ...{ method: "GET", path: "/api/page/sessions", scopes: SCOPES },
  summary: "List sessions of a source with their calls, the most recently used first",
  description: "Of the agent, your own; an operator gets those of everybody, with what they cost.",
  query: z.strictObject({
    source: askedSource,
    after: z.string().optional().describe("`next` of the page before."),
    limit: limitOf({ most: 200, usual: 50 }),
  }),
  answer: sessionPageSchema,
  handle: ({ query: { source: id, after, limit } }, call: PageCall) =>
    sourceOf(call, id).sessions(call.caller, { after, limit }),
})

const calls = route({
  ...{ method: "GET", path: "/api/calls", scopes: SCOPES },
  summary: "List the calls of a session: usage, cost, and why the cache was missed",
  description: "The newest ones, oldest first. Tokens, costs and causes need full trust.",
  query: z.strictObject({
    source: askedSource,
    session: z.string(),
    before: z.string().optional().describe("`earlier` of the page before."),
    limit: limitOf({ most: 500, usual: 200 }),
  }),
  answer: callPageSchema,
  async handle({ query: { source: id, ...asked } }, call: PageCall) {
    return (await sourceOf(call, id).calls(call.caller, asked)) ?? missing()
  },
})

const call = route({
  ...{ method: "GET", path: "/api/calls/{id}", scopes: SCOPES },
  summary: "Read one call as the model received it, part by part",
  description:
    "Shows what the session's audience may see; an operator also sees what was withheld from it. Below full trust, inputs and results of tools, what the model thought, tokens and costs are left out.",
  query: z.strictObject({ source: askedSource }),
  answer: callDetailSchema,
  async handle({ params: { id = "" }, query }, asked: PageCall) {
    return (await sourceOf(asked, query.source).call(asked.caller, id)) ?? missing()
  },
})

const line = z.coerce.number().int().min(1).max(10_000_000)

const carried = route({
  ...{ method: "GET", path: "/api/carried", scopes: SCOPES },
  summary: "Sum up the calls that lines of a file rode in",
  description: "Looks at the newest calls; `isWhole` says whether those are all. Costs need full trust.",
  query: z.strictObject({
    source: askedSource,
    path: z.string().min(1).describe("As the sections of a prompt name it."),
    from: line.describe("The first line, from 1."),
    to: line.optional().describe("The last line. Default: the first one."),
    session: z.string().optional().describe("Only the calls of this session."),
  }),
  answer: carriedSchema,
  handle({ query: { source: id, path, from, to = from, session } }, asked: PageCall) {
    if (to < from) throw badField("to", "is before `from`")
    return sourceOf(asked, id).carried(asked.caller, {
      ...{ path, lines: [from, to], session, signal: asked.signal },
    })
  },
})

export const PAGE_ROUTES: readonly Route<PageCall>[] = [
  ...[info, sessions, calls, call, carried],
  ...MONEY_ROUTES,
]

function limitOf({ most, usual }: { readonly most: number; readonly usual: number }) {
  return z.coerce.number().int().min(1).max(most).default(usual).describe("How many, at most.")
}
