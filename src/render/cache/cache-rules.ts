// How each provider's prompt cache works, as dated data: one row per provider and model family. Rows contain what was
// published and are not measured against a live provider. Configuration can put newer rows before these.
import { type CacheRule, TIERS, type Ttl } from "./cache-rule.ts"

const MINUTE = 60
const HOUR = 60 * MINUTE

const ANTHROPIC_TTLS: readonly Ttl[] = [
  { name: "5m", seconds: 5 * MINUTE, write: 1.25 },
  { name: "1h", seconds: HOUR, write: 2 },
]

/** What all Claude models share, wherever they run. */
const CLAUDE = {
  lookup: "breakpoint",
  step: 1,
  breakpoints: 4,
  implicit: false,
  markable: TIERS,
  surplus: "refused",
  lookBack: 20,
  ttls: ANTHROPIC_TTLS,
  read: 0.1,
  lateSystem: "refused",
} as const

const ANTHROPIC = {
  ...CLAUDE,
  invalidates: {
    model: "tools",
    speed: "system",
    web_search: "system",
    citations: "system",
    tool_choice: "messages",
    images: "messages",
    thinking: "messages",
    effort: "messages",
  },
  usage: {
    uncached: "usage.input_tokens",
    read: "usage.cache_read_input_tokens",
    write: "usage.cache_creation_input_tokens",
  },
  source: "platform.claude.com/docs/en/build-with-claude/prompt-caching",
  date: "2026-10-08",
} as const

/** Newer models accept a system message in the conversation. Observed in a client, not at the service. */
const ANTHROPIC_LATE = {
  ...ANTHROPIC,
  lateSystem: "after-user",
  source:
    "platform.claude.com/docs/en/build-with-claude/{prompt-caching, mid-conversation-system-messages}; requests of Claude Code 2.1.325",
  date: "2026-11-15",
} as const

const BEDROCK = {
  ...CLAUDE,
  invalidates: { model: "tools", tool_choice: "messages" },
  usage: {
    uncached: "usage.inputTokens",
    read: "usage.cacheReadInputTokens",
    write: "usage.cacheWriteInputTokens",
  },
  source: "docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html",
  date: "2026-10",
} as const

/** Shared by providers that find prefixes themselves and don't charge for caching. */
const AUTOMATIC = {
  lookup: "prefix",
  breakpoints: 0,
  implicit: false,
  markable: [],
  surplus: "ignored",
  lookBack: undefined,
  invalidates: { model: "tools" },
} as const

const OPENAI = {
  invalidates: {
    model: "tools",
    parallel_tool_calls: "tools",
    response_format: "tools",
    reasoning_effort: "tools",
    verbosity: "tools",
    service_tier: "tools",
  },
  lateSystem: "allowed",
} as const

const OPENAI_USAGE = {
  total: "usage.input_tokens",
  read: "usage.input_tokens_details.cached_tokens",
} as const
const CHAT_USAGE = {
  total: "usage.prompt_tokens",
  read: "usage.prompt_tokens_details.cached_tokens",
} as const

const OPENAI_MARKED = {
  ...OPENAI,
  lookup: "breakpoint",
  minimum: 1024,
  step: 1,
  breakpoints: 4,
  implicit: true,
  // Neither `instructions` nor a tool can carry one; a developer message can.
  markable: ["system", "messages"],
  surplus: "ignored",
  lookBack: undefined,
  // The price of writing for twelve hours isn't published, so that lifetime isn't offered.
  ttls: [{ name: "30m", seconds: 30 * MINUTE, write: 1.25 }],
  usage: { ...OPENAI_USAGE, write: "usage.input_tokens_details.cache_write_tokens" },
  source: "developers.openai.com/api/docs/guides/prompt-caching",
  date: "2026-11-03",
} as const

const OPENAI_AUTOMATIC = {
  ...AUTOMATIC,
  ...OPENAI,
  surplus: "refused",
  minimum: 1024,
  step: 128,
  usage: OPENAI_USAGE,
  source: "developers.openai.com/api/docs/guides/prompt-caching",
  date: "2026-09-23",
} as const

/** Idle time in memory. A provider may keep it for a day if retention allows, but a plan cannot rely on that. */
const IN_MEMORY: Ttl = { name: "in_memory", seconds: 5 * MINUTE, write: 1 }

const GEMINI = {
  ...AUTOMATIC,
  step: 1,
  // Not published; assumed to be as short as the shortest of the others.
  ttls: [{ name: "implicit", seconds: 5 * MINUTE, write: 1 }],
  read: 0.1,
  usage: { total: "usageMetadata.promptTokenCount", read: "usageMetadata.cachedContentTokenCount" },
  lateSystem: "refused",
  source: "ai.google.dev/gemini-api/docs/caching",
  date: "2026-09-11",
} as const

const DEEPSEEK = {
  ...AUTOMATIC,
  minimum: 64,
  step: 64,
  ttls: [{ name: "disk", seconds: 2 * HOUR, write: 1 }],
  usage: CHAT_USAGE,
  lateSystem: "unproven",
  source: "api-docs.deepseek.com/guides/kv_cache",
  date: "2026-10",
} as const

/** Provider names of models that run on the user's own machine. */
export const LOCAL_SERVERS = [
  "ollama",
  "vllm",
  "sglang",
  "llamacpp",
  "llama.cpp",
  "lmstudio",
  "local",
] as const

/** The names as alternatives of a regular expression. */
export function namesPattern(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(".", "\\.")).join("|")
}

/** With its provider, or with a Bedrock model name: `us.anthropic.claude-…`. */
const ON_BEDROCK = "(?:bedrock/|^(?:[a-z-]+\\.)?anthropic\\.).*"

/** A local server: tokens are free, so a cache saves only time. */
const LOCAL = {
  ...AUTOMATIC,
  minimum: 1,
  read: 0,
  usage: CHAT_USAGE,
  lateSystem: "refused",
} as const

/** The bundled cache rules, by model. */
export const CACHE_RULES: readonly CacheRule[] = [
  // These come first: the server decides, whatever the model.
  {
    id: "groq",
    models: "^groq/",
    ...AUTOMATIC,
    minimum: 128,
    step: 128,
    ttls: [{ name: "idle", seconds: 2 * HOUR, write: 1 }],
    read: 0.5,
    usage: CHAT_USAGE,
    lateSystem: "unproven",
    source: "console.groq.com/docs/prompt-caching",
    date: "2026-10",
  },
  {
    id: "ollama",
    models: "^ollama/",
    ...LOCAL,
    step: 1,
    ttls: [{ name: "loaded", seconds: 5 * MINUTE, write: 1 }],
    source: "github.com/ollama/ollama/pull/17943",
    date: "2026-08-22",
  },
  {
    id: "local",
    // `openai-compatible` is a server of which only the protocol is known.
    models: `^(?:${namesPattern(LOCAL_SERVERS)}|openai-compatible)/`,
    ...LOCAL,
    step: 16,
    ttls: [{ name: "lru", seconds: HOUR, write: 1 }],
    source: "docs.vllm.ai/en/latest/design/prefix_caching",
    date: "2026-10",
  },
  {
    id: "bedrock/claude-4096",
    models: `${ON_BEDROCK}claude-(?:opus-4[-.][56]|haiku-4[-.]5)`,
    ...BEDROCK,
    minimum: 4096,
  },
  {
    id: "bedrock/claude-2048",
    models: `${ON_BEDROCK}claude-(?:opus-4[-.]7|mythos-preview|3[-.]5-haiku|haiku-3[-.]5)`,
    ...BEDROCK,
    minimum: 2048,
  },
  {
    id: "bedrock/claude-512",
    models: `${ON_BEDROCK}claude-(?:(?:opus|fable|mythos)-5|(?:sonnet|haiku)-5[-.]5)`,
    ...BEDROCK,
    minimum: 512,
  },
  { id: "bedrock/claude", models: `${ON_BEDROCK}claude`, ...BEDROCK, minimum: 1024 },
  {
    id: "anthropic/claude-5.5",
    models: "(?:^|/)claude-(?:opus|sonnet)-5[-.]5",
    ...ANTHROPIC_LATE,
    minimum: 512,
    read: 0.05,
  },
  { id: "anthropic/haiku-5.5", models: "(?:^|/)claude-haiku-5[-.]5", ...ANTHROPIC_LATE, minimum: 512 },
  {
    id: "anthropic/fable-5.1",
    models: "(?:^|/)claude-(?:fable|mythos)-5[-.]1",
    ...ANTHROPIC_LATE,
    minimum: 512,
    read: 0.025,
  },
  {
    id: "anthropic/fable-5.2",
    models: "(?:^|/)claude-(?:fable|mythos)-5[-.]2",
    ...ANTHROPIC_LATE,
    // Not published; assumed to be that of most models.
    minimum: 1024,
    source: "ai-sdk.dev/providers/ai-sdk-providers/anthropic (system messages in the conversation)",
  },
  {
    id: "anthropic/fable-5",
    models: "(?:^|/)claude-(?:fable|mythos)-5(?![-.]\\d(?!\\d))",
    ...ANTHROPIC_LATE,
    minimum: 512,
  },
  {
    id: "anthropic/opus-5",
    models: "(?:^|/)claude-opus-5(?![-.]\\d(?!\\d))",
    ...ANTHROPIC_LATE,
    minimum: 512,
  },
  {
    id: "anthropic/sonnet-5",
    models: "(?:^|/)claude-sonnet-5(?![-.]\\d(?!\\d))",
    ...ANTHROPIC_LATE,
    minimum: 1024,
  },
  {
    id: "anthropic/opus-4.8",
    models: "(?:^|/)claude-opus-4[-.]8",
    ...ANTHROPIC_LATE,
    minimum: 1024,
  },
  {
    id: "anthropic/claude-2048",
    models: "(?:^|/)claude-(?:opus-4[-.]7|mythos-preview|3[-.]5-haiku|haiku-3[-.]5)",
    ...ANTHROPIC,
    minimum: 2048,
  },
  {
    id: "anthropic/claude-4096",
    models: "(?:^|/)claude-(?:opus-4[-.][56](?!\\d)|haiku-4[-.]5)",
    ...ANTHROPIC,
    minimum: 4096,
  },
  { id: "anthropic/claude", models: "(?:^|/)claude-", ...ANTHROPIC, minimum: 1024 },
  {
    id: "openai/gpt-6.1-sol",
    models: "(?:^|/)gpt-6[-.]1-sol",
    ...OPENAI_MARKED,
    read: 0.05,
  },
  { id: "openai/gpt-5.6", models: "(?:^|/)gpt-(?:5[-.][6-9]|[6-9])", ...OPENAI_MARKED, read: 0.1 },
  { id: "openai/gpt-5", models: "(?:^|/)gpt-5", ...OPENAI_AUTOMATIC, ttls: [IN_MEMORY], read: 0.1 },
  {
    id: "openai/gpt-4.1",
    models: "(?:^|/)(?:gpt-4[-.]1|o[34])",
    ...OPENAI_AUTOMATIC,
    ttls: [IN_MEMORY],
    read: 0.25,
  },
  { id: "openai/gpt-4o", models: "(?:^|/)(?:gpt-4o|o1)", ...OPENAI_AUTOMATIC, ttls: [IN_MEMORY], read: 0.5 },
  { id: "google/gemini-2.5", models: "(?:^|/)gemini-2[-.]5", ...GEMINI, minimum: 2048 },
  // Before 2.5, only explicitly stored content was cached.
  {
    id: "google/gemini",
    models: "(?:^|/)gemini-(?:[3-9]|\\d\\d|[a-z-]+-latest)",
    ...GEMINI,
    minimum: 4096,
  },
  { id: "deepseek/flash", models: "(?:^|/)deepseek-flash", ...DEEPSEEK, read: 0.02 },
  { id: "deepseek", models: "(?:^|/)deepseek-(?:v\\d|chat|reasoner)", ...DEEPSEEK, read: 0.033 },
  {
    id: "xai/grok",
    models: "(?:^|/)grok-",
    ...AUTOMATIC,
    minimum: 128,
    step: 128,
    ttls: [{ name: "server", seconds: 5 * MINUTE, write: 1 }],
    read: 0.25,
    usage: CHAT_USAGE,
    lateSystem: "unproven",
    source: "docs.x.ai/developers/advanced-api-usage/prompt-caching",
    date: "2026-10",
  },
]

/** For unknown models: assumes no cache and sets no breakpoints. */
export const NO_CACHE: CacheRule = {
  id: "unknown",
  models: "",
  ...AUTOMATIC,
  lookup: "none",
  minimum: 0,
  step: 1,
  ttls: [{ name: "none", seconds: 0, write: 1 }],
  read: 1,
  usage: CHAT_USAGE,
  lateSystem: "refused",
  source: "no rule matches the model",
  date: "",
}

/** The cache rule of a model, `provider/model`. The first matching row wins. */
export function ruleFor(model: string | undefined, rules: readonly CacheRule[] = CACHE_RULES): CacheRule {
  const id = model?.toLowerCase()
  if (id === undefined) return NO_CACHE
  return rules.find(({ models }) => new RegExp(models).test(id)) ?? NO_CACHE
}
