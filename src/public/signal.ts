// `incipit/signal`: classifies how a message reads, by rules. Pure, and runs in a browser.
export {
  type Classified,
  type ClassifyOptions,
  classify,
  classifyWithReasons,
  type Reason,
} from "../signal/classify.ts"
export {
  ACKNOWLEDGEMENTS,
  type NoiseOptions,
  type NoiseReason,
  type NoiseVerdict,
  noiseVerdict,
  settle,
} from "../signal/noise.ts"
export { overlay } from "../signal/overlay.ts"
export { wantsPlan } from "../signal/plan-first.ts"
export { type Reading, readMessage } from "../signal/read-message.ts"
export type { Signal, SignalFormat, SignalGenre, SignalMode, SignalType } from "../signal/signal.ts"
