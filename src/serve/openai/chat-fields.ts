// What becomes of each field of the chat completions API.
import { isRecord } from "../../base/is-record.ts"
import type { Fields } from "../talk/request/fields.ts"

export const CHAT_FIELDS: Fields = {
  model: { kind: "used", note: "the name of an agent" },
  messages: {
    kind: "used",
    note: "text, images as `data:` URLs, files as base64, calls of the client's tools and their results; system and developer messages are a section of the prompt",
  },
  stream: { kind: "used" },
  stream_options: { kind: "used", note: "`include_usage`" },
  stop: { kind: "used", note: "at most 16 texts" },
  max_completion_tokens: { kind: "used", note: "ends the text; tokens are counted with o200k" },
  max_tokens: { kind: "used", note: "the same, if `max_completion_tokens` is missing" },
  tools: {
    kind: "used",
    note: "functions; offered beside the agent's own tools and handed back to the client",
  },
  tool_choice: {
    kind: "used",
    note: "`auto` and `none`; others are refused. It concerns the client's tools",
  },
  parallel_tool_calls: { kind: "used", note: "false: one call of the client's tools at a time" },
  reasoning_effort: { kind: "used", note: "in place of the agent's `effort`" },
  n: {
    kind: "refused",
    fine: (value) => value === 1,
    why: "n must be 1: an agent gives one answer to a message",
  },
  functions: { kind: "refused", why: "functions are not supported; use tools" },
  function_call: {
    kind: "refused",
    fine: (value) => value === "none" || value === "auto",
    why: "function_call is not supported; use tool_choice",
  },
  audio: { kind: "refused", why: "audio answers are not supported" },
  modalities: {
    kind: "refused",
    fine: (value) => Array.isArray(value) && value.every((item) => item === "text"),
    why: 'modalities must be ["text"]',
  },
  logprobs: { kind: "refused", why: "logprobs are not supported: an answer may come from several calls" },
  top_logprobs: {
    kind: "refused",
    fine: (value) => value === 0,
    why: "top_logprobs are not supported: an answer may come from several calls",
  },
  response_format: {
    kind: "refused",
    fine: (value) => isRecord(value) && value.type === "text",
    why: 'response_format must be {"type": "text"}; ask for JSON in the message',
  },
  web_search_options: {
    kind: "refused",
    why: "web_search_options are not supported; give the agent a tool that searches",
  },
  verbosity: { kind: "ignored" },
  temperature: { kind: "ignored", note: "the agent's configuration decides" },
  top_p: { kind: "ignored", note: "the agent's configuration decides" },
  frequency_penalty: { kind: "ignored" },
  presence_penalty: { kind: "ignored" },
  logit_bias: { kind: "ignored" },
  seed: { kind: "ignored" },
  prediction: { kind: "ignored" },
  moderation: { kind: "ignored" },
  service_tier: { kind: "ignored" },
  prompt_cache_key: { kind: "ignored", note: "the compiler decides what is cached" },
  prompt_cache_options: { kind: "ignored", note: "the compiler decides what is cached" },
  prompt_cache_retention: { kind: "ignored", note: "the compiler decides what is cached" },
  store: { kind: "ignored", note: "conversations are kept as the agent's configuration says" },
  metadata: { kind: "ignored" },
  user: { kind: "ignored", note: "the token says who is calling" },
  safety_identifier: { kind: "ignored", note: "the token says who is calling" },
}
