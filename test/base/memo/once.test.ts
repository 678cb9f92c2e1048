// Pure functions that are computed once for each argument.
import { expect, test } from "vitest"
import { oncePerObject, oncePerText } from "../../../src/base/memo/once.ts"

test("an object is computed once, also if the result is undefined", () => {
  const asked: object[] = []
  const once = oncePerObject((key: { readonly result?: string }) => {
    asked.push(key)
    return key.result
  })
  const [one, none] = [{ result: "one" }, {}]
  expect([once(one), once(one), once(none), once(none)]).toEqual(["one", "one", undefined, undefined])
  expect(asked).toEqual([one, none])
})

test("a failure is not kept", () => {
  let calls = 0
  const once = oncePerText(10, () => {
    calls += 1
    if (calls === 1) throw new Error("not now")
    return calls
  })
  expect(() => once("a")).toThrow("not now")
  expect([once("a"), once("a")]).toEqual([2, 2])
})

test("no more texts are kept than the limit allows", () => {
  const asked: string[] = []
  const once = oncePerText(2, (text) => {
    asked.push(text)
    return text.length
  })
  for (const text of ["a", "b", "a", "c", "c", "a"]) once(text)
  expect(asked).toEqual(["a", "b", "c", "a"])
})
