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
  NOISE_REASONS,
  type NoiseOptions,
  type NoiseReason,
  type NoiseVerdict,
  noiseVerdict,
  settle,
} from "../signal/noise.ts"
export { overlay } from "../signal/overlay.ts"
export { wantsPlan } from "../signal/plan-first.ts"
export { type Reading, readMessage } from "../signal/read-message.ts"
export {
  isSignal,
  SIGNAL_FORMATS,
  SIGNAL_GENRES,
  SIGNAL_MODES,
  SIGNAL_TYPES,
  type Signal,
  type SignalFormat,
  type SignalGenre,
  type SignalMode,
  type SignalType,
} from "../signal/signal.ts"
