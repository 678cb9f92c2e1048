// Every name of `incipit/tokens` in use: how many tokens a text has for a model whose tokenizer is not public.
import { type Calibration, calibrate, calibratedFactor, factorFor, o200k } from "incipit/tokens"

const counted = o200k.count("The lamp is lit at dusk, and out at dawn.")
const factor = factorFor("anthropic/claude-sonnet-5-5")
console.log(`${counted} counted tokens are about ${Math.ceil(counted * factor.factor)} of Claude's`)

// Providers report what a request really took. After a few requests the factor is known better.
let learned: Calibration | undefined
for (let call = 0; call < 6; call += 1) learned = calibrate(learned, { counted: 3000, actual: 4200 })
console.log(calibratedFactor(factor, learned))
