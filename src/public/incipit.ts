// The root entry: the compiler and its counter. Pure, and runs in a browser.
export {
  type Budget,
  type BudgetReport,
  DEFAULT_BUDGET,
  inModelTokens,
  type Ratio,
} from "../core/budget.ts"
export {
  type CompileInput,
  type Compiler,
  type CompilerOptions,
  compile,
  createCompiler,
  type Head,
} from "../core/compiler.ts"
export {
  type Content,
  type Part,
  type Provenance,
  type SlotPart,
  type TextPart,
  textContent,
} from "../core/content.ts"
export { type Counter, counterFrom } from "../core/counter.ts"
export { type Code, type Diagnostic, sentence } from "../core/diagnostic.ts"
export { type Difference, diff, type FirstDifference, type Owner } from "../core/diff.ts"
export { canonicalJson, type Digest, digest } from "../core/digest.ts"
export { type Edit, editFromWhole } from "../core/edit.ts"
export type { Baseline, Change } from "../core/epoch.ts"
export { ERRORS, type ErrorCode, IncipitError } from "../core/error.ts"
export { type Explanation, explain } from "../core/explain.ts"
export type { HeadOptions } from "../core/head.ts"
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
} from "../core/markup.ts"
export { type Message, type MessagePart, userMessage } from "../core/message.ts"
export { NEEDS, type Need } from "../core/need.ts"
export { PACES, type Pace } from "../core/pace.ts"
export { type Block, type Entry, isSeen, type Outcome, type Plan, type Span, told } from "../core/plan.ts"
export { activeTools, type CutMarker, type Profile, type RoomPolicy } from "../core/profile.ts"
export { fingerprintOf, type Prompt, prefixOf } from "../core/prompt.ts"
export { type Report, report } from "../core/report.ts"
export {
  type Agent,
  type Audience,
  type Extension,
  MODES,
  type Mode,
  type Responsibility,
  type Scopes,
  type Session,
  TOOL_FORMATS,
  type Tool,
  type ToolFormat,
  type Turn,
} from "../core/scope.ts"
export {
  type AnySectionSpec,
  type Cut,
  type Freshness,
  type Section,
  type SectionSpec,
  section,
} from "../core/section.ts"
export { allOf, bodyContent, bodyOf, firstOf, fromFields, type SourceFile } from "../core/source.ts"
export type { StepOptions } from "../core/step.ts"
export { attach, detach, type Told } from "../core/tail.ts"
export { expandTemplate, type TemplateNames } from "../core/template.ts"
export { atLeast, isTrust, leastOf, TRUSTS, type Trust } from "../core/trust.ts"
export { type AgentView, type Hidden, type SessionView, type View, view } from "../core/view.ts"
export { o200k } from "../tokens/o200k.ts"
