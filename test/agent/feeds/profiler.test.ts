import fc from "fast-check"
import { expect, test } from "vitest"
import { ownWords } from "../../../src/agent/feeds/own-words.ts"
import { openProfiler } from "../../../src/agent/feeds/profiler.ts"
import { agentStoreIn } from "../../../src/database/sqlite/agent/agent-store.ts"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { NOON, testStore } from "../world/temporary-store.ts"

function profiler(who = "ada", store = testStore()) {
  return { store, profiler: openProfiler(store.store, { agent: "main", who, now: store.now }) }
}

/** Messages of one kind, no two alike. */
const casual = (at: number) => `hey can't get the boat ${at} started, wanna look at the engine`
const formal = (at: number) =>
  `Dear colleague, I would like to ask whether the lighthouse report number ${at} is complete; please let me know. Kindly send the report to the harbour office, since it is required there. Would you also confirm that the annual inspection of the lighthouse will not be delayed? I am looking forward to your answer regarding the inspection, the report and the costs of the new lamp.`

test.each([
  ["hey can't make it, sry lol", 6, -1],
  ["Would you please look at this?", 6, 1],
  ["Look at the harbour.", 4, 1],
  ["Look at the harbour", 4, -1],
  ["The lamp is out!", 4, 0],
  ["灯台の灯りが消えました。", 6, 1],
  ["ประภาคารดับแล้ว", 8, 0],
  ["```\nconst a = 1\n```\n> quoted text\n", 0, 0],
])("%j has %i words and formality %d", (message, words, formality) => {
  const found = ownWords(message)
  expect([found.words, found.formality]).toEqual([words, formality])
})

test.each([
  ["The Fresnel lens of the lighthouse needs cleaning", ["fresnel", "lens", "lighthouse", "cleaning"]],
  ["see src/core/model/plan.ts, plan.ts and README.md!", ["src/core/model/plan.ts", "plan.ts", "README.md"]],
  ["write to ada@example.com or https://example.com/secret-path about tides", ["write", "tides"]],
  ["the token is ghp_abcdefghijklmnopqrstuvwxyz0123456789 you see", []],
  ["password: correct-Horse-7-battery", []],
  ["sk-live-9a8b7c6d5e, A1B2C3D4 and 4711 4242 xkqzwvbn are gone", ["gone"]],
  ["灯台の修理について", ["灯台", "修理"]],
  ["Überprüfung der Leuchttürme — и маяков", ["überprüfung", "der", "leuchttürme", "маяков"]],
  ["\u202e\u0000 __proto__ constructor", ["proto", "constructor"]],
])("topics of %j", (message, topics) => {
  expect(ownWords(message).topics).toEqual(topics)
})

test("says nothing before five messages, and small talk and commands do not count", async () => {
  const { profiler: ada } = profiler()
  for (const message of [
    "ok",
    "thanks!",
    "👍",
    "yes",
    "hi",
    "/tasks all of them now please",
    "",
    "ok thanks",
  ])
    await ada.observe(message)
  expect(await ada.show()).toBe(undefined)
  for (let at = 0; at < 4; at += 1) await ada.observe(casual(at))
  expect([await ada.profile(), (await ada.show())?.messages]).toEqual([undefined, 4])
  await ada.observe(casual(4))
  expect(await ada.profile()).toEqual({
    formality: "casual",
    length: "short",
    topics: ["boat", "started", "engine"],
  })
})

test("what is learned can be seen, is there after a restart, and can be erased", async () => {
  const { profiler: ada, store } = profiler()
  for (let at = 0; at < 5; at += 1) await ada.observe(formal(at))
  const again = openProfiler(store.open(), { agent: "main", who: "ada", now: store.now })
  const reported = {
    formality: "formal",
    length: "long",
    topics: ["report", "lighthouse", "inspection", "colleague", "number"],
  }
  expect(await again.profile()).toEqual(reported)
  const { candidates, ...shown } = (await again.show()) ?? {}
  expect(shown).toEqual({ messages: 5, since: NOON, formality: 1, words: 66, reported })
  expect(candidates?.slice(0, 2)).toEqual([
    { word: "report", weight: 4.709 },
    { word: "lighthouse", weight: 4.709 },
  ])
  const { profiler: bob } = profiler("bob", store)
  await bob.observe(formal(1))
  await ada.erase()
  expect([await again.profile(), await again.show(), (await bob.show())?.messages]).toEqual([
    undefined,
    undefined,
    1,
  ])
})

test("a report that version 0.1.0 stored is still sent", async () => {
  const { profiler: ada, store } = profiler()
  const told = { formality: "casual", length: "short", topics: ["boat"] }
  const earlier = { messages: 5, since: NOON, formality: -1, size: 3, topics: { boat: 4 }, told }
  const whose = { agent: "main", who: "ada" }
  await store.store.writingHabits.replace(whose, undefined, JSON.stringify(earlier))
  expect([await ada.profile(), (await ada.show())?.reported]).toEqual([told, told])
})

test("the report is reviewed only after as many messages as it took", async () => {
  const { profiler: ada } = profiler()
  for (let at = 0; at < 5; at += 1) await ada.observe(casual(at))
  const first = await ada.profile()
  for (let at = 0; at < 4; at += 1) {
    await ada.observe(formal(at))
    expect(await ada.profile()).toEqual(first)
  }
  await ada.observe(formal(4))
  expect([first?.formality, (await ada.profile())?.formality]).toEqual(["casual", "neutral"])
})

test("it follows somebody who changes, and does so in few steps", async () => {
  const { profiler: ada } = profiler()
  const reports: string[] = []
  for (let at = 0; at < 200; at += 1) {
    await ada.observe(at < 100 ? casual(at) : formal(at))
    const profile = await ada.profile()
    const line = `${profile?.formality} ${profile?.length} ${profile?.topics.join(" ")}`
    if (reports.at(-1) !== line) reports.push(line)
  }
  expect(reports).toMatchInlineSnapshot(`
    [
      "undefined undefined undefined",
      "casual short boat started engine",
      "casual short boat started engine report lighthouse",
      "casual medium boat started engine report lighthouse",
      "neutral medium boat started engine report lighthouse",
      "formal medium boat started engine report lighthouse",
      "formal medium report lighthouse inspection colleague number",
    ]
  `)
})

test("one odd message does not change the report", async () => {
  const { profiler: ada } = profiler()
  for (let at = 0; at < 24; at += 1) await ada.observe(casual(at))
  const before = await ada.profile()
  await ada.observe(`Dear Sir, ${formal(1).repeat(20)}`)
  expect(await ada.profile()).toEqual(before)
})

test("nothing is learned from a room or from strangers", async () => {
  for (const who of ["room:telegram:-1", "unknown:telegram"]) {
    const { profiler: nobody } = profiler(who)
    for (let at = 0; at < 10; at += 1) await nobody.observe(casual(at))
    expect(await nobody.show()).toBe(undefined)
  }
})

test("two thousand messages, each about something else, take no more room than two hundred", async () => {
  const database = openDatabase(":memory:", { migrations: STORE_MIGRATIONS })
  const ada = openProfiler(
    agentStoreIn(database, () => NOON),
    { agent: "main", who: "ada", now: () => NOON },
  )
  const word = (at: number) => [...String(at)].map((digit) => "abcdefghij"[Number(digit)]).join("o")
  const size = () => Number(database.get("SELECT length(profile) AS size FROM communication")?.size)
  for (let at = 0; at < 200; at += 1)
    await ada.observe(`please look at the ${word(at)}lamp and ${word(at * 7)}boat`)
  const early = size()
  for (let at = 200; at < 2_000; at += 1)
    await ada.observe(`please look at the ${word(at)}lamp and ${word(at * 7)}boat`)
  expect([size() < early * 1.2, size() < 5_000, (await ada.show())?.candidates.length]).toEqual([
    true,
    true,
    150,
  ])
})

test("any text can be observed, and the report stays short", async () => {
  const { profiler: ada } = profiler()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), async (message) => {
      await ada.observe(message)
      expect(((await ada.profile())?.topics ?? []).every((topic) => topic.length <= 75)).toBe(true)
    }),
    { seed: 1, numRuns: 300 },
  )
})
