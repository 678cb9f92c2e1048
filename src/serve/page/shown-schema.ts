// The schemas of what the page shows, for the OpenAPI document. A test holds every answer against them, and the compiler
// holds them against shown.ts.
import { z } from "zod"
import { PACES } from "../../base/pace.ts"
import { TRUSTS } from "../../base/trust.ts"
import { MATCHES, OWNER_KINDS } from "../../capture/owner.ts"
import { PART_KINDS } from "../../capture/split/part.ts"
import { reportSchema } from "../api/compile/report-schema.ts"
import {
  type CallDetail,
  type CallPage,
  type Carried,
  type PageInfo,
  type SessionPage,
  SOURCES,
} from "./shown.ts"

const trust = z.enum(TRUSTS)
const at = z.number().describe("Milliseconds since 1970.")
const costUsd = z.number().nullable()
const lines = z.tuple([z.int().min(1), z.int().min(1)])

export const pageInfoSchema = z.strictObject({
  title: z.string().describe("The name of the agent, or of the file."),
  mode: z.enum(["serve", "inspect"]),
  sources: z.array(z.strictObject({ id: z.enum(SOURCES), title: z.string() })),
  caller: z.strictObject({
    user: z.string().nullable(),
    situation: z.string(),
    trust,
    scopes: z.array(z.string()),
    isOperator: z.boolean().describe("Full trust and the scope `operate`."),
  }),
  agents: z.array(z.string()),
  people: z.array(z.strictObject({ name: z.string(), trust, isOwner: z.boolean() })),
  situations: z.array(z.strictObject({ name: z.string(), ceiling: trust })),
  models: z.array(z.string()).describe("The agent's first."),
  version: z.string(),
}) satisfies z.ZodType<PageInfo>

export const sessionPageSchema = z.strictObject({
  sessions: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      client: z.string().describe("`incipit` for the agents of this server."),
      who: z.string().nullable().describe("Whose it is; for operators."),
      calls: z.int(),
      firstAt: at,
      lastAt: at,
      costUsd,
    }),
  ),
  next: z.string().nullable().describe("Pass it as `after` for the next page; null on the last one."),
}) satisfies z.ZodType<SessionPage>

export const usageSchema = z.strictObject({
  uncached: z.number(),
  read: z.number(),
  written: z.number(),
  output: z.number(),
})

const miss = z.strictObject({
  cause: z.string().describe("Such as `expired` or `changed`."),
  tokens: z.number().describe("Lost: the call before had left them in the cache."),
  costUsd: costUsd.describe("What they cost more than if they had been read."),
  sentence: z.string().describe("The whole explanation."),
  path: z.string().nullable(),
  line: z.int().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})

const callRow = z.strictObject({
  id: z.string(),
  session: z.string(),
  turn: z.string(),
  step: z.int(),
  at,
  model: z.string(),
  client: z.string(),
  usage: usageSchema.nullable().describe("Null if the provider did not say."),
  costUsd,
  isSimulated: z.boolean().describe("The offline model answered: the call was free."),
  miss: miss.nullable().describe("Why it read less from the cache than it could have."),
  error: z.string().nullable(),
})

export const callPageSchema = z.strictObject({
  calls: z.array(callRow),
  earlier: z.string().nullable().describe("Pass it as `before` for the calls before these."),
}) satisfies z.ZodType<CallPage>

export const ownerSchema = z.strictObject({
  kind: z.enum(OWNER_KINDS),
  path: z.string().optional(),
  lines: lines.optional(),
  name: z.string().optional(),
  server: z.string().optional(),
  input: z.string().optional(),
  match: z.enum(MATCHES),
})

const span = z.strictObject({
  start: z.int(),
  end: z.int(),
  section: z.string().nullable().describe("The section of the prompt that it belongs to."),
  owner: ownerSchema.nullable().describe("Null if it was made by the compiler, or is unknown."),
})

const part = z.strictObject({
  tier: z.enum(["tools", "system", "messages"]),
  kind: z.enum(PART_KINDS),
  role: z.string().nullable(),
  tool: z.string().nullable(),
  text: z.string(),
  tokens: z.number().describe("As the model counts; the parts add up to the input of the call."),
  pace: z.enum(PACES).nullable(),
  breakpoint: z.string().nullable().describe("The lifetime of the cache mark at its end."),
  cache: usageSchema.omit({ output: true }).nullable().describe("What the provider did with its tokens."),
  costUsd,
  spans: z.array(span).describe("Whose text it is. Offsets are in UTF-16 units."),
})

export const callDetailSchema = z.strictObject({
  call: callRow,
  report: reportSchema.nullable().describe("The prompt in the JSON of `incipit build --json`."),
  parts: z.array(part).describe("In the order in which the provider reads them."),
  cacheRates: z
    .strictObject({ read: z.number(), written: z.number() })
    .nullable()
    .describe("What a token costs, as multiples of an uncached one. Null without a prompt cache."),
  request: z.unknown().describe("What was sent to the provider, as far as the caller may see it."),
  isExact: z.boolean().describe("Whether `request` equals what was sent, byte for byte."),
  incomplete: z
    .strictObject({ why: z.string(), fix: z.string() })
    .optional()
    .describe(
      "Why the request of another client's call is not known, and what would make the next ones exact.",
    ),
  redacted: z.array(z.string()).describe("JSON pointers to values stored without a secret."),
  answer: z.string().nullable(),
})

export const carriedSchema = z.strictObject({
  path: z.string(),
  lines,
  calls: z.int(),
  tokens: z.number(),
  costUsd,
  firstAt: at.nullable(),
  lastAt: at.nullable(),
  ids: z.array(z.string()).describe("Of the newest of these calls, oldest first."),
  isWhole: z.boolean().describe("Whether all calls were looked at, and not only the newest."),
}) satisfies z.ZodType<Carried>

/** A report is read by its schema, which is looser than its type. */
type Checked<T> = Omit<T, "report"> & { readonly report: unknown }
callDetailSchema satisfies z.ZodType<Checked<CallDetail>>
