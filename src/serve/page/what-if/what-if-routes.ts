// What If: the input of one compile, a change as a patch, and its application. For operators only, because the input has
// text that the prompt's audience may not see. Where a prompt comes from is for the program to say: a running agent, or
// a folder.
import { z } from "zod"
import type { Inspected } from "../../../agent/turn/prompt/inspected.ts"
import { reportSchema } from "../../api/compile/report-schema.ts"
import { isOperator } from "../../api/operator.ts"
import { badField } from "../../api/read-input.ts"
import { type Route, route } from "../../api/route.ts"
import type { SurfaceCall } from "../../http/surface.ts"
import { SurfaceError } from "../../talk/surface-error.ts"
import { applySchema, askedSchema, MOST_BODY, patchSchema } from "./asked.ts"
import { applyPatch, patchOf } from "./patch.ts"
import { plainInput } from "./plain-input.ts"
import type { WhatIfAsked } from "./what-if-shown.ts"

/** Compiles a prompt without effects, with everything that it was made from. */
export type InspectPrompt<Call> = (asked: WhatIfAsked, call: Call) => Promise<Inspected>

/** A sender on a channel whom no incipit.yaml names. */
export const STRANGER = "page:stranger"

type HasCaller = Pick<SurfaceCall, "caller">

/** `apply` is only for a program that may write. */
export function whatIfRoutes<Call extends HasCaller>(
  inspect: InspectPrompt<Call>,
  { mayApply }: { readonly mayApply: boolean },
): readonly Route<Call>[] {
  return [inputRoute(inspect), patchRoute(inspect), ...(mayApply ? [applyRoute(inspect)] : [])]
}

const facts = z.looseObject({})

const inputAnswer = z.strictObject({
  profile: z.looseObject({ kind: z.enum(["bundled", "custom"]), name: z.string() }),
  agent: facts.describe("As the library's `Agent`; the lines of JSON files are pairs."),
  session: facts,
  turn: facts,
  budget: facts,
  ttl: z.string(),
  diagnostics: z.array(facts),
  countsMessage: z.boolean(),
  models: z.array(facts),
  files: z.array(z.looseObject({ path: z.string(), kind: z.enum(["editable", "fixed"]) })),
  hooks: z.array(z.string()),
  configProblem: z.string().nullable(),
  report: reportSchema.describe("What the server compiled from the same input."),
})

function inputRoute<Call extends HasCaller>(inspect: InspectPrompt<Call>): Route<Call> {
  return route({
    ...{ method: "POST", path: "/api/what-if", scopes: ["operate"], bodyBytes: MOST_BODY },
    summary: "Everything that a prompt is compiled from",
    description:
      "For the page, which compiles it again in the browser with other settings. Includes what the prompt's own audience may not see, so it is for operators.",
    body: askedSchema,
    answer: inputAnswer,
    async handle({ body }, call: Call) {
      return plainInput(await inspected(inspect, body, call))
    },
  })
}

const patchAnswer = z.strictObject({
  patch: z.string().describe("For `git apply` in the workspace; empty if nothing changes."),
  files: z.array(z.strictObject({ path: z.string(), isNew: z.boolean() })),
})

function patchRoute<Call extends HasCaller>(inspect: InspectPrompt<Call>): Route<Call> {
  return route({
    ...{ method: "POST", path: "/api/what-if/patch", scopes: ["operate"], bodyBytes: MOST_BODY },
    summary: "A change of What If as a patch",
    description: "Changed files, and the sections, the budget and the model in incipit.yaml. Writes nothing.",
    body: patchSchema,
    answer: patchAnswer,
    async handle({ body: { changes, ...asked } }, call: Call) {
      return patchOf(await inspected(inspect, asked, call), changes)
    },
  })
}

function applyRoute<Call extends HasCaller>(inspect: InspectPrompt<Call>): Route<Call> {
  return route({
    ...{ method: "POST", path: "/api/what-if/apply", scopes: ["operate"], bodyBytes: 2 * MOST_BODY },
    summary: "Write a change of What If to the workspace",
    description:
      "`patch` is the patch that was shown and approved. If the files have changed since, nothing is written.",
    body: applySchema,
    answer: z.strictObject({ written: z.array(z.string()) }),
    async handle({ body: { changes, patch, ...asked } }, call: Call) {
      return applyPatch(await inspected(inspect, asked, call), changes, patch)
    },
  })
}

async function inspected<Call extends HasCaller>(
  inspect: InspectPrompt<Call>,
  asked: WhatIfAsked,
  call: Call,
): Promise<Inspected> {
  if (!isOperator(call.caller))
    throw new SurfaceError(
      403,
      "not-operator",
      "What If is for operators: it shows what is withheld. It needs full trust and the scope operate.",
    )
  const found = await inspect(asked, call)
  const codes = found.prompt.plan.diagnostics.map(({ code }) => code)
  if (asked.user && codes.includes("unknown-user"))
    throw badField("user", `incipit.yaml has no user "${asked.user}"`)
  if (asked.situation !== undefined && codes.includes("unknown-situation"))
    throw badField("situation", `there is no situation "${asked.situation}"`)
  return found
}
