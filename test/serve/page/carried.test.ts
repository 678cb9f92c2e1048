// Lines that rode in calls: the sum is that of the stretches, cut at the lines, and the newest calls come first.
import { expect, test } from "vitest"
import { compile } from "../../../src/core/compile/compiler.ts"
import { report } from "../../../src/core/read/report.ts"
import { carriedIn } from "../../../src/serve/page/agent/carried.ts"
import { cutAtLines } from "../../../src/serve/page/agent/cut-at-lines.ts"
import {
  chars,
  fileSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSession,
  makeTurn,
} from "../../core/make.ts"
import { apiCall, openTemporary, save } from "../../record/receipt-folder.ts"

const SOUL = "# Soul\n\nYou are kind.\nYou are brief."

function soulPrompt() {
  const agent = makeAgent({ files: [makeFile({ role: "soul", text: SOUL })] })
  const scopes = { agent, session: makeSession(), turn: makeTurn() }
  return compile(makeProfile([fileSection("soul")]), scopes, { counter: chars })
}

test.each<[readonly [number, number], readonly (readonly [number, number, string])[]]>([
  [
    [3, 3],
    [
      [1, 2, "# Soul\n\n"],
      [3, 3, "You are kind.\n"],
      [4, 4, "You are brief."],
    ],
  ],
  [
    [4, 9],
    [
      [1, 3, "# Soul\n\nYou are kind.\n"],
      [4, 4, "You are brief."],
    ],
  ],
  [[1, 4], [[1, 4, SOUL]]],
])("a stretch is cut where lines %o begin and end", (lines, pieces) => {
  const whole = report(soulPrompt())
  const cut = cutAtLines(whole, "SOUL.md", lines)
  const found = cut?.sections.flatMap(({ spans }) =>
    spans.flatMap(({ from, block, start, end }) =>
      from !== undefined && "path" in from
        ? [[...from.lines, cut.blocks[block]?.text.slice(start, end)] as const]
        : [],
    ),
  )
  expect(found).toEqual(pieces)
  expect(cutAtLines(whole, "SOUL.md", [5, 9])).toBe(undefined)
  expect(cutAtLines(whole, "OTHER.md", lines)).toBe(undefined)
})

test("the newest calls are looked at, up to a limit, and it says whether those were all", async () => {
  const recorder = openTemporary()
  const prompt = soulPrompt()
  for (const turn of ["t1", "t2", "t3"]) {
    await save(recorder, { turn, at: Number(turn.slice(1)), prompt })
    recorder.append(apiCall({ turn, usage: { uncached: 1_000, read: 0, write: {}, output: 5 } }))
  }
  await recorder.flush()
  const seen = { sight: undefined, isWhole: true }
  const asked = { path: "SOUL.md", lines: [3, 3] } as const
  const carried = (most: number, sessions?: readonly string[]) =>
    recorder.read((store) => carriedIn(store, asked, { sessions, seen, most }))
  const all = await carried(3)
  expect(all).toMatchObject({ calls: 3, ids: ["t1.1", "t2.1", "t3.1"], firstAt: 1, lastAt: 3, isWhole: true })
  expect(all.tokens).toBeGreaterThan(0)
  // Two dollars for a million tokens.
  expect(all.costUsd).toBeCloseTo((all.tokens * 2) / 1_000_000, 9)
  expect(await carried(2)).toEqual({
    ...all,
    ...{ calls: 2, tokens: (all.tokens / 3) * 2, costUsd: expect.closeTo(((all.costUsd ?? 0) / 3) * 2, 9) },
    ...{ firstAt: 2, ids: ["t2.1", "t3.1"], isWhole: false },
  })
  expect(await carried(9, ["s1"])).toEqual(all)
  expect(await carried(9, ["s2"])).toMatchObject({
    calls: 0,
    tokens: 0,
    costUsd: null,
    ids: [],
    isWhole: true,
  })
})
