// `incipit/compiler`: everything that `incipit` has except the counter, which is most of its size. Pure, and runs in a
// browser. Its `createCompiler` and `compile` need a `counter`.

export { type Diagnostic, sentence } from "../base/diagnostic.ts"
export { type Digest, digest } from "../base/digest.ts"
export { type ErrorCode, IncipitError } from "../base/error.ts"
export { PACES, type Pace } from "../base/pace.ts"
export { atLeast, isTrust, TRUSTS, type Trust } from "../base/trust.ts"
export {
  type CompileInput,
  type CompileOptions,
  type Compiler,
  type CompilerOptions,
  compile,
  createCompiler,
  type Head,
} from "../core/compile/compiler.ts"
export type { Baseline, Change } from "../core/epoch/epoch.ts"
export type { HeadOptions } from "../core/epoch/head.ts"
export type { StepOptions } from "../core/epoch/step.ts"
export {
  type Budget,
  type BudgetReport,
  DEFAULT_BUDGET,
  type GivenBudget,
  inModelTokens,
  type Ratio,
} from "../core/fit/budget.ts"
export { attach, detach, type Sent } from "../core/layout/tail.ts"
export {
  type Content,
  type Part,
  type Provenance,
  type SlotPart,
  type TextPart,
  textContent,
} from "../core/model/content.ts"
export { type Counter, counterFrom } from "../core/model/counter.ts"
export type { Edit } from "../core/model/edit.ts"
export type {
  Agent,
  Audience,
  Extension,
  Responsibility,
  Session,
  Tool,
  ToolFormat,
  Turn,
} from "../core/model/inputs.ts"
export {
  type Message,
  type MessagePart,
  type Native,
  type NativeFormat,
  userMessage,
} from "../core/model/message.ts"
export { MODES, type Mode } from "../core/model/mode.ts"
export type { OnChange, OnChanges } from "../core/model/on-change.ts"
export {
  type Block,
  type Entry,
  isSeen,
  type Outcome,
  type Plan,
  type Span,
  visible,
} from "../core/model/plan.ts"
export { PRIORITIES, type Priority } from "../core/model/priority.ts"
export type { CutMarker, Profile, RoomPolicy } from "../core/model/profile.ts"
export { fingerprintOf, type Prompt, prefixOf } from "../core/model/prompt.ts"
export {
  type AnySectionSpec,
  type Cut,
  type Section,
  type SectionSpec,
  section,
} from "../core/model/section.ts"
export {
  feed,
  type GivenInputs,
  type Input,
  type Inputs,
  readInput,
  sessionInput,
  turnInput,
} from "../core/model/section-input.ts"
export type { AgentView, Scopes, SessionView, TurnView } from "../core/model/section-scope.ts"
export type { AbsentFile } from "../core/model/source.ts"
export { allOf, bodyContent, bodyOf, firstOf, fromFields, type SourceFile } from "../core/model/source.ts"
export { type Difference, diff, type FirstDifference, type Owner } from "../core/read/diff.ts"
export { type Explanation, explain } from "../core/read/explain.ts"
export { type Report, report } from "../core/read/report.ts"
export { unusedText } from "../core/read/unused-text.ts"
export { type Unused, type UnusedReason, unused } from "../core/view/unused.ts"
export type { Hidden, View } from "../core/view/view.ts"
export {
  type Envelope,
  type Escape,
  element,
  escapeAttribute,
  guard,
  headings,
  type Markup,
  tags,
  verbatim,
} from "../core/write/markup.ts"
export type { ToolCall, ToolResult } from "../prompt/calls.ts"
export type { AiSdkArguments, Chat, KeyedRequestOptions, RequestOptions } from "../prompt/chat.ts"
export type { PromptDefinition } from "../prompt/chat-kit.ts"
export type { SavedChat } from "../prompt/chat-state.ts"
export {
  type DefinedPrompt,
  definePrompt,
  type PromptOptions,
} from "../prompt/define-prompt.ts"
export {
  type AnyDefinedSection,
  type DefinedSection,
  perSession,
  perTurn,
  type SectionOptions,
  type SectionSource,
  text,
} from "../prompt/defined-section.ts"
export type { Format, ModelOutput } from "../prompt/formats.ts"
export type {
  ChatAudience,
  ChatOptions,
  HeadSpec,
  PromptSection,
  PromptSections,
  SessionInputs,
  TurnInputs,
} from "../prompt/prompt-inputs.ts"
export type { SectionText, TextItem } from "../prompt/section-text.ts"
export type { SectionRow, StepRow, ToolRow, TurnReport, WithheldRow } from "../prompt/turn-report.ts"
