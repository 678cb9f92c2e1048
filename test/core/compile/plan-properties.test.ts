import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { canonicalJson } from "../../../src/base/digest.ts"
import type { Pace } from "../../../src/base/pace.ts"
import { atLeast } from "../../../src/base/trust.ts"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import { targetOf } from "../../../src/core/model/edit.ts"
import { type Entry, visible } from "../../../src/core/model/plan.ts"
import { PRIORITIES } from "../../../src/core/model/priority.ts"
import { fingerprintOf, type Prompt, prefixOf } from "../../../src/core/model/prompt.ts"
import type { AnySectionSpec } from "../../../src/core/model/section.ts"
import { report } from "../../../src/core/read/report.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import * as generate from "../generate.ts"

const RUNS = { seed: 20_26, numRuns: 400 }

function head(situation: generate.Situation) {
  const { profile, agent, session, budget, edits } = situation
  return createCompiler({ profile, counter: o200k }).head(agent, session, { budget, edits })
}

function compile(situation: generate.Situation): Prompt {
  const { turn, conversationTokens, turnEdits } = situation
  return head(situation).step(turn, { conversationTokens, edits: turnEdits })
}

function all(check: (situation: generate.Situation) => void): void {
  fc.assert(fc.property(generate.situation, check), RUNS)
}

const sections = (prompt: Prompt) => prompt.plan.entries.filter(({ kind }) => kind === "section")

describe("the plan", () => {
  test("has one entry for each section, tool and edit, in a fixed order", () => {
    all((situation) => {
      const { profile, agent, edits, turnEdits } = situation
      const prompt = compile(situation)
      const ids = (kind: Entry["kind"]) =>
        prompt.plan.entries.filter((entry) => entry.kind === kind).map(({ id }) => id)
      const own = profile.sections.map(({ id }) => id)
      const added = new Set(
        [...edits.stable, ...edits.session, ...turnEdits].filter(({ kind }) => kind === "add").map(targetOf),
      )
      expect(ids("tool")).toEqual(agent.tools.map(({ name }) => name).toSorted())
      expect(
        ids("section")
          .filter((id) => own.includes(id))
          .toSorted(),
      ).toEqual(own.toSorted())
      expect(ids("section").every((id) => own.includes(id) || added.has(id))).toBe(true)
      expect(new Set(ids("section")).size).toBe(ids("section").length)
      expect(ids("edit").length).toBe(edits.stable.length + edits.session.length + turnEdits.length)
      const paces = sections(prompt).map(({ pace }) => pace)
      expect(paces).toEqual(
        [...paces].sort(
          (a, b) => ["stable", "session", "turn"].indexOf(a) - ["stable", "session", "turn"].indexOf(b),
        ),
      )
    })
  })

  test("is the same for the same input, whatever the order of tools and keys", () => {
    all((situation) => {
      const { agent } = situation
      const shuffled = agent.tools.map((tool) => JSON.parse(reversedJson(tool))).reverse()
      const again = compile({ ...situation, agent: { ...agent, tools: shuffled } })
      expect(report(again)).toEqual(report(compile(situation)))
      expect(again.text).toBe(compile(situation).text)
    })
  })

  test("keeps nothing above the audience's trust, whatever an edit added", () => {
    all((situation) => {
      const { agent, session } = situation
      const prompt = compile(situation)
      const has = session.audience.trust
      const files = [...agent.files, ...session.files]
      for (const entry of prompt.plan.entries) {
        if (entry.spans.length > 0) expect(atLeast(has, entry.trust)).toBe(true)
        for (const { from } of entry.spans) {
          const source =
            from?.kind === "file" ? files.find(({ identity }) => identity === from.identity) : undefined
          if (source !== undefined) expect(atLeast(has, source.trust)).toBe(true)
        }
      }
      expect(prompt.tools.every((tool) => atLeast(has, tool.trust ?? "public"))).toBe(true)
    })
  })

  test("never lets hidden input change what `told` returns", () => {
    const changed = fc.record({
      situation: generate.situation,
      body: generate.text,
      remove: fc.boolean(),
      swap: generate.text,
    })
    fc.assert(
      fc.property(changed, ({ situation, body, remove, swap }) => {
        const { agent, session } = situation
        const has = session.audience.trust
        const isHidden = (file: { trust: typeof has }) => !atLeast(has, file.trust)
        const meddle = <F extends { trust: typeof has; text: string }>(files: readonly F[]) =>
          remove
            ? files.filter((file) => !isHidden(file))
            : files.map((file) => (isHidden(file) ? { ...file, text: body } : file))
        const secret = generate.file("r0", "secret.md", swap, "full")
        const extra = isHidden(secret) && !remove ? [secret] : []
        const tools = agent.tools.filter((tool) => atLeast(has, tool.trust ?? "public"))
        const other = {
          ...situation,
          agent: { ...agent, files: [...extra, ...meddle(agent.files)], tools },
          session: { ...session, files: meddle(session.files) },
        }
        const [a, b] = [compile(situation), compile(other)]
        expect(b.text).toBe(a.text)
        expect(fingerprintOf(b)).toBe(fingerprintOf(a))
        expect(JSON.stringify(visible(b.plan))).toBe(JSON.stringify(visible(a.plan)))
      }),
      RUNS,
    )
  })
})

describe("the head", () => {
  test("has the same bytes for any turn, message and length of conversation", () => {
    const input = fc.record({
      situation: generate.situation,
      turns: fc.array(generate.turn, { minLength: 1, maxLength: 4 }),
      edits: generate.edits,
    })
    fc.assert(
      fc.property(input, ({ situation, turns, edits }) => {
        const stays = head(situation)
        const first = stays.step(situation.turn, { conversationTokens: 0 })
        for (const [at, turn] of turns.entries()) {
          const next = stays.step(turn, { conversationTokens: at * 60_000, edits, sent: first.sent })
          expect(next.head).toEqual(first.head)
          expect(prefixOf(next)).toBe(prefixOf(first))
        }
      }),
      RUNS,
    )
  })

  test("has the same stable block for any session text that fits its share", () => {
    fc.assert(
      fc.property(generate.situation, (situation) => {
        // A session edit may move a stable section to a faster pace.
        const edits = { stable: situation.edits.stable, session: [] }
        const spoken = { ...situation, edits }
        const roomy = { ...spoken, budget: { window: 900_000, reserve: 1, head: 400_000 } }
        const limit = compile(spoken).plan.budget.head.limit
        const silent = {
          ...spoken,
          profile: {
            ...situation.profile,
            sections: situation.profile.sections.map(
              (spec): AnySectionSpec =>
                spec.pace === "session" ? { ...spec, build: () => undefined } : spec,
            ),
          },
        }
        const tokens = (one: generate.Situation, pace: Pace) =>
          head(one).blocks.reduce((sum, block) => sum + (block.pace === pace ? block.tokens : 0), 0)
        const share = Math.floor(limit / 4)
        fc.pre(tokens(roomy, "session") <= share && tokens(silent, "stable") <= limit - share)
        const stable = (one: generate.Situation) => head(one).blocks.filter(({ pace }) => pace === "stable")
        expect(stable(spoken)).toEqual(stable(silent))
      }),
      RUNS,
    )
  })
})

describe("the budget", () => {
  test("limits what is kept, unless the plan reports that required text exceeds it", () => {
    all((situation) => {
      const { budget, conversationTokens } = situation
      const { plan } = compile(situation)
      const { head, tail, tools } = plan.budget
      const over = (fit: "head" | "tail") =>
        plan.diagnostics.some((item) => item.code === "required-over-budget" && item.fit === fit)
      const left = budget.window - budget.reserve - tools - head.used - conversationTokens
      const share = budget.total === undefined ? undefined : Math.floor(budget.total * 0.75)
      const usual = Math.floor((budget.window - budget.reserve - tools) / 4)
      const { total = Number.POSITIVE_INFINITY } = budget
      expect(head.limit).toBe(Math.min(budget.head ?? share ?? usual, total))
      const wanted = budget.tail ?? budget.total ?? 4_000
      expect(tail.limit).toBe(Math.max(0, Math.min(wanted, total - head.used, left)))
      if (!over("head")) expect(head.used).toBeLessThanOrEqual(head.limit)
      if (!over("head") && !over("tail")) expect(head.used + tail.used).toBeLessThanOrEqual(total)
      if (!over("tail")) expect(tail.used).toBeLessThanOrEqual(tail.limit)
    })
  })

  test("drops a section only if neither its share nor the leftover room is enough", () => {
    all((situation) => {
      const plan = compile({ ...situation, turnEdits: [], edits: { stable: [], session: [] } }).plan
      const roomy = compile({
        ...situation,
        turnEdits: [],
        edits: { stable: [], session: [] },
        conversationTokens: 0,
        budget: { window: 900_000, reserve: 1, head: 400_000, tail: 400_000 },
      }).plan
      const sections = plan.entries.filter(({ kind }) => kind === "section")
      const stable = sections.filter(({ pace }) => pace === "stable")
      const limit = plan.budget.head.limit
      for (const entry of stable) {
        if (entry.outcome.kind !== "dropped") continue
        // Session text takes room from stable text only if it is needed at least as much.
        const isBefore = ({ priority }: Entry) =>
          PRIORITIES.indexOf(priority) <= PRIORITIES.indexOf(entry.priority)
        const session = sections.filter((one) => one.pace === "session" && isBefore(one))
        const used = [...stable, ...session].reduce((sum, { tokens }) => sum + tokens, 0)
        const whole = roomy.entries.find(({ id }) => id === entry.id)?.tokens ?? 0
        expect(whole).toBeGreaterThan(limit - used)
        expect(whole).toBeGreaterThan(0)
      }
    })
  })
})

describe("every unit of the text", () => {
  test("belongs to exactly one entry", () => {
    all((situation) => {
      const { plan } = compile(situation)
      const spans = plan.entries.flatMap((entry) => entry.spans)
      for (const [block, { text }] of plan.blocks.entries()) {
        const here = spans.filter((span) => span.block === block).sort((a, b) => a.start - b.start)
        let end = 0
        for (const span of here) {
          expect(span.start).toBe(end)
          end = span.end
        }
        expect(end).toBe(text.length)
      }
    })
  })

  test("that comes from a file is on the lines that its span names", () => {
    all((situation) => {
      const files = [...situation.agent.files, ...situation.session.files]
      const { plan } = compile(situation)
      for (const { block, start, end, from } of plan.entries.flatMap((entry) => entry.spans)) {
        if (from?.kind !== "file") continue
        const source = files.find(({ path }) => path === from.path)
        const lines =
          source?.text
            .split("\n")
            .slice(from.lines[0] - 1, from.lines[1])
            .join("\n") ?? ""
        const shown = plan.blocks[block]?.text.slice(start, end).replaceAll("&lt;", "<") ?? ""
        expect(lines.replaceAll("&lt;", "<")).toContain(shown.replace(/\n$/, ""))
        expect(shown.replace(/\n$/, "").split("\n").length).toBe(lines.split("\n").length)
      }
    })
  })

  test("is counted once: section counts add up to the count of each block", () => {
    all((situation) => {
      const { plan } = compile(situation)
      const tokens = plan.entries
        .filter(({ kind }) => kind !== "tool")
        .reduce((sum, entry) => sum + entry.tokens, 0)
      const counted = plan.blocks.reduce((sum, { text }) => sum + o200k.count(text), 0)
      expect(plan.blocks.map(({ text }) => o200k.count(text))).toEqual(
        plan.blocks.map((block) => block.tokens),
      )
      expect(tokens).toBe(counted)
      expect(o200k.count(plan.blocks.map(({ text }) => text).join(""))).toBe(counted)
    })
  })
})

test("a declared order reports its first moving unit and the tokens after it", () => {
  all((situation) => {
    const plan = compile({ ...situation, profile: { ...situation.profile, order: "declared" } }).plan
    const moving = plan.diagnostics.find(({ code }) => code === "moving-text")
    const first = plan.blocks.findIndex(({ pace }) => pace === "turn")
    if (first === -1) {
      expect(moving).toBeUndefined()
      return
    }
    const tokens = plan.blocks.slice(first).reduce((sum, block) => sum + block.tokens, 0)
    const owner = plan.entries.find(({ spans }) =>
      spans.some(({ block, start }) => block === first && start === 0),
    )
    expect(moving).toEqual({ code: "moving-text", id: owner?.id, block: first, offset: 0, tokens })
  })
})

/** The same value with the keys of every object reversed. */
function reversedJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    const isRecord = typeof item === "object" && item !== null && !Array.isArray(item)
    return isRecord ? Object.fromEntries(Object.entries(item).reverse()) : item
  })
}

test("reversing a tool's keys doesn't change the tool", () => {
  const tool = { name: "x", parameters: { b: 1, a: { d: 2, c: 3 } } }
  expect(canonicalJson(JSON.parse(reversedJson(tool)))).toBe(canonicalJson(tool))
})
