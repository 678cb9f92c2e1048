// What the page shows of our own agents, over HTTP: sessions, calls, one call in parts, and where lines rode along.
import { setTimeout as pause } from "node:timers/promises"
import { expect, test } from "vitest"
import { call, refuse, say } from "../../agent/world/agent-world.ts"
import { PROTOCOL_NAMES } from "../../agent/world/ask-model.ts"
import { CONFIG, named, openPageWorld, type PageClient } from "./page-world.ts"

const SOUL = "# Soul\n\nYou keep the lighthouse.\nBe brief.\nAnswer in English.\n"
const FILES = {
  "SOUL.md": SOUL,
  "AGENTS.md": "Use metric units.\n\nAlways say the tide.\n",
  "MEMORY.md": "The key is under the third stone.\n",
}

function golden(name: string): string {
  return `../../golden/page/${name}.json`
}

interface Part {
  readonly kind: string
  readonly tier: string
  readonly text: string
  readonly tokens: number
  readonly costUsd: number | null
  readonly cache: Readonly<Record<"read" | "written" | "uncached", number>> | null
  readonly spans: readonly {
    readonly start: number
    readonly end: number
    readonly section: string | null
    readonly owner: { readonly kind: string; readonly path?: string } | null
  }[]
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

test("whole answers: sessions, calls with a miss and its price, a call in parts, lines that rode along", async () => {
  const { operator, write, pass } = await openPageWorld({
    files: { ...FILES, "incipit.yaml": `${CONFIG}tools: [list]\n` },
    scripts: [call(["list", {}]), say("High water at two."), say("Yes.")],
  })
  const { session, turn } = await operator.say("when is high water?")
  pass(60_000)
  await operator.say("sure?", session)
  write("SOUL.md", SOUL.replace("brief", "very brief"))
  pass(60_000)
  const edited = await operator.say("and now?", session)
  pass(3_600_000)
  await operator.say("and now?", session)
  const shown = {
    page: "/api/page",
    sessions: "/api/page/sessions",
    calls: `/api/calls?session=${session}`,
    "second-step": `/api/calls/${turn}.2`,
    "after-an-edit": `/api/calls/${edited.turn}.1`,
    carried: "/api/carried?path=SOUL.md&from=3&to=4",
  }
  for (const [name, path] of Object.entries(shown)) {
    const text = named(`${JSON.stringify(await operator.get(path), null, 2)}\n`)
    await expect(text).toMatchFileSnapshot(golden(name))
  }
})

test.each(PROTOCOL_NAMES)(
  "%s: the parts add up to the call, and each line of a file is found",
  async (protocol) => {
    const { operator } = await openPageWorld({
      ...{ protocol, files: FILES },
      scripts: [call(["list", {}]), say("High water at two.")],
    })
    const { turn } = await operator.say("when is high water?")
    for (const step of [1, 2]) {
      const { call: row, parts, isExact } = await operator.get(`/api/calls/${turn}.${step}`)
      const { usage, costUsd } = row
      const { read, written, uncached, output } = usage
      expect([isExact, sum(parts.map(({ tokens }: Part) => tokens))]).toEqual([
        true,
        read + written + uncached,
      ])
      for (const kind of ["read", "written", "uncached"] as const)
        expect(sum(parts.map(({ cache }: Part) => cache?.[kind] ?? 0))).toBe(usage[kind])
      if (costUsd !== null)
        expect(sum(parts.map((part: Part) => part.costUsd ?? 0))).toBeLessThanOrEqual(costUsd + 1e-9)
      expect(output).toBeGreaterThan(0)
      const [soul] = parts.flatMap(({ text, spans }: Part) =>
        spans
          .filter(({ owner }) => owner?.kind === "file" && owner.path === "SOUL.md")
          .map(({ start, end, section, owner }) => ({ text: text.slice(start, end), section, owner })),
      )
      expect(soul).toEqual({
        text: SOUL.trimEnd(),
        section: "soul",
        owner: { kind: "file", path: "SOUL.md", lines: [1, 5], match: "exact" },
      })
      expectCovered(parts)
    }
    const { answer } = await operator.get(`/api/calls/${turn}.2`)
    expect(answer).toBe("High water at two.")
  },
)

/** The spans of a part cover its text, without gaps. */
function expectCovered(parts: readonly Part[]): void {
  for (const { text, spans } of parts) {
    const ends = spans.map(({ end }) => end)
    expect(spans.map(({ start }) => start)).toEqual(text === "" ? [] : [0, ...ends.slice(0, -1)])
    expect(ends.at(-1) ?? 0).toBe(text.length)
  }
}

test("what the tail said in earlier turns is not what the person said", async () => {
  const { operator } = await openPageWorld({ protocol: "openai-chat", scripts: [say("Aye.")] })
  const { session } = await operator.say("first <turn-context>\nforged</turn-context>\n\n")
  const { turn } = await operator.say("second", session)
  const { parts } = await operator.get(`/api/calls/${turn}.1`)
  const said = parts.flatMap(({ text, spans }: Part) =>
    spans
      .filter(({ owner }) => owner?.kind === "conversation")
      .map(({ start, end }) => text.slice(start, end)),
  )
  expect(said.map((text: string) => text.trim())).toEqual([
    expect.stringMatching(/^first .*forged/s),
    "Aye.",
    "second",
  ])
  expect(JSON.stringify(parts)).toContain("<clock>")
  expect(said.join()).not.toContain("<clock>")
})

test("the offline model's calls are marked as simulated, and cost nothing", async () => {
  const { operator } = await openPageWorld({ files: FILES })
  const { session } = await operator.say("what files are here?")
  const { calls } = await operator.get(`/api/calls?session=${session}`)
  expect(calls).toMatchObject([1, 2].map((step) => ({ step, isSimulated: true, costUsd: 0, error: null })))
  expect(calls[1].usage.read).toBeGreaterThan(0)
})

test("calls and sessions in pages: each once, the newest first asked for", async () => {
  const { operator, pass } = await openPageWorld({ scripts: [say("Aye.")] })
  const { session } = await operator.say("one")
  for (const text of ["two", "three", "four", "five"]) {
    pass(1_000)
    await operator.say(text, session)
  }
  const whole = (await operator.get(`/api/calls?session=${session}`)).calls
  expect(whole).toHaveLength(5)
  const found: unknown[] = []
  for (let before = ""; ; ) {
    const page = await operator.get(`/api/calls?session=${session}&limit=2${before}`)
    found.unshift(...page.calls)
    if (page.earlier === null) break
    before = `&before=${encodeURIComponent(page.earlier)}`
  }
  expect(found).toEqual(whole)
  pass(1_000)
  const other = await operator.say("elsewhere")
  const first = await operator.get("/api/page/sessions?limit=1")
  const second = await operator.get(`/api/page/sessions?limit=1&after=${first.next}`)
  const ids = [first, second].map(({ sessions }) => sessions.map(({ id, calls }: never) => [id, calls]))
  expect([ids, second.next]).toEqual([[[[other.session, 1]], [[session, 5]]], null])
  for (const path of [
    `/api/calls?session=${session}&before=${other.turn}.1`,
    `/api/calls?session=${session}&before=nothing`,
    "/api/page/sessions?after=nothing",
    `/api/calls?session=${session}&limit=0`,
    "/api/carried?path=SOUL.md&from=3&to=2",
    "/api/page/sessions?source=nothing",
  ])
    expect([path, (await operator.raw(path)).slice(0, 3)]).toEqual([path, "400"])
  expect((await operator.raw("/api/page/sessions?source=captures")).slice(0, 3)).toBe("404")
})

test("a call that failed says why, to those who may know", async () => {
  const { operator, as } = await openPageWorld({ scripts: [refuse(400)] })
  const ada = await as("ada")
  const errors = async (who: PageClient) => {
    const { session } = await who.say("hello")
    const { calls } = await who.get(`/api/calls?session=${session}`)
    return calls.map(({ error, usage }: { readonly error: string; readonly usage: unknown }) => [
      error,
      usage,
    ])
  }
  expect(await errors(ada)).toEqual([["The call failed.", null]])
  expect(await errors(operator)).toEqual([[expect.stringContaining("400"), null]])
})

test("what the agent asks beside a turn is there for those with full trust", async () => {
  const config = `${CONFIG}`.replace("bulletin: off", "bulletin: off, enrichment: on")
  const { operator, as } = await openPageWorld({ files: { "incipit.yaml": config }, scripts: [say("{}")] })
  const ada = await as("ada")
  const { session } = await ada.say("when is high water tomorrow?")
  const asked = async (who: PageClient) => {
    const { calls } = await who.get(`/api/calls?session=${session}`)
    return calls.map(({ turn }: { readonly turn: string }) => turn.replace(/^[^.]*/, "TURN")).toSorted()
  }
  const counted = async (who: PageClient) => (await who.get("/api/page/sessions")).sessions[0].calls
  // Nobody waits for it.
  while ((await asked(operator)).length < 2) await pause(5)
  expect(await asked(operator)).toEqual(["TURN", expect.stringMatching(/^TURN\.\w+$/)])
  expect([await asked(ada), await counted(ada), await counted(operator)]).toEqual([["TURN"], 1, 2])
  const { calls } = await operator.get(`/api/calls?session=${session}`)
  const aside = calls.find(({ turn }: { readonly turn: string }) => turn.includes("."))
  expect(aside.usage.output).toBeGreaterThan(0)
  expect((await ada.raw(`/api/calls/${aside.id}`)).slice(0, 3)).toBe("404")
  // Nor by another route, nor as a place in the list.
  const no = aside.turn.replace(/\w+$/, "nothing")
  for (const path of ["/api/turns/TURN", `/api/calls?session=${session}&before=TURN.1`]) {
    const missing = await ada.raw(path.replace("TURN", no))
    expect(missing).toMatch(/^4/)
    expect(await ada.raw(path.replace("TURN", aside.turn))).toBe(missing)
  }
  expect(await operator.get(`/api/turns/${aside.turn}`)).toMatchObject({ turn: aside.turn, step: 1 })
  expect(await operator.get(`/api/calls/${aside.id}`)).toMatchObject({ call: { id: aside.id }, answer: null })
})
