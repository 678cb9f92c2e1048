// Recorded requests as a cache sees them: what is a block of its own, and where the marks stand, by every renderer.
import { expect, test } from "vitest"
import { type RecordedCallsOptions, recordedCalls } from "../../../src/record/ask/recorded-calls.ts"
import type { Recorder } from "../../../src/record/write/record.ts"
import type { Call } from "../../../src/render/cache/call.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { optionsFor, RENDERERS, sampleMessages, samplePrompt } from "../../render/sample.ts"
import { inFile } from "../in-file.ts"
import { apiCall, FACTS, openTemporary, save } from "../receipt-folder.ts"

const USAGE = { uncached: 10, read: 0, write: {}, output: 7 }

function lines({ at, output, blocks, settings = {} }: Call): readonly string[] {
  const shown = blocks.map(({ tier, pieces, breakpoint = "" }) => {
    const tokens = pieces.map((piece) => piece.tokens).join("+")
    return `${tier.padEnd(8)} ${tokens} ${breakpoint}`.trimEnd()
  })
  const set = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  return [`at ${at}, ${output} tokens of answer, ${set.join(" ")}`, ...shown]
}

async function all(recorder: Recorder, options: RecordedCallsOptions): Promise<readonly Call[]> {
  const calls: Call[] = []
  for await (const call of recorder.read((store) => recordedCalls(store, options))) calls.push(call)
  return calls
}

test("every renderer's request", async () => {
  const recorder = openTemporary()
  const prompt = samplePrompt()
  for (const [at, { render, model }] of RENDERERS.entries()) {
    const facts = { turn: `t${at}`, at: FACTS.at + at * 1_000, session: `s${at}`, model }
    await save(recorder, {
      ...facts,
      request: render(prompt, sampleMessages(prompt), optionsFor(model)).request,
    })
    recorder.append(apiCall({ ...facts, usage: USAGE }))
  }
  await recorder.flush()
  const calls = await all(recorder, { counter: o200k })
  const text = RENDERERS.map(({ name }, at) => [name, ...(calls[at] ? lines(calls[at]) : [])].join("\n  "))
  await expect(`${text.join("\n")}\n`).toMatchFileSnapshot("../../golden/record/recorded-calls.txt")
})

test("in the order of time, of one session, of a range, and only what was answered", async () => {
  const recorder = openTemporary()
  const call = async (turn: string, after: number, session: string, isAnswered = true) => {
    const facts = { turn, at: FACTS.at + after, session }
    await save(recorder, { ...facts, request: { messages: [{ role: "user", content: turn }] } })
    if (isAnswered) recorder.append(apiCall({ ...facts, usage: USAGE }))
  }
  await call("second", 2_000, "a")
  await call("first", 1_000, "b")
  await call("failed", 3_000, "a", false)
  await call("third", 4_000, "a")
  await recorder.flush()
  const times = async (options: object) => {
    const asked = { counter: o200k, ...options }
    return (await all(recorder, asked)).map(({ at }) => at)
  }
  expect(await times({})).toEqual([0, 1_000, 3_000])
  expect(await times({ session: "a" })).toEqual([0, 2_000])
  expect(await times({ since: FACTS.at + 2_000, until: FACTS.at + 4_000 })).toEqual([0])
})

test("a call whose texts are damaged is left out, and told of", async () => {
  const recorder = openTemporary()
  for (const turn of ["whole", "broken"]) {
    await save(recorder, { turn, request: { messages: [{ role: "user", content: turn.repeat(200) }] } })
    recorder.append(apiCall({ turn, usage: USAGE }))
  }
  await recorder.flush()
  const damaged: string[] = []
  inFile(recorder, (database) => {
    const newest = "SELECT max(text) FROM nodes"
    database.run(
      `UPDATE texts SET body = x'00' WHERE id = (${newest}) OR id IN (SELECT ref FROM text_refs WHERE text = (${newest}))`,
    )
  })
  const onDamaged = (turn: string, step: number) => void damaged.push(`${turn}.${step}`)
  const calls = await all(recorder, { counter: o200k, onDamaged })
  expect([calls.length, damaged]).toEqual([1, ["broken.1"]])
})
