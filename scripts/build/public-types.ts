// The types that the package brings: those that its entries lead to, and no types of packages that users may not have.
// A type that Zod infers from a schema is written out.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { z } from "zod"

export async function trimTypes(): Promise<void> {
  const needed = new Set(readdirSync("dist/public").map((name) => resolve("dist/public", name)))
  for (const path of needed) {
    if (!path.endsWith(".d.ts")) continue
    const text = await withoutZod(path, readFileSync(path, "utf8"))
    writeFileSync(path, text)
    for (const [, target = ""] of text.matchAll(/(?:from\s+|import\()"(\.[^"]+)"/g)) {
      const declared = resolve(dirname(path), target.replace(/\.[jt]s$/, ".d.ts"))
      if (existsSync(declared)) needed.add(declared)
    }
  }
  for (const path of readdirSync("dist", { recursive: true, encoding: "utf8" }))
    if (path.endsWith(".d.ts") && !needed.has(resolve("dist", path))) rmSync(join("dist", path))
}

/** Leaves out the schemas, and keeps what was inferred from them. */
async function withoutZod(path: string, text: string): Promise<string> {
  if (!/from "zod"/.test(text)) return text
  // The module that belongs to these types.
  const module: Readonly<Record<string, z.ZodType>> = await import(
    pathToFileURL(path.replace(/\.d\.ts$/, ".js")).href
  )
  const statements = text.split(/\n(?=\/\*\*|export|declare|import)/)
  const written = statements.map((statement) =>
    statement.replace(/z\.infer<typeof (\w+)>/, (inferred, name: string) => {
      const schema = module[name]
      if (schema === undefined) throw new Error(`${path}: ${inferred} needs ${name} to be exported`)
      return typeText(z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }), "")
    }),
  )
  return `${written.filter((statement) => !/\bz\.|from "zod"/.test(statement)).join("\n")}\n`
}

/** A JSON Schema that Zod made, as TypeScript. */
function typeText(schema: z.core.JSONSchema._JSONSchema, indent: string): string {
  if (typeof schema === "boolean") return "unknown"
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return options.map((one) => typeText(one, indent)).join(" | ")
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.type === "array") return arrayText(schema, indent)
  if (schema.type === "object") return objectText(schema, indent)
  // Zod writes a union of plain types as a list of them.
  const types = schema.type === undefined ? ["unknown"] : [schema.type].flat()
  return types.map((type) => (type === "integer" ? "number" : type)).join(" | ")
}

function arrayText({ items }: z.core.JSONSchema.BaseSchema, indent: string): string {
  if (Array.isArray(items) || items === undefined) throw new Error("a list needs one type of items")
  return `Array<${typeText(items, indent)}>`
}

function objectText(schema: z.core.JSONSchema.BaseSchema, indent: string): string {
  const { properties, additionalProperties, required = [] } = schema
  if (properties === undefined) return `Record<string, ${typeText(additionalProperties ?? true, indent)}>`
  const inside = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const type = typeText(field, inside)
    const note = typeof field === "object" && field.description
    const doc = note ? `${inside}/** ${note.replaceAll("*/", "*\\/")} */\n` : ""
    return `${doc}${inside}${name}${required.includes(name) ? `: ${type}` : `?: ${type} | undefined`}`
  })
  return `{\n${fields.join("\n")}\n${indent}}`
}
