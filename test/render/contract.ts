// The contract suite that every renderer runs. A renderer that cannot do something lists it with a reason.
import { describe, expect, test } from "vitest"
import { attach } from "../../src/core/layout/tail.ts"
import type { Message } from "../../src/core/model/message.ts"
import type { Breakpoint } from "../../src/render/cache/breakpoints.ts"
import type { Place } from "../../src/render/formats/place.ts"
import {
  type Ability,
  type AnyRender,
  bytes,
  type Capabilities,
  countMarks,
  optionsFor,
  sampleMessages,
  samplePrompt,
  stringAt,
} from "./sample.ts"

/** A request may have four, and OpenAI sets one of them itself. */
const SLOTS = { openai: 3, others: 4 }

export function testRenderer(name: string, render: AnyRender, capabilities: Capabilities): void {
  const { model, head, items, notSupported } = capabilities
  const prompt = samplePrompt()
  const messages = sampleMessages(prompt)
  const options = optionsFor(model)
  const { request, places } = render(prompt, messages, options)
  // Each row of the table reads the requests of its own renderer.
  const headOf = (of: unknown) => head(of as never)
  const itemsOf = (of: unknown) => items(of as never)
  const supported = (ability: Ability, title: string, run: () => void) => {
    const reason = notSupported[ability]
    if (reason === undefined) return test(title, run)
    return test.skip(`${title} (not supported: ${reason})`, () => {})
  }

  describe(name, () => {
    test("every span of the plan is found at its place, in order", () => {
      const planned = prompt.plan.entries.flatMap(({ id, spans }) =>
        spans.map(({ block, start, end }) => [id, prompt.plan.blocks[block]?.text.slice(start, end)]),
      )
      expect(planned.map(([id]) => id)).toEqual(expect.arrayContaining(["soul", "rules", "place", "clock"]))
      expect(foundAt(request, places)).toEqual(planned)
      // Within a turn the tail comes after results, and here after text too.
      const words = { kind: "text", text: "Mind the gap." } as const
      const results = [...(messages[2]?.parts ?? []), words]
      const within = attach(messages.slice(0, 3).with(2, { role: "user", parts: results }), prompt.tail)
      const later = render(prompt, within, options)
      expect(foundAt(later.request, later.places)).toEqual(planned)
    })

    test("the head appears once, without separators", () => {
      expect(headOf(request).join("")).toBe(prompt.head.map(({ text }) => text).join(""))
      const written = JSON.stringify(request)
      for (const text of ["Be kind.", "Say what you know.", "room-7", "It is 42.", "Second question."])
        expect([text, written.split(text).length - 1]).toEqual([text, 1])
    })

    test("the tail comes before the newest words and nowhere else", () => {
      const newest = JSON.stringify(itemsOf(request).at(-1))
      const tail = JSON.stringify(prompt.tail?.text).slice(1, -1)
      expect(newest.split(tail)).toHaveLength(2)
      expect(newest.split(tail)[0]).not.toContain("Second question.")
      expect(newest.split(tail)[1]).toContain("Second question.")
      const pointers = places.flatMap(({ entry, pointer }) => (entry === "clock" ? [pointer] : []))
      expect(new Set(pointers).size).toBe(1)
    })

    test("two calls give the same bytes", () => {
      const again = render(samplePrompt(), sampleMessages(samplePrompt()), options).request
      expect(JSON.stringify(again)).toBe(JSON.stringify(request))
      expect(JSON.stringify(render(prompt, messages, options).request)).toBe(JSON.stringify(request))
    })

    test("a cached message is written again if the call that it answers changes", () => {
      const call = { kind: "tool-call", id: "c1", name: "zap", input: {} } as const
      const other = messages.with(1, { role: "assistant", parts: [call] })
      const fresh = render(prompt, structuredClone(other), options).request
      expect(JSON.stringify(render(prompt, other, options).request)).toBe(JSON.stringify(fresh))
    })

    test("the input isn't changed", () => {
      const before = JSON.stringify([prompt, messages, options])
      render(deepFreeze(prompt), deepFreeze(messages), deepFreeze(options))
      expect(JSON.stringify([prompt, messages, options])).toBe(before)
    })

    test("empty text is never sent, and a message with nothing else is left out", () => {
      const silent: readonly Message[] = [{ role: "assistant", parts: [{ kind: "text", text: "" }] }]
      const without = render(prompt, messages, options).request
      const withSilence = render(prompt, [...messages.slice(0, 4), ...silent, ...messages.slice(4)], options)
      expect(bytes(withSilence.request)).toBe(bytes(without))
      expect(bytes(request)).not.toMatch(/:""|\[""/)
    })

    test("an empty prompt without messages gives a request without their fields", () => {
      const empty = { ...prompt, tools: [], head: [], tail: undefined, plan: { ...prompt.plan, entries: [] } }
      const nothing = render(empty, [], options)
      expect(nothing.places).toEqual([])
      expect(JSON.stringify(nothing.request)).not.toMatch(/system"|developer|"tools"|text/)
    })

    supported("tools", "tools are sorted, have sorted keys, and are found by their names", () => {
      const at = places.filter(({ entry }) => entry === "ask" || entry === "zap")
      expect(
        at.map(({ pointer, start, end }) => String(stringAt(request, pointer)).slice(start, end)),
      ).toEqual(["ask", "zap"])
      expect(JSON.stringify(request)).toContain(
        '{"properties":{"what":{"description":"What.","type":"string"}},"required":["what"],"type":"object"}',
      )
    })

    supported("breakpoints", "as many breakpoints are set as are allowed, less those that are taken", () => {
      const slots = model.startsWith("openai/") ? SLOTS.openai : SLOTS.others
      const counts = [0, 1, 2, 3, 4].map((taken) =>
        countMarks(render(prompt, messages, optionsFor(model, { taken })).request),
      )
      expect(counts).toEqual([0, 1, 2, 3, 4].map((taken) => Math.max(0, slots - taken)))
    })

    supported("breakpoints", "breakpoints of the caller replace the planned ones", () => {
      const breakpoints: readonly Breakpoint[] = [
        { after: { kind: "head", block: 0 }, ttl: "5m", why: "stable" },
        { after: { kind: "message", message: 2, part: 1 }, ttl: "5m", why: "anchor" },
      ]
      const marked = render(prompt, messages, optionsFor(model, { breakpoints })).request
      expect(countMarks(marked)).toBe(2)
      expect(bytes(marked)).toBe(bytes(request))
      expect(countMarks(render(prompt, messages, optionsFor(model, { breakpoints: [] })).request)).toBe(0)
    })

    supported("conversation", "a message keeps its bytes when the conversation goes on", () => {
      const shorter = itemsOf(render(prompt, messages.slice(0, 3), { ...options, withoutTail: true }).request)
      expect(bytes(itemsOf(request).slice(0, shorter.length))).toBe(bytes(shorter))
      expect(shorter.length).toBeGreaterThan(2)
    })

    if (notSupported.breakpoints !== undefined)
      test("there are no breakpoints", () => expect(countMarks(request)).toBe(0))
  })
}

/** The strings at the places of sections. */
function foundAt(request: unknown, places: readonly Place[]): readonly (readonly string[])[] {
  const ofSections = places.filter(({ entry }) => entry !== "ask" && entry !== "zap")
  return ofSections.map(({ entry, pointer, start, end }) => [
    entry,
    String(stringAt(request, pointer)).slice(start, end),
  ])
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const item of Object.values(value)) deepFreeze(item)
  }
  return value
}
