// The fields of a server's form: which ones are taken for secrets, what they accept, and what is not shown at all.
import { expect, test } from "vitest"
import { formFields } from "../../../../src/agent/mcp/ask/form-fields.ts"
import { readValue } from "../../../../src/agent/mcp/ask/read-value.ts"
import type { FormField } from "../../../../src/tools/server-question.ts"

const form = (properties: object, required: readonly string[] = []) =>
  formFields({ type: "object", properties, required })

test.each([
  ["password", {}],
  ["apiKey", {}],
  ["API_KEY", {}],
  ["accessToken", {}],
  ["x", { title: "Your passphrase" }],
  ["x", { description: "The one-time code from your phone" }],
  ["x", { title: "Card number" }],
  ["ｐａｓｓｗｏｒｄ", {}],
  ["pin", {}],
  ["x", { format: "password" }],
])("a text called %s %j is taken for a secret, and the form is refused", (name, more) => {
  expect(form({ city: { type: "string" }, [name]: { type: "string", ...more } })).toEqual({
    problem: expect.stringMatching(/^asks for ".*", which looks like a password or a key$/),
  })
})

test.each([
  ["keyboard", { type: "string" }],
  ["passenger", { type: "string" }],
  ["shipping", { type: "string", title: "Shipping address" }],
  ["usePassword", { type: "boolean" }],
  ["token", { type: "string", enum: ["blue", "red"] }],
])("%s %j is not", (name, field) => {
  expect(form({ [name]: field })).toMatchObject({ fields: [{ name }] })
})

test("a form that is too long, cannot be read, or hides characters", () => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: "string" }]))
  expect(form(many)).toEqual({ problem: "has 21 fields" })
  expect(formFields({ properties: { a: { type: "object" } } })).toEqual({ problem: "cannot be read" })
  expect(formFields(undefined)).toEqual({ problem: "cannot be read" })
  expect(form({ a: { type: "array" } })).toEqual({ problem: 'has a field "a" that cannot be read' })
  const hidden = form({ a: { type: "string", title: "Ci\u200bty\u202e", description: "x".repeat(900) } })
  expect(hidden).toMatchObject({ fields: [{ title: "City", description: `${"x".repeat(500)}...` }] })
})

const TEXT: FormField = { kind: "text", name: "t", title: "T", isRequired: true }
const COUNT: FormField = { kind: "number", name: "n", title: "N", isRequired: false, isWhole: true, least: 1 }
const MANY: FormField = {
  ...{ kind: "choice", name: "c", title: "C", isRequired: false, isMany: true, least: 1, most: 2 },
  options: ["a", "b", "c"].map((value) => ({ value, title: value.toUpperCase() })),
}

test.each<[FormField, string, object]>([
  [TEXT, " Ada ", { value: "Ada" }],
  [TEXT, "", { problem: "This is required." }],
  [{ ...TEXT, default: "Bo" }, "", { value: "Bo" }],
  [{ ...TEXT, most: 2 }, "Ada", { problem: "At most 2 characters." }],
  [{ ...TEXT, format: "email" }, "ada", { problem: "That is not an email address." }],
  [{ ...TEXT, format: "email" }, "ada@example.org", { value: "ada@example.org" }],
  [{ ...TEXT, format: "date" }, "2026-02-31x", { problem: "Write the date as 2026-07-28." }],
  [{ ...TEXT, format: "date" }, "2026-02-03", { value: "2026-02-03" }],
  [{ ...TEXT, format: "uri" }, "nowhere", { problem: "That is not a URL." }],
  [COUNT, "", { value: undefined }],
  [COUNT, "2.5", { problem: "Write a whole number." }],
  [COUNT, "0", { problem: "At least 1." }],
  [COUNT, "4", { value: 4 }],
  [MANY, "1, C", { value: ["a", "c"] }],
  [MANY, "1,2,3", { problem: "Choose at most 2." }],
  [MANY, "4", { problem: "Write numbers of the list, with commas." }],
])("%j takes %j as %j", (field, text, read) => {
  expect(readValue(field, text)).toEqual(read)
})
