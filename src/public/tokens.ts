// `incipit/tokens`: token counting, and calibration for models whose tokenizer is not public.
export { type Calibration, calibrate, calibratedFactor, type Observation } from "../tokens/calibrate.ts"
export { type Factor, factorFor } from "../tokens/factor.ts"
export { o200k } from "../tokens/o200k.ts"
