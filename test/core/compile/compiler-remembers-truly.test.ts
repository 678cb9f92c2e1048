// A compiler caches what it wrote. That must never show: a used compiler gives the same result as a fresh one.
import { describe, expect, test } from "vitest"
import { type Compiler, createCompiler } from "../../../src/core/compile/compiler.ts"
import type { HeadOptions } from "../../../src/core/epoch/head.ts"
import { counterFrom } from "../../../src/core/model/counter.ts"
import type { Agent, Session, Tool } from "../../../src/core/model/inputs.ts"
import type { Profile } from "../../../src/core/model/profile.ts"
import { prefixOf } from "../../../src/core/model/prompt.ts"
import { report } from "../../../src/core/read/report.ts"
import { headings } from "../../../src/core/write/markup.ts"
import {
  chars,
  fileSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSection,
  makeSession,
  makeTool,
  makeTurn,
} from "../make.ts"

interface Call {
  readonly agent?: Agent
  readonly options?: HeadOptions
}

/** The second prompt of a compiler that made another one first, and the same prompt from a fresh compiler. */
function usedAndFresh(profile: Profile, first: Call, second: Call) {
  const turn = makeTurn()
  const session = makeSession()
  const used = createCompiler({ profile, counter: chars })
  const make = (compiler: typeof used, { agent = makeAgent(), options = {} }: Call) =>
    compiler.head(agent, session, options).step(turn)
  make(used, first)
  return [make(used, second), make(createCompiler({ profile, counter: chars }), second)].map(report)
}

const budget = { window: 10_000, reserve: 0, head: 200 }
const lines = Array.from({ length: 40 }, (_, at) => `Rule ${at}.`).join("\n")
const files = [makeFile({ role: "rules", text: lines })]

describe("a used compiler gives what a fresh one gives", () => {
  test("after the reading tool was removed", () => {
    const profile = makeProfile([fileSection("rules", { cut: "lines", priority: "low" })])
    const [used, fresh] = usedAndFresh(
      profile,
      { agent: makeAgent({ files, tools: [makeTool("read")] }), options: { budget } },
      { agent: makeAgent({ files }), options: { budget } },
    )
    expect(used).toEqual(fresh)
  })

  test("after an added section changed its title", () => {
    const add = (title: string): Call => ({
      options: {
        edits: {
          stable: [
            { kind: "add", by: "hook", section: makeSection("tip", "Tip.", { pace: "stable", title }) },
          ],
        },
      },
    })
    const [used, fresh] = usedAndFresh(makeProfile([], { markup: headings(2) }), add("One"), add("Two"))
    expect(used).toEqual(fresh)
  })

  test("after the shorter forms of a text changed, but not the text", () => {
    const add = (short: string): Call => {
      const content = { parts: [{ text: lines }], shorter: [{ parts: [{ text: short }] }] }
      return {
        options: {
          budget,
          edits: {
            stable: [
              {
                kind: "add",
                by: "hook",
                section: makeSection("tip", "", { pace: "stable", priority: "low", content }),
              },
            ],
          },
        },
      }
    }
    const [used, fresh] = usedAndFresh(makeProfile([]), add("One."), add("Two."))
    expect(used).toEqual(fresh)
  })

  test("between two sessions with other baselines of a text that has changed since", () => {
    const profile = makeProfile([fileSection("rules", { onChange: "append" })])
    const agentWith = (text: string) => makeAgent({ files: [makeFile({ role: "rules", text })] })
    const now = agentWith(`${lines}\nAnd one more.`)
    const sessions = [lines, "Rule 0."].map((text, at) => {
      const session = makeSession({ id: `s${at}` })
      const { baseline } = createCompiler({ profile, counter: chars }).head(agentWith(text), session)
      return { session, baseline }
    })
    const used = createCompiler({ profile, counter: chars })
    const step = (compiler: typeof used, { session, baseline }: (typeof sessions)[number], id: string) =>
      report(compiler.head(now, session, { baseline }).step(makeTurn({ id })))
    for (const id of ["1", "2"]) {
      const made = sessions.map((one) => step(used, one, id))
      expect(made).toEqual(sessions.map((one) => step(createCompiler({ profile, counter: chars }), one, id)))
      expect(new Set(made.map(({ blocks }) => blocks.at(-1)?.text)).size).toBe(2)
    }
  })

  test("between two sessions with one baseline, of which one cannot read the rest of a text that is cut", () => {
    const profile = makeProfile([fileSection("rules", { cut: "lines", priority: "low", onChange: "append" })])
    const agentWith = (text: string) =>
      makeAgent({
        files: [makeFile({ role: "rules", path: "/house/rules.md", text })],
        tools: [makeTool("read")],
      })
    const sessions = [makeSession({ directory: "/house" }), makeSession({ directory: "/garden" })]
    const options = { budget: { ...budget, head: 250 } }
    const first = createCompiler({ profile, counter: chars }).head(agentWith(lines), makeSession(), options)
    const now = agentWith(`Before all.\n${lines}`)
    const tailOf = (compiler: Compiler, session: Session) =>
      compiler.head(now, session, { ...options, baseline: first.baseline }).step(makeTurn()).tail?.text
    const used = createCompiler({ profile, counter: chars })
    const made = sessions.map((session) => tailOf(used, session))
    expect(made).toEqual(
      sessions.map((session) => tailOf(createCompiler({ profile, counter: chars }), session)),
    )
    expect(made.map((text) => text?.includes("read"))).toEqual([true, false])
  })

  test("after a program changed a tool in place", () => {
    for (const change of [
      { name: "look" },
      { description: "Reads any file of the workspace." },
      { parameters: { type: "object", required: ["path"] } },
    ]) {
      const tool = makeTool("read")
      const compiler = createCompiler({ profile: makeProfile([]), counter: chars })
      const make = (registered: Tool) => {
        const prompt = compiler.head(makeAgent({ tools: [registered] }), makeSession()).step(makeTurn())
        return { report: report(prompt), prefix: prefixOf(prompt), tools: prompt.plan.budget.tools }
      }
      const before = make(tool)
      Object.assign(tool, change)
      const after = make(tool)
      expect(after).toEqual(make({ ...tool }))
      expect(after.prefix).not.toBe(before.prefix)
    }
  })

  test("for the same input again", () => {
    const profile = makeProfile([fileSection("rules", { cut: "lines" })])
    const call = { agent: makeAgent({ files }), options: { budget } }
    const [used, fresh] = usedAndFresh(profile, call, call)
    expect(used).toEqual(fresh)
  })
})

test("sessions in turn share the text that is the same for all of them, and each keeps its head", () => {
  const profile = makeProfile([
    fileSection("rules"),
    { id: "who", pace: "session", build: ({ session }) => ({ parts: [{ text: session.id }] }) },
  ])
  const counted: string[] = []
  const counter = {
    ...chars,
    count(text: string) {
      counted.push(text)
      return chars.count(text)
    },
  }
  const compiler = createCompiler({ profile, counter })
  const agent = makeAgent({ files })
  const sessions = Array.from({ length: 100 }, (_, at) => makeSession({ id: `s${at}` }))
  const heads = sessions.map((session) => compiler.head(agent, session))
  expect(counted.filter((text) => text.includes("Rule 0.")).length).toBe(1)
  expect(counted.filter((text) => /s\d+/.test(text)).length).toBe(100)
  const again = sessions.map((session) => compiler.head(agent, session))
  expect(again.every((head, at) => head === heads[at])).toBe(true)
})

/** The characters counted when each of so many people has another turn. */
function countedAgain(people: number, call: (at: number) => Required<Call>): number {
  let counted = 0
  const counter = counterFrom("counting", (text) => {
    counted += text.length
    return text.length
  })
  const profile = makeProfile([fileSection("rules", { cut: "lines", priority: "low" })])
  const compiler = createCompiler({ profile, counter })
  const round = () => {
    counted = 0
    for (let at = 0; at < people; at += 1) {
      const { agent, options } = call(at)
      compiler.head(agent, makeSession(), options)
    }
    return counted
  }
  round()
  return round()
}

const rules = (text: string) => makeAgent({ files: [makeFile({ role: "rules", text })] })

test("no text is counted again while many people with their own texts take turns", () => {
  const own = (length: number) => (at: number) => ({
    agent: rules(`${at} `.padEnd(length, "x")),
    options: {},
  })
  expect(countedAgain(200, own(5_000))).toBe(0)
  // Together more than is kept.
  expect(countedAgain(100, own(100_000))).toBeGreaterThan(1_000_000)
})

test("no text is cut again while people for whom it is cut to other lengths take turns", () => {
  const cutTo = (at: number) => ({ agent: rules(lines), options: { budget: { ...budget, head: 200 + at } } })
  expect(countedAgain(40, cutTo)).toBe(0)
})
