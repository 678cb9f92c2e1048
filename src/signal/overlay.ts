// The overlay: what the model is told about the message that it answers, for its mode, genre and weight. The first line
// is a plain title; the profile's markup decides whether it becomes a heading.
import type { Signal, SignalGenre, SignalMode } from "./signal.ts"

const GUIDANCE = "**Internal guidance only. Follow it; do not mention or quote it.**"

const MODE_TEXTS: Readonly<Record<SignalMode, string>> = {
  build:
    "Something is to be made. Settle what it has to do, make it whole, and see it work before you say so.",
  execute: "Something is to be done. Do it now, then say in a line or two what came of it.",
  analyze:
    "Something is to be understood. Lead with the finding, then give the figures and how sure you are.",
  maintain:
    "Something that exists is to be kept in order. Look at its state first, change as little as will do, and say how to go back.",
  assist: "Someone wants help. Answer what was asked, at the depth at which it was asked.",
}

const GENRE_TEXTS: Readonly<Record<SignalGenre, string>> = {
  direct: "The message is an instruction: carry it out rather than discuss it.",
  commit: "The message is a promise: keep track of who does what by when, and do not do it for them.",
  decide: "The message is a decision: act on it, and say what it changes.",
  express: "The message is a feeling: meet it in a few plain words before you turn to the matter.",
  inform: "The message is information: take it in, and say what follows from it.",
  ask: "The message is a question: answer it, and change nothing.",
}

const LIGHT_BELOW = 0.3
const LIGHT = "It is lightweight: a short answer will do."

const DENSE_ABOVE = 0.8
const DENSE = "It is high-density: take up every point in it, and leave none out."

/** The guidance that the model gets with such a message. */
export function overlay(signal: Signal): string {
  const { mode, genre, weight } = signal
  return [
    `Active Signal: ${mode.toUpperCase()} x ${genre.toUpperCase()} (weight: ${decimal(weight)})`,
    GUIDANCE,
    [MODE_TEXTS[mode], GENRE_TEXTS[genre], ...weightTexts(weight)].join("\n"),
  ].join("\n\n")
}

function weightTexts(weight: number): readonly string[] {
  if (weight < LIGHT_BELOW) return [LIGHT]
  if (weight > DENSE_ABOVE) return [DENSE]
  return []
}

/** One or two decimals: 0.53, 0.5, 1.0. */
function decimal(weight: number): string {
  return weight.toFixed(2).replace(/0$/, "")
}
