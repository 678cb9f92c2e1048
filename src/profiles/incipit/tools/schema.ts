// Small builders for the JSON Schema of a tool's parameters. They keep the literal types, so that the type of a tool's
// input follows from its definition.

export type Schema = Readonly<Record<string, unknown>>

export type ObjectSchema<Properties, Required extends readonly unknown[]> = {
  readonly type: "object"
  readonly properties: Properties
  readonly required?: Required
  readonly additionalProperties: false
}

/** Unknown keys are refused. */
export function object<
  Properties extends Readonly<Record<string, Schema>>,
  const Required extends readonly (keyof Properties & string)[] = readonly [],
>(properties: Properties, required?: Required): ObjectSchema<Properties, Required> {
  return { type: "object", properties, ...(required && { required }), additionalProperties: false }
}

export interface TextLimits {
  readonly minLength?: number
  readonly maxLength?: number
}

export const TEXT = { type: "string" } as const

export function text(description: string, limits: TextLimits = {}) {
  return { ...TEXT, ...limits, description }
}

export function oneOf<const Value extends string>(description: string, values: readonly Value[]) {
  return { ...TEXT, enum: values, description }
}

export function integer(description: string, maximum: number) {
  return { type: "integer", minimum: 1, maximum, description } as const
}
