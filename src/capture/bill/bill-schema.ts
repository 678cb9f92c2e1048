// The schema of `bill --json`, which is a contract: schema/bill.json is generated from it, and the command's output is
// checked against it.
import { z } from "zod"
import { LEVELS } from "../../base/diagnostics/kind.ts"
import { CLIENTS } from "../call.ts"
import { MATCHES, OWNER_KINDS } from "../owner.ts"
import { ADVICE_KINDS, COST_GROUPS, MISS_CAUSES } from "./bill.ts"

const count = z.int().min(0)
const amount = z.number().min(0)
const usd = z.number().nullable().describe("US dollars; null if unknown")
const at = z.number().describe("milliseconds since 1970")
const client = z.enum(CLIENTS)

const sum = {
  calls: count,
  sessions: count,
  tokens: z.strictObject({ uncached: amount, read: amount, written: amount, output: amount }),
  costUsd: usd,
  unpriced: count.describe("calls whose cost is unknown; they are in no sum of dollars"),
  reported: count.describe("calls at the price that the client itself reports"),
}
const keyed = z.strictObject({ key: z.string(), ...sum })

const owner = {
  kind: z.enum(OWNER_KINDS),
  path: z.string().optional(),
  lines: z.tuple([z.int(), z.int()]).optional(),
  name: z.string().optional(),
  server: z.string().optional(),
  input: z.string().optional(),
  match: z.enum(MATCHES),
}

const miss = z.strictObject({
  at,
  client,
  session: z.string(),
  call: z.string(),
  cause: z.enum(MISS_CAUSES),
  owner: z.strictObject({ ...owner, line: z.int().optional(), lineBefore: z.int().optional() }).optional(),
  how: z.enum(["came", "went", "changed", "moved"]).optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  setting: z.string().optional(),
  idleMs: z.number().optional(),
  ttlMs: z.number().optional(),
  models: z.tuple([z.string(), z.string()]).optional(),
  tokens: amount,
  costUsd: usd,
})

export const billSchema = z.strictObject({
  ...sum,
  from: at.optional(),
  to: at.optional(),
  since: at.optional(),
  until: at.optional(),
  timeZone: z.string(),
  exact: z.boolean(),
  estimatedCalls: count,
  estimated: z.array(
    z.strictObject({
      client,
      coverage: z.enum(["partial", "none"]),
      calls: count,
      why: z.string(),
      fix: z.string(),
    }),
  ),
  prices: z.array(
    z.strictObject({
      model: z.string(),
      calls: count,
      kind: z.enum(["list", "similar", "client", "unknown"]),
      source: z.string().optional(),
      date: z.string().optional(),
    }),
  ),
  byDay: z.array(keyed),
  bySession: z.array(
    z.strictObject({ key: z.string(), client, project: z.string().optional(), from: at, to: at, ...sum }),
  ),
  byClient: z.array(keyed),
  byModel: z.array(keyed),
  groups: z.array(
    z.strictObject({
      group: z.enum(COST_GROUPS),
      costUsd: usd,
      share: z.number(),
      items: z.array(z.strictObject({ name: z.string(), costUsd: usd, tokens: amount })),
      count,
      used: count.optional(),
    }),
  ),
  owners: z.array(
    z.strictObject({
      ...owner,
      group: z.enum(COST_GROUPS),
      tokens: amount,
      carriedTokens: amount,
      calls: count,
      carriedUsd: usd,
      times: count.optional(),
      sent: count.optional(),
      used: count.optional(),
      others: count.optional(),
    }),
  ),
  missedUsd: usd,
  missGroups: z.array(
    z.strictObject({
      cause: z.enum(MISS_CAUSES),
      count,
      tokens: amount,
      costUsd: usd,
      costliest: miss,
      names: z.array(z.string()),
    }),
  ),
  misses: z.array(miss),
  advice: z.array(
    z.strictObject({
      kind: z.enum(ADVICE_KINDS),
      text: z.string(),
      command: z.string().optional(),
      savesUsd: z.number(),
      simulated: z.literal(true),
    }),
  ),
  reading: z.strictObject({
    files: count,
    bytes: count,
    skippedFiles: count,
    usageMs: amount,
    detailMs: amount,
    duplicates: count,
    clients: z.array(
      z.strictObject({ client, title: z.string(), folders: z.array(z.string()), files: count }),
    ),
  }),
  diagnostics: z.array(
    z.strictObject({
      code: z.string(),
      level: z.enum(LEVELS),
      message: z.string(),
      path: z.string().optional(),
      line: z.int().optional(),
    }),
  ),
})
