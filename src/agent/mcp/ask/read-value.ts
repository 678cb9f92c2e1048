// What a person typed into a field, as the value that the server asked for.
import { plural } from "../../../base/text/figures.ts"
import type { FormField, FormValue } from "../../../tools/server-question.ts"

/** `value` is undefined for a field that was left out. The problem is a sentence for the person. */
export type Typed = { readonly value: FormValue | undefined } | { readonly problem: string }

export function readValue(field: FormField, text: string): Typed {
  const typed = text.trim()
  if (typed === "") {
    if (field.default !== undefined) return { value: presetOf(field) }
    return field.isRequired ? { problem: "This is required." } : { value: undefined }
  }
  switch (field.kind) {
    case "text":
      return readText(field, typed)
    case "number":
      return readNumber(field, typed)
    case "yes-no":
      return readYesNo(typed)
    case "choice":
      return readChoice(field, typed)
  }
}

function presetOf(field: FormField): FormValue | undefined {
  if (field.kind !== "choice" || field.isMany) return field.default
  return field.default?.[0]
}

type Kind<K extends FormField["kind"]> = Extract<FormField, { readonly kind: K }>

function readText({ format, least = 0, most }: Kind<"text">, text: string): Typed {
  const { length } = Array.from(text)
  if (length < least) return { problem: `At least ${plural(least, "character")}.` }
  if (most !== undefined && length > most) return { problem: `At most ${plural(most, "character")}.` }
  if (format === "email" && !/^[^\s@]+@[^\s@]+$/.test(text))
    return { problem: "That is not an email address." }
  if (format === "uri" && !URL.canParse(text)) return { problem: "That is not a URL." }
  if (format === "date" && !(/^\d{4}-\d{2}-\d{2}$/.test(text) && isDate(text)))
    return { problem: "Write the date as 2026-07-28." }
  if (format === "date-time" && !(/^\d{4}-\d{2}-\d{2}T/.test(text) && isDate(text)))
    return { problem: "Write the time as 2026-07-28T09:30:00Z." }
  return { value: text }
}

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text))
}

function readNumber({ isWhole, least, most }: Kind<"number">, text: string): Typed {
  const value = Number(text)
  if (!Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value)))
    return { problem: isWhole ? "Write a whole number." : "Write a number." }
  if (least !== undefined && value < least) return { problem: `At least ${least}.` }
  if (most !== undefined && value > most) return { problem: `At most ${most}.` }
  return { value }
}

function readYesNo(text: string): Typed {
  const said = text.toLowerCase()
  if (["y", "yes", "true"].includes(said)) return { value: true }
  return ["n", "no", "false"].includes(said) ? { value: false } : { problem: "Write y or n." }
}

/** By number, as they are shown, or by name. */
function readChoice({ options, isMany, least = 0, most }: Kind<"choice">, text: string): Typed {
  const wanted = isMany ? text.split(",").map((one) => one.trim()) : [text]
  const found = wanted.map(
    (one) =>
      options.find(({ value, title }) => value === one || title === one) ??
      (/^\d+$/.test(one) ? options[Number(one) - 1] : undefined),
  )
  if (found.includes(undefined))
    return { problem: isMany ? "Write numbers of the list, with commas." : "Write a number of the list." }
  const values = [...new Set(found.flatMap((one) => one?.value ?? []))]
  if (!isMany) return { value: values[0] }
  if (values.length < least) return { problem: `Choose at least ${least}.` }
  if (most !== undefined && values.length > most) return { problem: `Choose at most ${most}.` }
  return { value: values }
}
