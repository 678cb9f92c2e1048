import fc from "fast-check"
import { expect, onTestFinished, test } from "vitest"
import {
  type BulletinOptions,
  openBulletin,
  readBulletin,
  type Summariser,
} from "../../../src/agent/feeds/bulletin.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { memoryFolder } from "../../memory/folder.ts"
import { HOUR, testStore } from "../world/temporary-store.ts"

const FILES = {
  "shared/people.md": "# People\n\n- 2026-06-01: Carol moved to Oslo\n- Carol likes tea\n",
  "shared/2026-06-14.md": "- The lamp was mended\n  and cleaned\n",
  "private/2026-06-15.md": "- The door code is HERRING\n",
  "social/plans.md": "- 2026-12-24: Christmas at the lighthouse\n- **2026-06-10** The boat is back\n",
}

type TurnOptions = Partial<BulletinOptions & Pick<Summariser, "summarise">>

function bulletins(files: Readonly<Record<string, string>> = FILES, store = testStore()) {
  const folder = memoryFolder(files)
  onTestFinished(() => folder.remove())
  const troubles: unknown[] = []
  const open = ({ summarise, ...options }: TurnOptions = {}, kept = store.store) => {
    const given: BulletinOptions = {
      ...{ agent: "main", who: "ada", trust: "inner" },
      ...{ memory: folder.memory, counter: o200k, now: store.now },
      ...options,
    }
    const trouble = (error: unknown) => void troubles.push(error)
    const bulletin = openBulletin(kept, given)
    const read = () => readBulletin(kept.bulletins, { ...given, hasModel: summarise !== undefined })
    return {
      read,
      /** Returns what the turn shows; the work after it is begun. */
      async turn(during: () => void = () => {}) {
        const reading = await read()
        during()
        if (reading.trouble !== undefined) trouble(new Error(reading.trouble))
        await bulletin.afterTurn(reading, summarise && { summarise, trouble })
        return reading.lines
      },
      settled: () => bulletin.settled(),
      erase: () => bulletin.erase(),
    }
  }
  return { store, folder, open, troubles }
}

/** A model that answers when it is told to. */
function model() {
  const asked: string[] = []
  let answer = Promise.withResolvers<string>()
  return {
    asked,
    summarise: (_instruction: string, entries: string) => {
      asked.push(entries)
      answer = Promise.withResolvers<string>()
      return answer.promise
    },
    say: (text: string) => answer.resolve(text),
    fail: () => answer.reject(new Error("no such model")),
  }
}

const INNER = [
  "2026-06-14: The lamp was mended and cleaned",
  "2026-06-10: The boat is back",
  "2026-06-01: Carol moved to Oslo",
]

test("without a model the newest entries are sent, a line each, as far as the trust sees", async () => {
  const { open } = bulletins()
  expect(
    await Promise.all(
      (["full", "inner", "familiar", "public"] as const).map((trust) => open({ trust }).turn()),
    ),
  ).toEqual([["2026-06-15: The door code is HERRING", ...INNER], INNER, ["2026-06-10: The boat is back"], []])
})

test("reading it changes nothing: the same is read again, and no row is written or removed", async () => {
  const { open, store, folder } = bulletins()
  const rows = () => store.database.all("SELECT * FROM bulletins")
  const { asked, summarise } = model()
  const shown = async (...options: Parameters<typeof open>) => (await open(...options).read()).lines
  expect([await shown(), await shown(), await shown({ summarise })]).toEqual([INNER, INNER, []])
  expect([rows(), asked]).toEqual([[], []])
  await open().turn()
  const kept = rows()
  folder.write("shared/people.md", "# People\n\n- Carol likes tea\n")
  store.pass(2 * HOUR)
  expect([await shown(), await shown({ summarise })]).toEqual([INNER.slice(0, 2), []])
  expect([rows(), kept.length, asked]).toEqual([kept, 1, []])
})

test("a model sums up what the turn itself wrote, too", async () => {
  const { open, folder } = bulletins()
  const { asked, say, summarise } = model()
  const bulletin = open({ summarise })
  const opened = await bulletin.turn(() => folder.write("shared/new.md", "- 2026-06-15: Jonas is back\n"))
  expect([opened, asked[0]?.split("\n")]).toEqual([[], ["2026-06-15: Jonas is back", ...INNER]])
  say("Jonas is back.")
  await bulletin.settled()
  expect(await bulletin.turn()).toEqual(["Jonas is back."])
})

test("it is made at most once an hour, and only if memory changed", async () => {
  const { open, store, folder } = bulletins()
  const bulletin = open()
  await bulletin.turn()
  folder.write("shared/new.md", "- 2026-06-15: Jonas is back\n")
  store.pass(HOUR - 1)
  expect(await bulletin.turn()).toEqual(INNER)
  store.pass(1)
  expect([await bulletin.turn(), await open({}, store.open()).turn()]).toEqual(
    Array(2).fill(["2026-06-15: Jonas is back", ...INNER]),
  )
})

test("what memory no longer says is not sent a moment longer", async () => {
  const { open, folder } = bulletins()
  const bulletin = open()
  await bulletin.turn()
  folder.write("shared/people.md", "# People\n\n- Carol likes tea\n")
  expect(await bulletin.turn()).toEqual(INNER.slice(0, 2))
})

test("nor when memory cannot be asked after that", async () => {
  const { open, folder, troubles } = bulletins()
  await open().turn()
  folder.write("shared/people.md", "# People\n\n- Carol likes tea\n")
  expect(await open({ summarise: model().summarise }).turn()).toEqual([])
  const recent = () => ({ status: "error", reason: "the disk is gone", entries: [] }) as const
  expect(await open({ memory: { recent } }).turn()).toEqual([])
  expect(troubles).toEqual([new Error("the disk is gone")])
})

test("what is erased while a model fails is not listed again", async () => {
  const { open, store } = bulletins()
  const { fail, summarise } = model()
  const bulletin = open({ summarise })
  await bulletin.turn()
  await bulletin.erase()
  fail()
  await bulletin.settled()
  expect(store.database.all("SELECT text FROM bulletins")).toEqual([])
})

test("a model writes it while the old one is sent, and is not asked again for the same memory", async () => {
  const { open, store, folder } = bulletins()
  const { asked, say, summarise } = model()
  const bulletin = open({ summarise })
  expect([await bulletin.turn(), await bulletin.turn(), asked.length]).toEqual([[], [], 1])
  expect(asked[0]?.split("\n")).toEqual(INNER)
  say("Carol is in Oslo.\n\n  The lamp works. \n")
  await bulletin.settled()
  const first = ["Carol is in Oslo.", "The lamp works."]
  store.pass(2 * HOUR)
  expect([await bulletin.turn(), asked.length]).toEqual([first, 1])
  folder.write("shared/new.md", "- 2026-06-15: Jonas is back\n")
  expect([await bulletin.turn(), asked.length]).toEqual([first, 2])
  say("Jonas is back.")
  await bulletin.settled()
  expect([await bulletin.turn(), await open({}, store.open()).turn()]).toEqual([
    ["Jonas is back."],
    ["Jonas is back."],
  ])
})

test("a failure keeps the old one and is reported; where there is none, the entries are listed", async () => {
  const { open, store, folder, troubles } = bulletins()
  const { asked, say, fail, summarise } = model()
  const bulletin = open({ summarise })
  await bulletin.turn()
  fail()
  await bulletin.settled()
  expect([await bulletin.turn(), asked.length, troubles]).toEqual([INNER, 1, [new Error("no such model")]])
  store.pass(HOUR)
  await bulletin.turn()
  say("The lamp works.")
  await bulletin.settled()
  store.pass(HOUR)
  folder.write("shared/new.md", "- 2026-06-15: Jonas is back\n")
  await bulletin.turn()
  say(" \n")
  await bulletin.settled()
  expect([await bulletin.turn(), asked.length, troubles.slice(1)]).toEqual([
    ["The lamp works."],
    3,
    [new Error("the model wrote no bulletin")],
  ])
})

test("what is erased while a model writes stays erased", async () => {
  const { open, store } = bulletins()
  const { say, summarise } = model()
  const bulletin = open({ summarise })
  await bulletin.turn()
  await bulletin.erase()
  say("Carol is in Oslo.")
  await bulletin.settled()
  expect(store.database.all("SELECT * FROM bulletins")).toEqual([])
})

test("it is erased for every trust, and for nobody else", async () => {
  const { open, store } = bulletins()
  for (const trust of ["inner", "familiar"] as const) await open({ trust }).turn()
  await open({ who: "bob" }).turn()
  await open().erase()
  expect(store.database.all("SELECT who FROM bulletins").map(({ who }) => who)).toEqual(["bob"])
})

test("a model that takes hours is not asked a second time meanwhile", async () => {
  const { open, store, folder } = bulletins()
  const { asked, summarise } = model()
  const bulletin = open({ summarise })
  await bulletin.turn()
  store.pass(2 * HOUR)
  folder.write("shared/new.md", "- 2026-06-15: Jonas is back\n")
  await bulletin.turn()
  expect(asked.length).toBe(1)
})

test("an entry that newer ones have pushed out of the newest is still there, and so is its bulletin", async () => {
  const { open, folder } = bulletins()
  expect(await open().turn()).toEqual(INNER)
  const entries = Array.from({ length: 25 }, (_one, at) => `- 2026-06-15: Ship ${at} came in\n`)
  folder.write("shared/ships.md", entries.join(""))
  expect(await open().turn()).toEqual(INNER)
})

test("a room gets none", async () => {
  expect(await bulletins().open({ who: "room:telegram:-1" }).turn()).toEqual([])
})

test("memory that cannot be searched keeps the old one", async () => {
  const { open, folder, troubles } = bulletins()
  await open().turn()
  await folder.memory.close()
  expect([await open().turn(), troubles.length]).toEqual([INNER, 1])
})

test("whatever a model or memory says, it takes at most 120 tokens", async () => {
  const { open, store } = bulletins()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "binary", maxLength: 2_000 }), { maxLength: 4 }),
      async (parts) => {
        const bulletin = open({ who: "eve", summarise: async () => parts.join("\n") })
        await bulletin.erase()
        await bulletin.turn()
        await bulletin.settled()
        const lines = await bulletin.turn()
        expect([lines.length > 0, o200k.count(lines.join("\n")) <= 120]).toEqual([true, true])
      },
    ),
    { seed: 1, numRuns: 50 },
  )
  store.pass(HOUR)
  const long = bulletins({
    "shared/a.md": Array(30)
      .fill("- 2026-06-01: 灯台の灯りが消えました。")
      .map((line, at) => `${line}${"長".repeat(300)}${at}`)
      .join("\n"),
  })
  const lines = await long.open().turn()
  expect([lines.length > 0, o200k.count(lines.join("\n")) <= 120]).toEqual([true, true])
})

test("as many lines are sent as there is room for, and not one more", async () => {
  const { open } = bulletins()
  const bulletin = open({ summarise: async () => "oil\n".repeat(100) })
  await bulletin.turn()
  await bulletin.settled()
  const lines = await bulletin.turn()
  expect([lines.length, o200k.count(lines.join("\n"))]).toEqual([60, 119])
})
