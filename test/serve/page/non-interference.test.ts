// What a person may not see changes no byte of what the page's routes answer them: neither texts and people, nor how
// many calls others made, nor names. And what is another person's looks the same as what doesn't exist.
import { expect, test } from "vitest"
import { call, say } from "../../agent/world/agent-world.ts"
import type { ServerOptions } from "../../agent/world/servers/server.ts"
import { CONFIG, named, openPageWorld, type PageClient, type PageWorld } from "./page-world.ts"

const SHARED = {
  "SOUL.md": "# Soul\n\nYou keep the lighthouse.\n",
  "AGENTS.md": "Use metric units.\n",
  "users/ada/USER.md": "---\ntrust: familiar\n---\nAda sails at dawn.\n",
}

/** Only for others than Ada. */
const HIDDEN = {
  "IDENTITY.md": "---\ntrust: full\nname: Stone\n---\nNobody knows this name.\n",
  "USER.md": "The owner is called Runa.\n",
  "MEMORY.md": "The key is under the third stone.\n",
  "memory/private/ring.md": "The ring is at the jeweller's.\n",
  "users/bo/USER.md": "---\ntrust: familiar\n---\nBo is afraid of water.\n",
  "notes/plan.md": "---\ntrust: full\n---\nSell the boat.\n",
}
const OTHERWISE = {
  "IDENTITY.md": "---\ntrust: full\nname: Pebble\n---\nThis name is another one, and longer than before.\n",
  "USER.md": "The owner is called Sigrun, and has much more to say about it.\nLine after line.\n",
  "memory/private/boat.md": "The boat is sold.\n",
}

/** To the first words of a conversation with tools, otherwise with words: nothing depends on how many ask. */
const answer: ServerOptions["answer"] = ({ body }) =>
  JSON.stringify(body).includes("assistant")
    ? say("High water at two.")
    : call(["list", {}], ["read", { path: "SOUL.md" }])

/** Everything that the page's routes answer one person, in the order in which the page asks. */
async function everything(who: PageClient): Promise<string> {
  const found = [await who.raw("/api/page"), await who.raw("/api/page/sessions")]
  const { sessions } = await who.get("/api/page/sessions")
  const files = ["SOUL.md", "USER.md", "MEMORY.md", "users/ada/USER.md", "nothing.md"]
  for (const { id } of sessions) {
    found.push(await who.raw(`/api/calls?session=${id}`), await who.raw(`/api/calls?session=${id}&limit=1`))
    const { calls } = await who.get(`/api/calls?session=${id}`)
    for (const one of calls) found.push(await who.raw(`/api/calls/${one.id}`))
    for (const path of files) found.push(await who.raw(`/api/carried?path=${path}&from=1&to=9&session=${id}`))
  }
  for (const path of files) found.push(await who.raw(`/api/carried?path=${path}&from=1&to=9`))
  for (const source of ["agent", "captures", "report", "folder"])
    found.push(await who.raw(`/api/page/sessions?source=${source}`))
  return named(found.join("\n"))
}

async function worldWith(files: Readonly<Record<string, string>>, config = CONFIG): Promise<PageWorld> {
  return openPageWorld({ files: { ...SHARED, ...files, "incipit.yaml": config }, scripts: answer })
}

test("two folders that differ only in what Ada may not see answer her the same bytes", async () => {
  const one = await worldWith(HIDDEN)
  // Users, rooms and models that are none of her business, too.
  const more = CONFIG.replace("bo: { trust: familiar }", "bo: { trust: inner }, cleo: { trust: full }")
  const other = await worldWith(OTHERWISE, `${more}fallback_model: anthropic/claude-opus-4-8\n`)
  const [hers, alsoHers] = [await one.as("ada"), await other.as("ada")]
  const bo = await other.as("bo")
  // Others talk in one of them, before, between and after.
  await other.operator.say("where is the ring?")
  const [mine, alsoMine] = [await hers.say("when is high water?"), await alsoHers.say("when is high water?")]
  const others = await bo.say("hello")
  await other.operator.say("and the boat?")
  await bo.say("and me?", others.session)
  await hers.say("sure?", mine.session)
  await alsoHers.say("sure?", alsoMine.session)
  await other.operator.say("good night")
  const answers = await everything(hers)
  expect(await everything(alsoHers)).toBe(answers)
  // It is worth comparing.
  expect(answers.match(/^200 \{"call":/gm)).toHaveLength(3)
  for (const seen of ["You keep the lighthouse", "Ada sails at dawn", "High water at two", '"calls":3'])
    expect(answers).toContain(seen)
  for (const hidden of ["Stone", "Runa", "third stone", "jeweller", "afraid", "Sell the boat", "bo", "inner"])
    expect(answers).not.toMatch(new RegExp(`\\b${hidden}\\b`))
})

test("tokens, costs, errors and what tools did stay with those who have full trust", async () => {
  const { operator, as, pass } = await worldWith(HIDDEN)
  const ada = await as("ada")
  const { session, turn } = await ada.say("when is high water?")
  // What was cached is gone by then.
  pass(3_600_000)
  await ada.say("sure?", session)
  const missed = (found: { readonly calls: readonly { readonly miss: unknown }[] }) =>
    found.calls.filter(({ miss }) => miss !== null).length
  const rows = `/api/calls?session=${session}`
  expect([missed(await operator.get(rows)), missed(await ada.get(rows))]).toEqual([1, 0])
  const { calls } = await ada.get(rows)
  for (const one of calls) expect(one).toMatchObject({ usage: null, costUsd: null, miss: null })
  const carried = `/api/carried?path=SOUL.md&from=1&to=9&session=${session}`
  expect((await ada.get(carried)).costUsd).toBe(null)
  expect((await operator.get(carried)).costUsd).toBeGreaterThan(0)
  const seen = await ada.get(`/api/calls/${turn}.2`)
  expect(seen.parts).toEqual(seen.parts.map((part: object) => ({ ...part, cache: null, costUsd: null })))
  expect(seen.report).toMatchObject({ withheld: [], diagnostics: [] })
  const results = seen.parts.filter(({ kind }: { readonly kind: string }) => kind === "tool-result")
  expect(results.map(({ text, tool }: never) => [text, tool])).toEqual([
    ["", null],
    ["", null],
  ])
  const whole = await operator.get(`/api/calls/${turn}.2`)
  // What she is shown is not what was sent: the results are left out.
  expect([whole.isExact, seen.isExact]).toEqual([true, false])
  expect(JSON.stringify(whole.parts)).toContain("AGENTS.md\\nSOUL.md")
  expect(whole.report.withheld).toContainEqual(
    expect.objectContaining({ path: "IDENTITY.md", why: "trust", needs: "full" }),
  )
  expect((await ada.get("/api/page/sessions")).sessions).toMatchObject([{ who: null, costUsd: null }])
  expect((await operator.get("/api/page/sessions")).sessions).toMatchObject([
    { who: "ada", costUsd: expect.any(Number) },
  ])
})

test("what is another person's looks the same as what doesn't exist", async () => {
  const { operator, as } = await worldWith(HIDDEN)
  const ada = await as("ada")
  const { session, turn } = await ada.say("when is high water?")
  const [noSession, noTurn] = ["01m7j3e3y476tj2g9e6j", "01m7j3e3y30bjhh0x00q"]
  const reads = (one: string, other: string) => [
    `/api/calls?session=${one}`,
    `/api/calls?session=${one}&before=${other}.1`,
    `/api/calls/${other}.1`,
    `/api/calls/${other}.9`,
    `/api/carried?path=SOUL.md&from=1&session=${one}`,
  ]
  for (const who of [await as("bo"), await as("ada", "group")]) {
    expect((await who.get("/api/page/sessions")).sessions).toEqual([])
    for (const [at, path] of reads(session, turn).entries())
      expect(await who.raw(path)).toBe(await who.raw(reads(noSession, noTurn)[at] ?? ""))
    expect(await who.get("/api/carried?path=SOUL.md&from=1")).toMatchObject({ calls: 0, isWhole: true })
  }
  for (const path of reads(session, turn).filter((one) => !one.includes(".9")))
    expect([path, (await operator.raw(path)).slice(0, 3)]).toEqual([path, "200"])
  expect((await operator.get("/api/carried?path=SOUL.md&from=1")).calls).toBe(2)
})
