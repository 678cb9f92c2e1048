// `incipit/render`: requests for providers.
export {
  type AnthropicContent,
  type AnthropicMessage,
  type AnthropicOptions,
  type AnthropicRequest,
  type AnthropicText,
  type AnthropicTool,
  type CacheControl,
  renderAnthropic,
} from "../render/anthropic.ts"
export type { Place, Rendered } from "../render/place.ts"
