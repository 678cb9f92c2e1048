// Inputs of sections: values that a host feeds by name. An input ties the name to the pace at which the value changes and
// to its type, so a section cannot read what another pace provides, and a host cannot feed a value of the wrong type.
import { IncipitError } from "../../base/error.ts"

declare const PACE: unique symbol

/** Values by name. Read them with `readInput`, make them with `feed`. */
export interface Inputs<P extends InputPace> {
  /** Exists only in the type. */
  readonly [PACE]?: P
}

/** What a host may pass: fed values, or unchecked ones by name, such as those of a JSON file. */
export type GivenInputs<P extends InputPace> = Inputs<P> | Readonly<Record<string, unknown>>

export type InputPace = "session" | "turn"

/**
 * A value that your program passes in, and sections read. `Given`: what a host may feed, if that is more than what
 * sections get.
 */
export interface Input<P extends InputPace, Value, Given = Value> {
  readonly name: string
  readonly pace: P
  /** Values may come from outside. Returns undefined for one that cannot be used. */
  readonly parse: (value: unknown) => Value | undefined
  /** Exists only in the type. */
  readonly given?: Given
}

/** Defines a value that your program passes with each session, for sections that read it. */
export function sessionInput<Value, Given = Value>(
  name: string,
  parse: (value: unknown) => Value | undefined,
): Input<"session", Value, Given> {
  return { name, pace: "session", parse }
}

/** Defines a value that your program passes with each turn, for sections that read it. */
export function turnInput<Value, Given = Value>(
  name: string,
  parse: (value: unknown) => Value | undefined,
): Input<"turn", Value, Given> {
  return { name, pace: "turn", parse }
}

/** The value of a session's or a turn's input. Returns undefined if there is none that can be used. */
export function readInput<P extends InputPace, Value>(
  { inputs = {} }: { readonly inputs?: Inputs<NoInfer<P>> | undefined },
  input: Input<P, Value, unknown>,
): Value | undefined {
  const { name, parse } = checkInput("readInput", input)
  const value: unknown = Object.hasOwn(inputs, name) ? Reflect.get(inputs, name) : undefined
  return value === undefined ? undefined : parse(value)
}

/**
 * Makes the value of an input, for `inputs` of a session or a turn. Several can be spread into one object.
 */
export function feed<P extends InputPace, Value, Given>(
  input: Input<P, Value, Given>,
  value: NoInfer<Given> | undefined,
): Inputs<P> {
  const { name } = checkInput("feed", input)
  return value === undefined ? {} : { [name]: value }
}

/** In JavaScript, a name in the place of an input would read nothing, and feed a value that nothing reads. */
function checkInput<I extends Input<InputPace, unknown, unknown>>(caller: string, input: I): I {
  const { name, parse }: { name?: unknown; parse?: unknown } = input
  if (typeof name === "string" && typeof parse === "function") return input
  throw new IncipitError(
    "bad-input",
    `${caller} takes an input as sessionInput(name, parse) or turnInput(name, parse) returns it`,
  )
}
