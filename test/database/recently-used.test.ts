// What is kept by a limit of size: the values used last.
import fc from "fast-check"
import { expect, test } from "vitest"
import { createRecentlyUsed } from "../../src/database/recently-used.ts"

const MOST = 20

/** The same, written down plainly: everything in the order of its last use, cut where it no longer fits. */
function plain() {
  let used: { readonly key: number; readonly value: string; readonly size: number }[] = []
  return {
    get(key: number) {
      const found = used.find((one) => one.key === key)
      if (found !== undefined) used = [...used.filter((one) => one !== found), found]
      return found?.value
    },
    set(key: number, value: string, size: number) {
      used = used.filter((one) => one.key !== key)
      if (size > MOST) return
      used = [...used, { key, value, size }]
      while (used.reduce((sum, one) => sum + one.size, 0) > MOST) used = used.slice(1)
    },
  }
}

test("keeps what was used last, as far as it fits, and nothing that is too large by itself", () => {
  const key = fc.nat(6)
  const step = fc.oneof(fc.record({ key }), fc.record({ key, value: fc.string(), size: fc.nat(MOST + 2) }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [kept, expected] = [createRecentlyUsed<number, string>(MOST), plain()]
      for (const one of steps) {
        if ("value" in one) for (const each of [kept, expected]) each.set(one.key, one.value, one.size)
        else expect(kept.get(one.key)).toBe(expected.get(one.key))
      }
      for (let at = 0; at <= 6; at += 1) expect(kept.get(at)).toBe(expected.get(at))
    }),
  )
})
