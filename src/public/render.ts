// `incipit/render`: requests for providers.

export type { Breakpoint, Position } from "../render/cache/breakpoints.ts"
export type { CacheRule } from "../render/cache/cache-rule.ts"
export {
  type AiSdkCall,
  type AiSdkInstruction,
  type AiSdkMessage,
  type AiSdkProviderOptions,
  type AiSdkReasoning,
  type AiSdkRequest,
  type AiSdkResult,
  type AiSdkText,
  renderAiSdk,
} from "../render/formats/ai-sdk.ts"
export {
  type AnthropicContent,
  type AnthropicMessage,
  type AnthropicRequest,
  type AnthropicText,
  type AnthropicThinking,
  type AnthropicTool,
  type CacheControl,
  renderAnthropic,
} from "../render/formats/anthropic.ts"
export {
  type BedrockCachePoint,
  type BedrockContent,
  type BedrockMessage,
  type BedrockReasoning,
  type BedrockRequest,
  type BedrockText,
  type BedrockTool,
  renderBedrock,
} from "../render/formats/bedrock.ts"
export { type ClaudeAgentRequest, renderClaudeAgent } from "../render/formats/claude-agent.ts"
export {
  type GoogleContent,
  type GooglePart,
  type GoogleRequest,
  type GoogleText,
  type GoogleTool,
  renderGoogle,
} from "../render/formats/google.ts"
export {
  type ChatCall,
  type ChatFunctionCall,
  type ChatMessage,
  type ChatRefusal,
  type ChatRequest,
  type ChatText,
  type ChatTool,
  renderChat,
} from "../render/formats/openai-chat.ts"
export {
  type ResponsesRequest,
  type ResponsesTool,
  renderResponses,
} from "../render/formats/openai-responses.ts"
export type { Place, Rendered } from "../render/formats/place.ts"
export type { KeyedOptions, Render, RenderOptions, ToolSchema } from "../render/formats/renderer.ts"
export type {
  OpenAIBreakpoint,
  ResponsesAnswer,
  ResponsesItem,
  ResponsesReasoning,
  ResponsesText,
} from "../render/formats/responses-items.ts"
export { renderText, type TextMessage, type TextRequest } from "../render/formats/text.ts"
export { type AiSdkHistoryMessage, fromAiSdk } from "../render/from/from-ai-sdk.ts"
export {
  type AnthropicBlock,
  type AnthropicHistoryMessage,
  fromAnthropic,
} from "../render/from/from-anthropic.ts"
export { type BedrockHistoryMessage, fromBedrock } from "../render/from/from-bedrock.ts"
export { type ChatHistoryMessage, fromChat } from "../render/from/from-chat.ts"
export { fromGoogle, type GoogleHistoryContent } from "../render/from/from-google.ts"
export { fromResponses, type ResponsesHistoryItem } from "../render/from/from-responses.ts"
