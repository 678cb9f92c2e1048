// `incipit/cache`: providers' cache rules, and what a conversation would cost under them.
export {
  type Breakpoint,
  type BreakpointOptions,
  type Position,
  planBreakpoints,
} from "../render/cache/breakpoints.ts"
export { CACHE_LAYOUTS, type CacheLayout } from "../render/cache/cache-layouts.ts"
export type { CacheRule, Tier, Ttl, UsageFields } from "../render/cache/cache-rule.ts"
export { CACHE_RULES, ruleFor } from "../render/cache/cache-rules.ts"
export type { Call, CallBlock, Piece } from "../render/cache/call.ts"
export {
  type Change,
  type ChangePrice,
  type ChangePriceOptions,
  type Extra,
  type Impact,
  priceOfChange,
  priceOfSwitch,
} from "../render/cache/change-price.ts"
export { costOf, type Price, type Rates, type Usage } from "../render/cache/price.ts"
export { callOf, type PromptCallOptions } from "../render/cache/prompt-call.ts"
export { type RehearseOptions, rehearse } from "../render/cache/rehearse.ts"
export {
  type EvenScenario,
  evenScenario,
  type Scenario,
  type ScenarioStep,
  type ScenarioTurn,
} from "../render/cache/scenario.ts"
export {
  type SimulatedCall,
  type SimulateOptions,
  type Simulation,
  simulate,
} from "../render/cache/simulate.ts"
export { type Verdict, type VerifyOptions, verify } from "../render/cache/verify.ts"
