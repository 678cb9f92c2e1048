// `incipit/cache`: providers' cache rules, and what a conversation would cost under them.
export { bound } from "../render/bound.ts"
export {
  type Breakpoint,
  type BreakpointOptions,
  type Position,
  planBreakpoints,
} from "../render/breakpoints.ts"
export { type CacheRule, TIERS, type Tier, type Ttl, ttlOf, type UsageFields } from "../render/cache-rule.ts"
export { CACHE_RULES, NO_CACHE, ruleFor } from "../render/cache-rules.ts"
export type { Call, CallBlock, Piece } from "../render/call.ts"
export {
  type Change,
  type ChangePrice,
  type ChangePriceOptions,
  type Extra,
  type Impact,
  priceOfChange,
  priceOfSwitch,
} from "../render/change-price.ts"
export { LAYOUTS, type Layout } from "../render/layouts.ts"
export { costOf, inputOf, type Price, pricedRule, type Rates, type Usage } from "../render/price.ts"
export { callOf, type PromptCallOptions } from "../render/prompt-call.ts"
export { fillerTool, type RehearseOptions, rehearse } from "../render/rehearse.ts"
export {
  type EvenScenario,
  evenScenario,
  filler,
  type Scenario,
  type ScenarioStep,
  type ScenarioTurn,
} from "../render/scenario.ts"
export {
  hitRatioOf,
  type SimulatedCall,
  type SimulateOptions,
  type Simulation,
  simulate,
  unitsOf,
} from "../render/simulate.ts"
export { type Verdict, type VerifyOptions, verify } from "../render/verify.ts"
