// Every name of `incipit/signal` in use: what kind of message this is, by rules and without a model.
import {
  ACKNOWLEDGEMENTS,
  classify,
  classifyWithReasons,
  type NoiseVerdict,
  noiseVerdict,
  overlay,
  readMessage,
  type Signal,
  settle,
  wantsPlan,
} from "incipit/signal"

const signal: Signal = classify("Please build a jetty for the new boat by Friday.", { channel: "cli" })
console.log(signal)

// The words that decided it.
console.log(classifyWithReasons("Please build a jetty.").reasons.mode)

// Guidance for the model, as text for the turn.
console.log(overlay(signal).split("\n")[0])

// Only if the rules are sure; what they are not sure about is better left to the model.
console.log(readMessage("Build a jetty."), readMessage("Hm."))

console.log(wantsPlan("Rewrite the whole harbour system: docks, cranes and ferries."))

// Small talk needs no model. What is uncertain may be put to a small one.
const verdict: NoiseVerdict = noiseVerdict("ok thanks", { afterQuestion: false })
if (verdict.kind === "noise") console.log(ACKNOWLEDGEMENTS[verdict.reason])

console.log(settle(noiseVerdict("the boat", { afterQuestion: false }), undefined).kind)
