// The type of a tool's input, from the JSON Schema in its definition. Only what the definitions use; anything else is
// unknown.
import type { ObjectSchema } from "../profiles/incipit/tools/schema.ts"

export type ToolInput<S> = S extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : S extends { readonly type: "string" }
    ? string
    : S extends { readonly type: "integer" | "number" }
      ? number
      : S extends { readonly type: "boolean" }
        ? boolean
        : S extends { readonly type: "array"; readonly items: infer Item }
          ? readonly ToolInput<Item>[]
          : S extends ObjectSchema<infer Properties, infer Required>
            ? Fields<Properties, Required[number]>
            : unknown

type Fields<Properties, Required> = {
  readonly [Key in keyof Properties as Key extends Required ? Key : never]: ToolInput<Properties[Key]>
} & {
  readonly [Key in keyof Properties as Key extends Required ? never : Key]?:
    | ToolInput<Properties[Key]>
    | undefined
}
