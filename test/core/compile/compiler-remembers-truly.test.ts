// A compiler caches what it wrote. That must never show: a used compiler gives the same result as a fresh one.
import { describe, expect, test } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import type { HeadOptions } from "../../../src/core/epoch/head.ts"
import type { Agent } from "../../../src/core/model/inputs.ts"
import type { Profile } from "../../../src/core/model/profile.ts"
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

  test("for the same input again", () => {
    const profile = makeProfile([fileSection("rules", { cut: "lines" })])
    const call = { agent: makeAgent({ files }), options: { budget } }
    const [used, fresh] = usedAndFresh(profile, call, call)
    expect(used).toEqual(fresh)
  })
})
