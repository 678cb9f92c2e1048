// What becomes of each field of the Messages API.
import { isRecord } from "../../base/is-record.ts"
import type { Fields } from "../talk/request/fields.ts"

export const MESSAGES_FIELDS: Fields = {
  model: { kind: "used", note: "the name of an agent" },
  messages: {
    kind: "used",
    note: "text, images and documents as base64, `tool_use` and `tool_result` of the client's tools",
  },
  system: { kind: "used", note: "a section of the prompt" },
  max_tokens: { kind: "used", note: "required; ends the text; tokens are counted with o200k" },
  stop_sequences: { kind: "used", note: "at most 16 texts" },
  stream: { kind: "used" },
  tools: {
    kind: "used",
    note: "tools with an `input_schema`; offered beside the agent's own tools and handed back to the client",
  },
  tool_choice: {
    kind: "used",
    note: "`auto` and `none`, with `disable_parallel_tool_use`; others are refused. It concerns the client's tools",
  },
  mcp_servers: { kind: "refused", why: "mcp_servers are not supported; configure them for the agent" },
  container: { kind: "refused", why: "containers are not supported" },
  thread: { kind: "used", note: "`create`, and `continue` with `previous_message_id`" },
  output_format: { kind: "refused", why: "output_format is not supported; ask for JSON in the message" },
  output_config: {
    kind: "refused",
    fine: (value) => !isRecord(value) || value.format === undefined || value.format === null,
    why: "output_config.format is not supported; ask for JSON in the message",
    note: "`effort` counts, in place of the agent's",
  },
  thinking: { kind: "ignored", note: "the agent's configuration decides; see `output_config`" },
  cache_control: { kind: "ignored", note: "the compiler decides what is cached" },
  compaction: { kind: "ignored", note: "the agent summarises long conversations itself" },
  context_management: { kind: "ignored", note: "the agent summarises long conversations itself" },
  fallbacks: { kind: "ignored", note: "the agent's configuration decides" },
  fallback_credit_token: { kind: "ignored" },
  temperature: { kind: "ignored", note: "the agent's configuration decides" },
  top_k: { kind: "ignored", note: "the agent's configuration decides" },
  top_p: { kind: "ignored", note: "the agent's configuration decides" },
  betas: { kind: "ignored", note: "the SDK sends it as a header" },
  diagnostics: { kind: "ignored" },
  inference_geo: { kind: "ignored" },
  service_tier: { kind: "ignored" },
  speed: { kind: "ignored" },
  metadata: { kind: "ignored", note: "the token says who is calling" },
  user_profile_id: { kind: "ignored", note: "the token says who is calling" },
  workspace_id: { kind: "ignored" },
}
