// What becomes of each field of the responses API.
import { isRecord } from "../../base/is-record.ts"
import type { Fields } from "../talk/request/fields.ts"

export const RESPONSES_FIELDS: Fields = {
  model: { kind: "used", note: "the name of an agent" },
  input: {
    kind: "used",
    note: "a text, or messages, `function_call`, `function_call_output` and references to earlier answers; images as `data:` URLs, files as base64",
  },
  instructions: { kind: "used", note: "a section of the prompt" },
  previous_response_id: { kind: "used", note: "continues, or branches if there are later messages" },
  max_output_tokens: { kind: "used", note: "ends the text; tokens are counted with o200k" },
  stream: { kind: "used" },
  tools: {
    kind: "used",
    note: "functions; offered beside the agent's own tools and handed back to the client",
  },
  tool_choice: {
    kind: "used",
    note: "`auto` and `none`; others are refused. It concerns the client's tools",
  },
  parallel_tool_calls: { kind: "used", note: "false: one call of the client's tools at a time" },
  reasoning: { kind: "used", note: "`effort`, in place of the agent's; there are no summaries" },
  background: { kind: "refused", why: "background responses are not supported; use stream" },
  conversation: { kind: "refused", why: "conversation is not supported; use previous_response_id" },
  prompt: { kind: "refused", why: "stored prompts are not supported; use instructions" },
  image: { kind: "refused", why: "image answers are not supported" },
  text: {
    kind: "refused",
    fine: (value) => !isRecord(value) || !isRecord(value.format) || value.format.type === "text",
    why: 'text.format must be {"type": "text"}; ask for JSON in the message',
  },
  top_logprobs: {
    kind: "refused",
    fine: (value) => value === 0,
    why: "top_logprobs are not supported: an answer may come from several calls",
  },
  include: { kind: "ignored", note: "what it asks for is never in the answer" },
  max_tool_calls: { kind: "ignored", note: "the agent's limits count" },
  context_management: { kind: "ignored", note: "the agent summarises long conversations itself" },
  truncation: { kind: "ignored", note: "the agent summarises long conversations itself" },
  temperature: { kind: "ignored", note: "the agent's configuration decides" },
  top_p: { kind: "ignored", note: "the agent's configuration decides" },
  moderation: { kind: "ignored" },
  access_programs: { kind: "ignored" },
  service_tier: { kind: "ignored" },
  stream_options: { kind: "ignored" },
  prompt_cache_key: { kind: "ignored", note: "the compiler decides what is cached" },
  prompt_cache_options: { kind: "ignored", note: "the compiler decides what is cached" },
  prompt_cache_retention: { kind: "ignored", note: "the compiler decides what is cached" },
  store: { kind: "ignored", note: "conversations are kept as the agent's configuration says" },
  metadata: { kind: "ignored" },
  user: { kind: "ignored", note: "the token says who is calling" },
  safety_identifier: { kind: "ignored", note: "the token says who is calling" },
}
