// The areas of the treemap: as large as their share, side by side, and within their group.
import fc from "fast-check"
import { expect, test } from "vitest"
import { groupOwners } from "../../page/views/cost/owner-groups.ts"
import { type Box, laidOut } from "../../page/views/cost/treemap-layout.ts"
import type { ShownOwnerCost } from "../../src/serve/page/shown.ts"

const GROUPS = ["files", "tool-results", "conversation", "mcp"] as const

function owner(at: number, group: (typeof GROUPS)[number], carriedUsd: number): ShownOwnerCost {
  return {
    ...{ key: String(at), title: `owner ${at}`, owner: { kind: "file", match: "exact" } },
    ...{ group, tokens: 1, carriedTokens: 1, carriedUsd, calls: 1, others: 0, newest: null },
  }
}

const size = ({ x0, x1, y0, y1 }: Box) => (x1 - x0) * (y1 - y0)
const isIn = (inner: Box, outer: Box) =>
  inner.x0 >= outer.x0 && inner.x1 <= outer.x1 && inner.y0 >= outer.y0 && inner.y1 <= outer.y1
const overlap = (one: Box, other: Box) =>
  one.x0 < other.x1 && other.x0 < one.x1 && one.y0 < other.y1 && other.y0 < one.y1

const costs = fc.array(fc.tuple(fc.constantFrom(...GROUPS), fc.integer({ min: 0, max: 1_000 })), {
  maxLength: 30,
})
const boxes = fc.record({ width: fc.integer({ min: 0, max: 2_000 }), height: fc.constant(400) })

test("areas lie in their group, side by side, whatever they cost", () => {
  fc.assert(
    fc.property(costs, boxes, (given, { width, height }) => {
      const owners = given.map(([group, usd], at) => owner(at, group, usd))
      const groups = laidOut(groupOwners(owners), { width, height })
      const all = { x0: 0, x1: width, y0: 0, y1: height }
      expect(groups.flatMap(({ owners: inside }) => inside)).toHaveLength(owners.length)
      for (const group of groups) {
        expect(isIn(group.box, all)).toBe(true)
        for (const { box } of group.owners) expect(isIn(box, group.box)).toBe(true)
        const rest = groups.slice(groups.indexOf(group) + 1)
        expect(rest.filter((other) => overlap(group.box, other.box))).toEqual([])
        for (const [at, { box }] of group.owners.entries())
          expect(group.owners.slice(at + 1).filter((other) => overlap(box, other.box))).toEqual([])
      }
    }),
  )
})

test("an area is as large as its share, and no strip", () => {
  const owners = [400, 200, 100, 100, 100, 50, 50].map((usd, at) => owner(at, "files", usd))
  const [group] = laidOut(groupOwners(owners), { width: 1_000, height: 420 })
  const areas = group?.owners ?? []
  for (const { box, owner: of } of areas) {
    const share = (of.carriedUsd ?? 0) / 1_000
    // Gaps and whole pixels take some of it.
    expect(Math.abs(size(box) / 400_000 - share)).toBeLessThan(0.01)
    const [wide, high] = [box.x1 - box.x0, box.y1 - box.y0]
    expect(Math.max(wide / high, high / wide)).toBeLessThan(3.5)
  }
  expect(areas.map(({ owner: { key } }) => key)).toEqual(["0", "1", "2", "3", "4", "5", "6"])
})
