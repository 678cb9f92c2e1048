// Where the money went, and what the same calls would have cost in other ways: sums that agree with each other and with
// `incipit cost`, and that tell nobody about the calls of others.
import { expect, test } from "vitest"
import type { ShownCosts, ShownUsage, Simulated } from "../../../src/serve/page/shown.ts"
import { factorFor } from "../../../src/tokens/factor.ts"
import { call, say } from "../../agent/world/agent-world.ts"
import { openPageWorld, type PageClient } from "./page-world.ts"

const FILES = {
  "incipit.yaml": "users:\n  ada: { trust: familiar }\n  kim: { trust: full }\nfeeds: { bulletin: off }\n",
  "SOUL.md": "# Soul\n\nYou keep the lighthouse.\nBe brief.\nAnswer in English.\n",
  "AGENTS.md": "Use metric units.\n\nAlways say the tide.\n",
}

const costsOf = (client: PageClient, query: string): Promise<ShownCosts> =>
  client.get(`/api/page/costs?${query}`)
const simulatedOf = (client: PageClient, session: string): Promise<Simulated> =>
  client.get(`/api/page/simulated?session=${session}`)

async function talked() {
  const scripts = [call(["list", {}]), say("High water at two."), say("Yes."), say("No."), say("Well.")]
  const world = await openPageWorld({ files: FILES, scripts })
  const first = await world.operator.say("when is high water?")
  await world.operator.say("sure?", first.session)
  return { ...world, session: first.session }
}

test("the carried costs of all owners add up to the total, by every way of summing", async () => {
  const { operator } = await talked()
  const owners = await costsOf(operator, "by=owner")
  expect(owners.total).toMatchObject({ calls: 3, unpriced: 0 })
  const carried = owners.owners.reduce((sum, { carriedUsd }) => sum + (carriedUsd ?? 0), 0)
  expect(carried).toBeCloseTo(owners.total.costUsd ?? 0, 10)
  const tokensOf = (isOutput: boolean) =>
    owners.owners
      .filter(({ group }) => (group === "output") === isOutput)
      .reduce((sum, { carriedTokens }) => sum + carriedTokens, 0)
  const [input, output] = [tokensOf(false), tokensOf(true)]
  const { usage } = owners.total
  expect(output).toBe(usage.output)
  // Each owner is rounded by itself.
  expect(Math.abs(input - usage.uncached - usage.read - usage.written)).toBeLessThan(owners.owners.length)
  for (const by of ["day", "session", "person", "model"]) {
    const costs = await costsOf(operator, `by=${by}`)
    expect(costs.total, by).toEqual({ ...owners.total, costUsd: expect.closeTo(carried, 10) })
    expect(costs.rows.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)).toBeCloseTo(carried, 10)
  }
})

test("a file is listed with its lines, how often it was sent, and its newest call", async () => {
  const { operator, session } = await talked()
  const { owners } = await costsOf(operator, "by=owner")
  const soul = owners.find(({ owner }) => owner.path === "SOUL.md")
  expect(soul).toEqual({
    ...{ key: "instructions\nfile\nSOUL.md", title: "SOUL.md", group: "instructions" },
    owner: { kind: "file", path: "SOUL.md", lines: [1, 5], match: "exact" },
    ...{ calls: 3, others: 0, tokens: expect.any(Number), carriedTokens: expect.any(Number) },
    carriedUsd: expect.any(Number),
    newest: { session, call: expect.stringMatching(/\.1$/) },
  })
  expect(soul?.carriedTokens).toBeGreaterThan(2 * (soul?.tokens ?? 0))
  const results = owners.filter(({ group }) => group === "tool-results")
  expect(results.map(({ title }) => title)).toEqual(["list {}"])
  // Its text is one, and was sent twice.
  const [{ tokens = 0, carriedTokens = 0 } = {}] = results
  expect(carriedTokens).toBeGreaterThan(1.5 * tokens)
})

test("rows have titles and lead to the newest call; a period without calls is empty", async () => {
  const { operator, session, pass } = await talked()
  const { rows } = await costsOf(operator, "by=session")
  expect(rows).toMatchObject([
    { key: session, title: "when is high water?", who: "owner", newest: { session } },
  ])
  pass(3_600_000)
  await operator.say("and now?", session)
  const { calls } = await operator.get(`/api/calls?session=${session}`)
  const before = await costsOf(operator, `by=session&until=${calls.at(-1).at - 1_800_000}`)
  expect(before).toMatchObject({ total: { calls: 3 }, rows: [{ newest: { call: calls.at(-2).id } }] })
  const none = await costsOf(operator, "by=session&until=1000")
  expect(none).toMatchObject({ rows: [], total: { calls: 0, costUsd: 0 } })
  expect(await costsOf(operator, "by=owner&until=1000")).toMatchObject({ owners: [], total: { calls: 0 } })
  expect(await operator.raw("/api/page/costs?by=owner&session=nobody")).toMatch(/^404 /)
  expect(await operator.raw("/api/page/costs?timeZone=Nowhere")).toMatch(/^400 .*no time zone/)
})

test("somebody with full trust sums their own calls, and nothing changes when others talk", async () => {
  const { operator, as, session } = await talked()
  const kim = await as("kim")
  const hers = await kim.say("hello, this is kim")
  const seen = async () => [
    ...(await Promise.all(
      ["owner", "day", "session", "model", "person"].map((by) => kim.raw(`/api/page/costs?by=${by}`)),
    )),
    await kim.raw(`/api/page/simulated?session=${hers.session}`),
  ]
  const before = await seen()
  expect(await costsOf(kim, "by=owner")).toMatchObject({
    ways: ["owner", "day", "session", "model"],
    total: { calls: 1 },
  })
  await operator.say("and now?", session)
  expect(await seen()).toEqual(before)
  expect(before.join("\n")).not.toContain("high water")
  expect(await kim.raw(`/api/page/costs?by=owner&session=${session}`)).toBe(
    await kim.raw("/api/page/costs?by=owner&session=nobody"),
  )
  expect(await kim.raw(`/api/page/simulated?session=${session}`)).toBe(
    await kim.raw("/api/page/simulated?session=nobody"),
  )
  expect((await costsOf(operator, "by=owner")).total.calls).toBe(5)
})

test("below full trust there are no costs, not even those of your own calls", async () => {
  const { as } = await talked()
  const ada = await as("ada")
  const hers = await ada.say("hello")
  for (const by of ["owner", "day", "session", "model"]) {
    const costs = await costsOf(ada, `by=${by}`)
    expect(costs).toMatchObject({ rows: [], owners: [], isOpen: false, total: { calls: 0, costUsd: null } })
  }
  expect(await simulatedOf(ada, hers.session)).toMatchObject({ ways: [], why: "Costs need full trust." })
})

test("other lifetimes, marks and providers are simulated on the same calls", async () => {
  const { operator, session } = await talked()
  const { calls, ways, recordedUsd, why, notes } = await simulatedOf(operator, session)
  expect({ calls, why, notes }).toEqual({ calls: 3, why: null, notes: [] })
  expect(ways.map(({ kind, title }) => [kind, title])).toEqual([
    ["sent", "As sent"],
    ["ttl", "Prompt cached for 1h"],
    ["layout", "Marks after the prompt and the last message"],
    ["layout", "One mark, after the prompt"],
    ["layout", "No marks"],
    ...["openai/gpt-5.6-sol", "google/gemini-2.5-pro", "deepseek/deepseek-chat", "xai/grok-4"].map(
      (title) => ["provider", title],
    ),
  ])
  const [sent, longer] = ways
  const inputOf = ({ uncached, read, written }: ShownUsage) => uncached + read + written
  const { total } = await costsOf(operator, `by=session&session=${session}`)
  // The provider of this test counts as our counter does, and the model that it stands for counts more.
  const factor = inputOf(sent!.usage) / inputOf(total.usage)
  expect(factor / factorFor(sent!.model).factor).toBeCloseTo(1, 1)
  const unmarked = ways.find(({ title }) => title === "No marks")
  expect(recordedUsd).toBeGreaterThan(0)
  // Nothing expires within these calls, so the longer lifetime only makes writing more expensive.
  expect(longer?.usage).toEqual(sent?.usage)
  expect(longer?.costUsd).toBeGreaterThan(sent?.costUsd ?? Number.POSITIVE_INFINITY)
  expect(unmarked).toMatchObject({ hitRatio: 0, usage: { read: 0, written: 0 } })
})

test("calls of the offline model are free, and the notes say so", async () => {
  const world = await openPageWorld({ files: FILES })
  const { session } = await world.operator.say("hello")
  const note = "The offline model's calls are free; its prices and cache figures are simulated."
  const owners = await costsOf(world.operator, "by=owner")
  expect(owners.notes).toEqual([note])
  expect(owners.total.costUsd).toBe(0)
  expect((await costsOf(world.operator, "by=day")).notes).toEqual([note])
  expect(await simulatedOf(world.operator, session)).toMatchObject({ recordedUsd: null, notes: [note] })
})
