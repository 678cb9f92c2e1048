// Values in private fields of objects that others made.
import { inspect, isDeepStrictEqual } from "node:util"
import { expect, test } from "vitest"
import { privateField } from "../../../src/base/memo/private-field.ts"

test("each field has its own value for an object, frozen or not, and a later value replaces it", () => {
  const [first, second] = [privateField<object, number>(), privateField<object, number>()]
  for (const key of [{}, Object.freeze({ text: "a" }), [1, 2], () => undefined]) {
    expect(first.get(key)).toBeUndefined()
    first.set(key, 1)
    first.set(key, 2)
    expect([first.get(key), second.get(key)]).toEqual([2, undefined])
    second.set(key, 3)
    expect([first.get(key), second.get(key)]).toEqual([2, 3])
  }
})

test("nobody else sees it, and copies do not have it", () => {
  const field = privateField<object, string>()
  const key = { text: "a", list: [1] }
  field.set(key, "hidden")
  expect(Reflect.ownKeys(key)).toEqual(["text", "list"])
  expect(JSON.stringify(key)).toBe('{"text":"a","list":[1]}')
  expect(inspect(key, { showHidden: true })).not.toContain("hidden")
  expect(isDeepStrictEqual(key, { text: "a", list: [1] })).toBe(true)
  for (const copy of [{ ...key }, structuredClone(key)]) expect(field.get(copy)).toBeUndefined()
})
