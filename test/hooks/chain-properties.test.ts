// Whatever modules do, and in whatever order: those that fail might as well not be there.
import fc from "fast-check"
import { expect, test } from "vitest"
import type { BeforeAgentStart, HookHost, NamedHooks } from "../../src/hooks/hooks.ts"
import { type Bench, benchOf, named, never, sessionOf, startEvent, turn, untyped } from "./runner.ts"

const GOOD = ["nothing", "adds", "rewrites", "edits", "says", "sends"] as const
const BAD = ["throws", "rejects", "nonsense", "sends and throws", "writes to its event"] as const

const kinds = fc.array(fc.constantFrom(...GOOD, ...BAD), { maxLength: 8 })
type Kind = (typeof GOOD)[number] | (typeof BAD)[number]

function isGood(kind: Kind): boolean {
  return GOOD.some((good) => good === kind)
}

const DOES: Readonly<Record<Kind, (name: string, event: BeforeAgentStart, host: HookHost) => unknown>> = {
  nothing: () => undefined,
  adds: (name, { systemPrompt }) => ({ systemPrompt: `${systemPrompt}\n${name} was here.` }),
  rewrites: (name, { systemPrompt }) => ({ systemPrompt: `${name}: ${systemPrompt}` }),
  edits: (name) => ({ edits: [{ kind: "remove", id: name }] }),
  says: async (name, { systemPrompt }) => ({ messages: [{ text: `${name} saw ${systemPrompt}` }] }),
  sends: (name, _event, host) => host.sendMessage({ text: name }),
  throws: () => {
    throw new Error("throws")
  },
  rejects: async () => Promise.reject(new Error("rejects")),
  nonsense: (name, { systemPrompt }) => ({ systemPrompt: `${systemPrompt}${name}`, edits: [{ kind: name }] }),
  "sends and throws": (name, _event, host) => {
    host.sendMessage({ text: name })
    throw new Error("sends and throws")
  },
  "writes to its event": (_name, event) => Object.assign(event.session.audience, { trust: "full" }),
}

function modulesOf(list: readonly Kind[]): readonly (NamedHooks & { readonly kind: Kind })[] {
  return list.map((kind, at) => {
    const name = `m${at}`
    const run = (event: BeforeAgentStart, host: HookHost) => DOES[kind](name, event, host)
    return { ...named(name, untyped({ before_agent_start: run })), kind }
  })
}

async function effectsOf(bench: Bench) {
  const effects = await bench.runner.beforeAgentStart(startEvent("You.", "familiar"), never())
  return { effects, sent: bench.sent, left: bench.running() }
}

test("the effects are those of the modules that did not fail, in their order, and each failure is reported once", async () => {
  await fc.assert(
    fc.asyncProperty(kinds, async (list) => {
      const modules = modulesOf(list)
      const all = benchOf(modules)
      const good = benchOf(modules.filter(({ kind }) => isGood(kind)))
      expect(await effectsOf(all)).toEqual(await effectsOf(good))
      expect(good.troubles).toEqual([])
      expect(all.troubles.map(({ name }) => name)).toEqual(
        modules.filter(({ kind }) => !isGood(kind)).map(({ name }) => name),
      )
    }),
  )
})

test("a result passes the modules in their order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.string(), fc.boolean()), { maxLength: 8 }), async (list) => {
      const { runner } = benchOf(
        list.map(([mark, fails], at) =>
          named(`m${at}`, {
            tool_result: ({ text }) => {
              if (fails) throw new Error(mark)
              return { text: text + mark }
            },
          }),
        ),
      )
      const event = {
        session: sessionOf().session,
        turn,
        id: "c",
        name: "read",
        input: {},
        text: "",
        isError: false,
      }
      const expected = list.map(([mark, fails]) => (fails ? "" : mark)).join("")
      expect(await runner.toolResult(event, never())).toEqual({ text: expected, isError: false })
    }),
  )
})
