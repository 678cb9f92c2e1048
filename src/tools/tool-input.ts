// The type of a tool's input, from the JSON Schema in its definition. Only what the definitions use; anything else is
// unknown.

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
          : S extends { readonly type: "object"; readonly properties: infer Properties }
            ? Fields<Properties, RequiredOf<S>>
            : unknown

type RequiredOf<S> = S extends { readonly required?: infer Names }
  ? NonNullable<Names> extends readonly (infer Name)[]
    ? Name
    : never
  : never

type Fields<Properties, Required> = {
  readonly [Key in keyof Properties as Key extends Required ? Key : never]: ToolInput<Properties[Key]>
} & {
  readonly [Key in keyof Properties as Key extends Required ? never : Key]?:
    | ToolInput<Properties[Key]>
    | undefined
}
