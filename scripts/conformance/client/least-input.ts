// The least input that a schema wants: its required fields, each with a plain value of its type.

export interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

export function leastInput({
  properties = {},
  required = [],
}: JsonSchema): Readonly<Record<string, unknown>> {
  return Object.fromEntries(required.map((name) => [name, plainValue(properties[name])]))
}

function plainValue(schema: JsonSchema = {}): unknown {
  switch (schema.type) {
    case "number":
    case "integer":
      return 1
    case "boolean":
      return true
    case "array":
      return []
    case "object":
      return leastInput(schema)
    case "null":
      return null
    default:
      return "text"
  }
}
