// What a change would cost a running session of the caller: the JSON of `incipit price --json`. Simulated.
import { z } from "zod"
import { termsOf } from "../../../agent/models/terms.ts"
import type { Inspected } from "../../../agent/turn/prompt/inspected.ts"
import { inCountedTokens } from "../../../core/fit/budget.ts"
import { view } from "../../../core/view/view.ts"
import { PLANNED_LAYOUT } from "../../../render/cache/cache-layouts.ts"
import { type Change, priceOfChange, priceOfSwitch } from "../../../render/cache/change-price.ts"
import { EDIT_TOKENS } from "../../../render/cache/scenario.ts"
import { budgetOf } from "../../../sources/config/budget.ts"
import { o200k } from "../../../tokens/o200k.ts"
import { badField } from "../read-input.ts"
import { type Route, route } from "../route.ts"
import { toolSchema } from "./tool-schema.ts"
import { inspectWorkspace, realModel, workspaceSchema } from "./workspace-prompt.ts"

const MOST_BYTES = 200_000
const CONVERSATION = 20_000
const CALLS_A_DAY = 200

const KINDS = ["edit", "addTools", "removeTool", "switchTo"] as const

const change = z
  .strictObject({
    edit: z.string().optional().describe("The path of a file in the prompt, as the report names it."),
    adds: z.int().min(-100_000).max(100_000).default(EDIT_TOKENS).describe("Tokens that the edit adds."),
    addTools: z.array(toolSchema).min(1).max(100).optional(),
    removeTool: z.string().optional(),
    switchTo: z.string().min(1).optional().describe("Another model."),
  })
  .refine((given) => KINDS.filter((kind) => given[kind] !== undefined).length === 1, {
    message: `must name exactly one of ${KINDS.join(", ")}`,
  })

type GivenChange = z.infer<typeof change>

const extra = z.strictObject({ units: z.number().optional(), usd: z.number().nullable() })
const impact = z.strictObject({ now: extra, later: extra, rewritten: z.number() })

export const PRICE_ROUTE: Route = route({
  ...{ method: "POST", path: "/api/price", scopes: ["read"], bodyBytes: MOST_BYTES },
  summary: "Say what a change would cost a running session",
  description:
    "The JSON of `incipit price --json`. `change` is one of: `edit` a file, `addTools`, `removeTool`, or `switchTo` another model.",
  body: workspaceSchema.omit({ format: true }).extend({
    change,
    model: z.string().min(1).optional().describe("Default: the agent's."),
    conversation: z.int().min(0).default(CONVERSATION).describe("Tokens of the conversation so far."),
    callsADay: z.int().min(1).default(CALLS_A_DAY),
  }),
  answer: z.strictObject({
    simulated: z.literal(true),
    what: z.string(),
    model: z.string(),
    conversation: z.int(),
    callsADay: z.int(),
    how: z.enum(["none", "append", "wait", "rebuild"]).optional(),
    asSent: impact.optional(),
    atOnce: impact,
    nextEpoch: impact,
  }),
  async handle({ body: { change: wanted, model: named, conversation, callsADay, ...body } }, call) {
    const found = await inspectWorkspace(body, call)
    const { config } = found.workspace
    const { now } = call.services
    const model = named ?? realModel(found.session.model ?? "")
    const options = await pricing(found, { model, conversation, now: now() })
    const facts = { simulated: true, model, conversation, callsADay } as const
    const { switchTo } = wanted
    if (switchTo === undefined) {
      const { what, edits } = changeOf(wanted, found)
      return { ...facts, what, ...priceOfChange(edits, options) }
    }
    const next = await termsOf(switchTo, config, now())
    const session = { ...found.session, model: switchTo }
    const budget = budgetOf(config, found.profile, { model: switchTo })
    const { rule, price } = next
    return {
      ...facts,
      what: `Switching to ${switchTo}`,
      ...priceOfSwitch(options, { session, budget, rule, price }),
    }
  },
})

interface PricedAs {
  readonly model: string
  readonly conversation: number
  readonly now: number
}

async function pricing(found: Inspected, { model, conversation, now }: PricedAs) {
  const { profile, agent, turn, ttl, workspace } = found
  const { rule, price } = await termsOf(model, workspace.config, now)
  const budget = budgetOf(workspace.config, profile, { model })
  const room = budget.window - budget.reserve
  if (conversation > room)
    throw badField("conversation", `does not fit: the window has room for ${room} tokens`)
  return {
    ...{ profile, agent, session: { ...found.session, model }, turn, budget, ttl, rule, price },
    ...{ layout: PLANNED_LAYOUT, counter: o200k },
    conversation: inCountedTokens(conversation, budget.ratio ?? { factor: 1, exact: true }),
  }
}

/** Only what the session's audience may see can be changed: everything else is not there. */
function changeOf(
  { edit, adds, addTools, removeTool = "" }: GivenChange,
  { agent, session }: Inspected,
): { readonly what: string; readonly edits: Change } {
  const seen = view(agent, session)
  if (edit !== undefined) {
    const file = [...seen.agent.files, ...seen.session.files].find(({ path }) => path === edit)
    if (file === undefined) throw badField("change.edit", `${edit} is not in this prompt`)
    const what = `Editing ${edit} (${adds < 0 ? "" : "+"}${adds} tokens)`
    return { what, edits: { edits: [{ path: edit, adds }] } }
  }
  if (addTools !== undefined) {
    const names = addTools.map(({ name }) => name).join(", ")
    return { what: `Adding the tool ${names}`, edits: { tools: { add: addTools, remove: [] } } }
  }
  if (!seen.agent.tools.some(({ name }) => name === removeTool))
    throw badField("change.removeTool", `there is no tool "${removeTool}"`)
  return { what: `Removing the tool ${removeTool}`, edits: { tools: { add: [], remove: [removeTool] } } }
}
