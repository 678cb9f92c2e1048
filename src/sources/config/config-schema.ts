// The shape of `incipit.yaml`. docs/reference/configuration.md and schema/incipit.json are generated from it.
import { z } from "zod"
import { isTimeZone } from "../../base/clock-face.ts"
import { parseBytes } from "../../base/data-size.ts"
import { isDuration } from "../../base/duration.ts"
import { CACHE_TTLS } from "../../core/model/cache-ttl.ts"
import { EFFORTS, TOOL_FORMATS } from "../../core/model/inputs.ts"
import { ON_CHANGES } from "../../core/model/on-change.ts"
import { PRIORITIES } from "../../core/model/priority.ts"
import { BUILT_IN_TOOL_NAMES } from "../../profiles/incipit/tools.ts"
import { FRESHNESS } from "../read/renamed-keys.ts"
import { isPattern } from "../read/short-pattern.ts"
import { approveSchema } from "./approve-schema.ts"
import { cronProblem } from "./cron.ts"
import { databaseSchema } from "./database-schema.ts"
import { mcpServerSchema } from "./mcp-schema.ts"
import { cacheRuleSchema, priceSchema } from "./price-schema.ts"
import { sandboxSchema } from "./sandbox/sandbox-schema.ts"
import { serveSchema } from "./serve-schema.ts"
import { spendingSchema } from "./spending-schema.ts"

const tokens = z.int().min(0)
const share = z.number().min(0).max(1)
/** Checked where it is used: a misspelt level fails closed instead of stopping the program. */
const trust = z.string().describe("public, familiar, inner or full")
const value = z.union([z.string(), z.number(), z.boolean()])

/** A path that led out of memory/ would make the files there memories, in a folder that may come from anybody. */
const storeName = z
  .string()
  .refine(
    (name) => name.split(/[\\/]/).every((part) => !["", ".", ".."].includes(part)),
    "is not a folder of memory/",
  )

const onOff = z.union([z.literal(["on", "off"]), z.boolean()])

const modelId = z
  .string()
  // Messages and diagnostics show the id, so it must stay short.
  .max(200)
  .refine((id) => !/[\p{C}\p{Z}]/u.test(id), "has spaces or invisible characters")

const provider = z.object({
  url: z
    .string()
    .refine((text) => /^https?:/.test(text) && URL.canParse(text), "is not a URL")
    .describe(
      "the URL of its OpenAI-compatible API, such as http://localhost:8000/v1; used once you approve it",
    ),
  key: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, "is not the name of an environment variable")
    .optional()
    .describe("the environment variable that holds its key, never the key itself; sent once you approve it"),
  tools: z.enum(TOOL_FORMATS).optional().describe("how tools are sent to its models (default: native)"),
  files: z
    .boolean()
    .optional()
    .describe("whether its models take images and documents; false sends a line instead (default: true)"),
})

/** What to do with runs whose time passed while the agent was not running. */
const MISSED = ["once", "skip", "all"] as const

const scheduleEntry = z.object({
  cron: z
    .string()
    .check(({ value, issues }) => {
      const message = cronProblem(value)
      if (message !== undefined) issues.push({ code: "custom", message, input: value })
    })
    .describe(
      "five fields (minute, hour, day of the month, month, day of the week), or a word such as @daily",
    ),
  run: z.string().min(1).describe("a file in the workspace, or the message to send"),
  zone: z
    .string()
    .refine(isTimeZone, "is not a time zone such as Europe/Stockholm")
    .optional()
    .describe("its time zone (default: the machine's)"),
  missed: z
    .enum(MISSED)
    .optional()
    .describe("which missed runs of the last day to make up for: the newest (default), none, or all"),
})

export type ConfiguredRun = NonNullable<Config["schedule"]>[number]

const DURING_TURN = ["queue", "steer"] as const

/** What becomes of a further message during a turn. */
export type DuringTurn = (typeof DURING_TURN)[number]

export const configSchema = z.object({
  profile: z
    .string()
    .optional()
    .describe("a profile by name, or the path of a module that exports one, which runs once you approve it"),
  database: databaseSchema.optional(),
  model: modelId.optional().describe("provider/model"),
  fallback_model: modelId
    .optional()
    .describe(
      "provider/model that takes over for the rest of a turn when `model` is overloaded, limited or silent, also after retries",
    ),
  effort: z
    .union([z.enum(EFFORTS), z.record(z.string(), z.enum(EFFORTS))])
    .optional()
    .describe(
      "how much the model thinks before it answers: one level for all models, or a level by provider/model (default: the model's own)",
    ),
  tools: z
    .array(z.enum(BUILT_IN_TOOL_NAMES))
    .optional()
    .describe("the built-in tools to use; [] for none (default: all)"),
  workspace_writes: z
    .boolean()
    .optional()
    .describe(
      "whether tools may write files of the workspace while memory is in a database; set it if there is one gateway, or all of them share the folder (default: false)",
    ),
  tool_format: z
    .enum(TOOL_FORMATS)
    .optional()
    .describe(
      "how tools are sent to the model; fallback writes them into the prompt (default: depends on the model)",
    ),
  approve: approveSchema
    .optional()
    .describe("which actions of tools are allowed, asked about or denied, by pattern"),
  providers: z
    .record(z.string(), provider)
    .optional()
    .describe("model providers by the name before the slash in `model`"),
  budget: z
    .object({
      window: tokens.optional().describe("tokens in the model's window"),
      reserve: tokens.optional().describe("tokens reserved for the answer"),
      head: tokens.optional().describe("most tokens of stable and session text"),
      tail: tokens.optional().describe("most tokens of turn text"),
      shares: z
        .object({ high: share, medium: share })
        .optional()
        .describe("the share of a budget that sections of high and medium priority may take"),
    })
    .optional()
    .describe("token budgets"),
  cache: z
    .object({
      ttl: z.enum(CACHE_TTLS).optional().describe("how long the provider keeps the cached prefix"),
      rules: z
        .array(cacheRuleSchema)
        .optional()
        .describe("rules that override the bundled ones, for example after a provider changed them"),
    })
    .optional()
    .describe("the provider's prompt cache"),
  prices: z
    .array(priceSchema)
    .optional()
    .describe("prices in dollars per million tokens; they override the bundled ones"),
  spending: spendingSchema
    .optional()
    .describe(
      "the most that calls may cost: dollars such as $0.50, tokens such as 200k tokens, or a list of both",
    ),
  ratchet: z
    .object({
      growth: z
        .number()
        .min(0)
        .optional()
        .describe(
          "by how many percent tokens and prices of the prompt may grow compared with the base branch (default: 10)",
        ),
      tokens: tokens.optional().describe("most tokens that tools and cached prefix may take in all"),
    })
    .optional()
    .describe("the limits of `incipit check --ratchet`"),
  prompt: z
    .object({
      files: z
        .array(
          z.object({
            path: z.string().describe("a workspace file"),
            trust: trust.optional(),
            per_user: z.boolean().optional().describe("read from users/<id>/ instead"),
          }),
        )
        .optional()
        .describe("more files, or another trust for known ones"),
      sections: z
        .record(
          z.string(),
          z.union([
            z.literal(["off", "on"]),
            z.boolean(),
            z.object({
              priority: z.enum(PRIORITIES).optional(),
              on_change: z.enum(ON_CHANGES).optional(),
              need: z.enum(PRIORITIES).optional().describe("the name of `priority` in 0.1"),
              freshness: z.enum(FRESHNESS).optional().describe("the name of `on_change` in 0.1"),
              text: z.string().optional().describe("its text, instead of the original"),
              file: z.string().optional().describe("a file in the workspace with its text"),
              after: z.string().optional().describe("the section after which to insert a new one"),
            }),
          ]),
        )
        .optional()
        .describe("sections by id: off, another priority or on_change, another text, or your own section"),
      order: z.array(z.string()).optional().describe("sections to put first, within their pace"),
      context: z
        .enum(["first", "all"])
        .optional()
        .describe("project context per directory: the first file, or all"),
    })
    .optional()
    .describe("what goes into the prompt"),
  responsibilities: z
    .array(z.object({ title: z.string(), content: z.string() }))
    .optional()
    .describe("what the agent is for"),
  directories: z
    .array(z.string())
    .optional()
    .describe("other folders that the agent may use; a folder outside the workspace needs approval"),
  users: z
    .record(
      z.string(),
      z.object({
        trust,
        match: z.array(z.string()).optional().describe("identities on channels; may end in *"),
      }),
    )
    .optional()
    .describe("people by id"),
  situations: z
    .record(
      z.string(),
      z.object({
        ceiling: trust,
        prompt_overlay: z.string().optional().describe("a file that is sent in it"),
      }),
    )
    .optional()
    .describe("where messages come from; dm and system (full) and group (familiar) exist by default"),
  rooms: z
    .record(z.string(), z.object({ trust, situation: z.string().optional() }))
    .optional()
    .describe("rooms by channel id; a room has one trust for everyone in it"),
  memory: z
    .object({ stores: z.record(storeName, trust).optional().describe("folders of memory/ and their trust") })
    .optional()
    .describe("long-term memory"),
  inbox: z
    .object({
      during_turn: z
        .enum(DURING_TURN)
        .optional()
        .describe(
          "what becomes of a further message during a turn: queue (default) answers it afterwards, steer has the turn take it up at its next step",
        ),
    })
    .optional()
    .describe("how messages are received"),
  record: z
    .object({
      retention: z
        .string()
        .refine(isDuration, "is not a duration such as 30d")
        .optional()
        .describe("how long it is kept, such as 30d; older conversations are deleted too"),
      max_size: z
        .string()
        .refine((text) => parseBytes(text) !== undefined, "is not a size such as 1GB")
        .optional()
        .describe("how large the record file may grow, such as 1GB"),
      redact: z
        .array(z.string().refine(isPattern, "is not a regular expression"))
        .optional()
        .describe("patterns of secrets, in addition to the known ones"),
      otlp: z
        .object({
          endpoint: z.string().describe("such as http://localhost:4318; used once you approve it"),
          content: z.boolean().optional().describe("also send the texts"),
        })
        .optional()
        .describe("where spans are sent; without it, nothing leaves the machine"),
    })
    .optional()
    .describe("the record of events and requests"),
  environment: z
    .record(z.string(), z.union([value, z.record(z.string(), value)]))
    .optional()
    .describe("facts about the machine; false omits one"),
  sandbox: sandboxSchema.optional().describe("where commands run: docs/guide/sandbox.md"),
  mcp: z
    .record(z.string(), mcpServerSchema)
    .optional()
    .describe("MCP servers by name; each is a program or a service that is used once you approve it"),
  feeds: z
    .object({
      signal: onOff.optional().describe("how the message is classified"),
      recall: onOff.optional().describe("what memory recalls for the message"),
      tasks: onOff.optional().describe("open tasks"),
      workflow: onOff.optional().describe("the current workflow and its step"),
      communication: onOff.optional().describe("how the person writes, learned from their messages"),
      bulletin: onOff.optional().describe("a few lines about what is new in memory"),
      noise: onOff.optional().describe("answer small talk without a model; off by default"),
      enrichment: onOff
        .optional()
        .describe("also have a model classify the message, without waiting for it; off by default"),
    })
    .optional()
    .describe("what a running agent adds to the turn: on or off"),
  hooks: z
    .array(z.string())
    // Each module is inspected with everything it imports before the user has approved any of them.
    .max(100, "names more than 100 modules")
    .optional()
    .describe("modules that take part in turns, in this order, once you approve them; docs/guide/hooks.md"),
  schedule: z.array(scheduleEntry).optional().describe("what runs when, without a message from a user"),
  serve: serveSchema.optional().describe("the server of `incipit serve`"),
})

/** The content of incipit.yaml. */
export type Config = z.infer<typeof configSchema>
