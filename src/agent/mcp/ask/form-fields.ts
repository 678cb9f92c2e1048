// Reads the form that a server wants to have filled in. A form that asks for a password or a key is refused as a whole:
// the protocol has pages for that, and whoever fills in a form cannot see where it goes.
import { z } from "zod"
import { defined } from "../../../base/defined.ts"
import { type FormField, type FormOption, TEXT_FORMATS } from "../../../tools/server-question.ts"
import { cleanText } from "../text.ts"

/** The fields, or why the form is not shown, as the end of "its form …". */
export type Fields = { readonly fields: readonly FormField[] } | { readonly problem: string }

const MOST_FIELDS = 20
const MOST_OPTIONS = 100
const MOST_TITLE = 100
const MOST_DESCRIPTION = 500

const OPTION = z.looseObject({ const: z.string(), title: z.string().optional() })
const ITEMS = z.looseObject({
  enum: z.array(z.string()).optional(),
  anyOf: z.array(OPTION).optional(),
  oneOf: z.array(OPTION).optional(),
})
const FIELD = z.looseObject({
  type: z.enum(["string", "number", "integer", "boolean", "array"]),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(OPTION).optional(),
  items: ITEMS.optional(),
  default: z.unknown().optional(),
})
const FORM = z.looseObject({
  properties: z.record(z.string(), FIELD),
  required: z.array(z.string()).optional(),
})

export function formFields(schema: unknown): Fields {
  const form = FORM.safeParse(schema).data
  if (form === undefined) return { problem: "cannot be read" }
  const entries = Object.entries(form.properties)
  if (entries.length > MOST_FIELDS) return { problem: `has ${entries.length} fields` }
  const fields: FormField[] = []
  for (const [name, field] of entries) {
    if (asksForSecret(name, field))
      return { problem: `asks for "${title(name, MOST_TITLE)}", which looks like a password or a key` }
    const read = fieldOf(name, field, form.required?.includes(name) === true)
    if (read === undefined) return { problem: `has a field "${title(name, MOST_TITLE)}" that cannot be read` }
    fields.push(read)
  }
  return { fields }
}

const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...["password", "passwords", "passwort", "passphrase", "passcode", "passwd", "pwd", "pin", "otp", "totp"],
  ...["secret", "secrets", "credential", "credentials", "token", "tokens", "apikey", "cvv", "cvc"],
])
const SECRET_PHRASES =
  /\b(?:(?:api|access|private|secret|signing|encryption|ssh|license) keys?|pass (?:word|phrase|code)|(?:credit|debit) card|card number|security code|seed phrase|recovery (?:code|phrase)|one time code|(?:verification|authentication|2fa|mfa) code)\b/

/** Words of what the field is called; a yes or a choice gives nothing away. */
function asksForSecret(name: string, { type, title: shown = "", description = "", ...rest }: Field): boolean {
  if (type === "boolean" || type === "array" || rest.enum !== undefined || rest.oneOf !== undefined)
    return false
  if (rest.format === "password") return true
  const words = [name, shown, description]
    .join(" . ")
    .normalize("NFKC")
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}.]+/u)
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_PHRASES.test(words.join(" "))
}

type Field = z.infer<typeof FIELD>

function fieldOf(name: string, field: Field, isRequired: boolean): FormField | undefined {
  const description = clean(field.description ?? "", MOST_DESCRIPTION)
  const common = {
    ...{ name, title: title(field.title ?? name, MOST_TITLE), isRequired },
    ...(description !== "" && { description }),
  }
  const options = optionsOf(field)
  if (options !== undefined) return choiceOf(common, options, field)
  const [least, most] =
    field.type === "string" ? [field.minLength, field.maxLength] : [field.minimum, field.maximum]
  const bounds = defined({ least, most })
  switch (field.type) {
    case "string": {
      const format = TEXT_FORMATS.find((one) => one === field.format)
      const given = typeof field.default === "string" ? clean(field.default, MOST_DESCRIPTION) : undefined
      return { kind: "text", ...common, ...bounds, ...defined({ format, default: given }) }
    }
    case "number":
    case "integer": {
      const given = typeof field.default === "number" ? field.default : undefined
      return {
        kind: "number",
        isWhole: field.type === "integer",
        ...common,
        ...bounds,
        ...defined({ default: given }),
      }
    }
    case "boolean": {
      const given = typeof field.default === "boolean" ? field.default : undefined
      return { kind: "yes-no", ...common, ...defined({ default: given }) }
    }
    case "array":
      return undefined
  }
}

function choiceOf(
  common: Pick<FormField, "name" | "title" | "description" | "isRequired">,
  options: readonly FormOption[],
  { type, minItems: least, maxItems: most, default: given }: Field,
): FormField | undefined {
  if (options.length === 0 || options.length > MOST_OPTIONS) return undefined
  const isMany = type === "array"
  const preset = [given].flat().filter((one): one is string => options.some(({ value }) => value === one))
  return {
    ...{ kind: "choice", options, isMany, ...common },
    ...(isMany && defined({ least, most })),
    ...(preset.length > 0 && { default: preset }),
  }
}

function optionsOf({ type, items, ...field }: Field): readonly FormOption[] | undefined {
  const from = type === "array" ? (items ?? {}) : field
  const titled = from.oneOf ?? ("anyOf" in from ? items?.anyOf : undefined)
  if (titled !== undefined)
    return titled.map((one) => ({ value: one.const, title: title(one.title ?? one.const, MOST_TITLE) }))
  return from.enum?.map((value, at) => ({
    value,
    title: title(field.enumNames?.[at] ?? value, MOST_TITLE),
  }))
}

function title(text: string, most: number): string {
  return clean(text, most).replaceAll(/\s+/g, " ")
}

/** The server's words, without hidden characters, on one line where it matters, and not too long. */
function clean(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}...` : text
  return cleanText(cut, "").text.trim()
}
