// An agent may ask why something is in its prompt. What its session may not know of looks like what never was.
import { expect, test } from "vitest"
import { compile } from "../../src/core/compile/compiler.ts"
import type { Prompt } from "../../src/core/model/prompt.ts"
import { explainer } from "../../src/tools/self/explain.ts"
import {
  chars,
  fileSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSession,
  makeTool,
  makeTurn,
} from "../core/make.ts"
import { withRecord } from "../record/open.ts"
import { asking, owner } from "./ask.ts"

const soul = makeFile({ role: "soul", path: "SOUL.md", text: "Be kind.\nBe brief." })
const memory = makeFile({ role: "memory", path: "MEMORY.md", text: "The code is 1234.", trust: "full" })

function promptFor(files: readonly (typeof soul)[]): Prompt {
  const profile = makeProfile([fileSection("soul", { priority: "required" }), fileSection("memory")])
  const agent = makeAgent({ files, tools: [makeTool("read")] })
  const session = makeSession({ audience: { trust: "familiar" } })
  return compile(profile, { agent, session, turn: makeTurn() }, { counter: chars })
}

const asked = ["soul", "SOUL.md", "Be brief", "read", "memory", "MEMORY.md", "1234", "nothing"]

test("a section, a file, a tool and a text are explained", () => {
  const explain = explainer(promptFor([soul, memory]))
  expect(asked.map((what) => explain(what))).toMatchInlineSnapshot(`
    [
      [
        "section soul: included, tokens=35 pace=stable priority=required trust=public",
        "  from SOUL.md",
      ],
      [
        "file SOUL.md: lines 1 to 2 in section soul, tokens=35",
      ],
      [
        "text in section soul, from SOUL.md line 2",
      ],
      [
        "tool read: included, tokens=73",
      ],
      [],
      [],
      [],
      [],
    ]
  `)
})

test("what is hidden and what never was look the same", () => {
  const [withIt, without] = [[soul, memory], [soul]].map((files) => explainer(promptFor(files)))
  for (const what of asked) expect(withIt?.(what)).toEqual(without?.(what))
})

test("the tool answers from what it is given", async () => {
  await withRecord(async (record) => {
    const ask = asking(record, owner, "2026-11-15T12:00:00Z", "UTC")
    const explain = explainer(promptFor([soul, memory]))
    const line = async (what: string, more = {}) =>
      (await ask("incipit_explain", { what }, more)).split("\n")[1]
    expect(await line("read", { explain })).toMatchInlineSnapshot(`"tool read: included, tokens=73"`)
    expect(await line("MEMORY.md", { explain })).toBe("Nothing like that was sent in this session.")
    expect(await line("soul")).toBe("The prompt of this session cannot be inspected.")
  })
})
