// `incipit/render`: requests for providers.
export {
  type AiSdkCall,
  type AiSdkInstruction,
  type AiSdkMessage,
  type AiSdkProviderOptions,
  type AiSdkRequest,
  type AiSdkResult,
  type AiSdkText,
  renderAiSdk,
} from "../render/ai-sdk.ts"
export {
  type AnthropicContent,
  type AnthropicMessage,
  type AnthropicRequest,
  type AnthropicText,
  type AnthropicTool,
  type CacheControl,
  renderAnthropic,
} from "../render/anthropic.ts"
export {
  type BedrockCachePoint,
  type BedrockContent,
  type BedrockMessage,
  type BedrockRequest,
  type BedrockText,
  type BedrockTool,
  renderBedrock,
} from "../render/bedrock.ts"
export type { Breakpoint, Position } from "../render/breakpoints.ts"
export type { CacheRule } from "../render/cache-rule.ts"
export { type ClaudeAgentRequest, renderClaudeAgent } from "../render/claude-agent.ts"
export {
  type GoogleContent,
  type GooglePart,
  type GoogleRequest,
  type GoogleText,
  type GoogleTool,
  renderGoogle,
} from "../render/google.ts"
export {
  type ChatCall,
  type ChatMessage,
  type ChatRequest,
  type ChatText,
  type ChatTool,
  renderChat,
} from "../render/openai-chat.ts"
export {
  type OpenAIBreakpoint,
  type ResponsesItem,
  type ResponsesRequest,
  type ResponsesText,
  type ResponsesTool,
  renderResponses,
} from "../render/openai-responses.ts"
export type { Place, Rendered } from "../render/place.ts"
export type { KeyedOptions, Render, RenderOptions, ToolSchema } from "../render/renderer.ts"
export { renderText, type TextMessage, type TextRequest } from "../render/text.ts"
