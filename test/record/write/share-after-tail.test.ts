// How much of a conversation stands after the tail, which says whose tokens were read from the cache: counted in the text
// of the request, wherever the tail or the operator's words stand in it.
import { describe, expect, test } from "vitest"
import { samplePrompt } from "../../render/sample.ts"
import { openTemporary, planOf, save } from "../receipt-folder.ts"

describe("the share of the conversation after the tail", () => {
  const prompt = samplePrompt()
  const tail = { text: prompt.tail?.text ?? "" }
  const other = { text: "x".repeat(100) }
  const size = (...items: readonly unknown[]) => JSON.stringify(items).length - 2

  test.each([
    ["in the last message", [other, tail], 0],
    ["in the first of three", [tail, other, other], size(other, other) + 1],
    ["in two of them: the last counts", [tail, other, tail, other], size(other) + 1],
    ["in none", [other, other], 0],
  ])("%s", async (_, messages, after) => {
    const recorder = openTemporary()
    await save(recorder, { prompt, request: { tail: tail.text, messages, after: tail.text } })
    const share = Math.round((after / size(...messages)) * 1_000) / 1_000
    expect((await planOf(recorder))?.after).toBe(share === 0 ? undefined : share)
  })

  test("is counted alike where only the end of the conversation is read", async () => {
    const recorder = openTemporary()
    const messages = [other, tail, other]
    await save(recorder, { prompt, request: { messages: messages.slice(0, 2) } })
    await save(recorder, { prompt, request: { messages }, step: 2 })
    const alone = openTemporary()
    await save(alone, { prompt, request: { messages }, step: 2 })
    expect(await planOf(recorder, 2)).toEqual(await planOf(alone, 2))
    expect((await planOf(alone, 2))?.after).toBeGreaterThan(0)
  })

  test("begins after the operator's words, where those are sent later than the rest", async () => {
    const recorder = openTemporary()
    const words = { text: "The operator's words.", at: 0 }
    const made = { ...prompt, tail: prompt.tail && { ...prompt.tail, operator: [words] } }
    const messages = [tail, other, { text: words.text }, other]
    await save(recorder, { prompt: made, request: { messages } })
    const share = (size(other) + 1) / size(...messages)
    expect((await planOf(recorder))?.after).toBe(Math.round(share * 1_000) / 1_000)
  })
})
