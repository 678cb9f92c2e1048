// The compiler over HTTP: sections of the caller's own, and the workspace by the caller's trust.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { definePrompt } from "../../../src/prompt/define-with-o200k.ts"
import { perTurn, text } from "../../../src/prompt/defined-section.ts"
import { clientOf, OPERATOR, openApi } from "./api-client.ts"

const WEATHER = { name: "weather", description: "Says the weather.", parameters: { type: "object" } }
const target = { format: "anthropic", model: "claude-sonnet-5-5", maxTokens: 500 }
const sections = [
  { id: "rules", text: "Be brief." },
  { id: "owner", text: "The safe is behind the clock.", trust: "full" },
  { id: "now", text: "It is noon.", pace: "turn" },
]

test("sections in, plan and request out, call by call with the bytes of a chat that was held", async () => {
  const { post } = await clientOf(await openApi())
  const held = definePrompt({
    sections: { rules: text("Be brief."), now: perTurn(() => "It is noon.") },
    tools: [WEATHER],
  }).open({ id: "held" })
  const body = { sections, tools: [WEATHER], target }

  const first = await post("/api/compile", { ...body, message: "Rain?" })
  held.say("Rain?")
  expect(first.json.request).toEqual(held.anthropic(target.model, { maxTokens: 500 }))
  expect(first.text).not.toContain("behind the clock")
  expect(first.json.report.sections[1]).toMatchObject({
    ...{ id: "owner", outcome: { kind: "withheld", needs: "full", has: "public" } },
  })

  const output = [{ type: "tool_use", id: "t1", name: "weather", input: { at: "here" } }]
  const second = await post("/api/compile", { ...body, chat: first.json.chat, output })
  expect(second.json).toMatchObject({
    ...{ report: null, request: null, calls: [{ id: "t1", name: "weather", input: { at: "here" } }] },
  })

  const results = [{ id: "t1", output: { rain: true } }]
  const third = await post("/api/compile", { ...body, chat: second.json.chat, results })
  held.add(output as never)
  held.answer([{ id: "t1", output: { rain: true } }], {})
  expect(third.json.request).toEqual(held.anthropic(target.model, { maxTokens: 500 }))
  expect(third.json.request.system).toEqual(first.json.request.system)
})

test("a caller's prompt doesn't change with what is withheld from them, and an operator sees why", async () => {
  // The prompt has the time.
  const gateway = await openApi({ now: () => Date.UTC(2026, 10, 16, 12) })
  const { post } = await clientOf(gateway)
  const operator = await clientOf(gateway, OPERATOR)
  const ask = { message: "Hello.", format: "anthropic" }
  writeFileSync(join(gateway.workspace, "SOUL.md"), "Keep the lamp lit.\n")
  const before = await post("/api/compile", ask)
  expect(before.json.report).toMatchObject({ trust: "familiar", situation: "dm", withheld: [] })
  expect(before.json.request.model).toBe("claude-sonnet-5-5")
  expect(JSON.stringify(before.json.request)).toContain("Keep the lamp lit.")
  writeFileSync(join(gateway.workspace, "SAFE.md"), "---\ntrust: full\n---\nThe safe is behind the clock.\n")
  writeFileSync(
    join(gateway.workspace, "incipit.yaml"),
    "users:\n  bo: { trust: familiar }\nprompt:\n  files:\n    - path: SAFE.md\n",
  )
  const after = await post("/api/compile", ask)
  expect(after.text).toBe(before.text)
  const asBo = await operator.post("/api/compile", { ...ask, user: "bo" })
  expect(asBo.json.request).toEqual(before.json.request)
  expect(asBo.json.report.withheld).toMatchObject([{ path: "SAFE.md", needs: "full" }])
  expect((await operator.post("/api/compile", ask)).text).toContain("behind the clock")

  expect((await post("/api/explain", { what: "SAFE.md" })).status).toBe(404)
  expect((await operator.post("/api/explain", { what: "SAFE.md", user: "bo" })).json).toMatchObject([
    { kind: "file", path: "SAFE.md", fate: { kind: "withheld", needs: "full", has: "familiar" } },
  ])
  expect((await post("/api/explain", { what: "Keep the lamp" })).json).toMatchObject([
    { kind: "text", path: "SOUL.md", line: 1 },
  ])
})

test("a caller asks for their own trust or less, and for nobody else", async () => {
  const gateway = await openApi()
  const group = await clientOf(gateway, { user: undefined, situation: "group" })
  const own = await group.post("/api/compile", {})
  expect(own.json.report).toMatchObject({ situation: "group" })
  expect(await group.post("/api/compile", { situation: "dm" })).toMatchObject({
    ...{ status: 403, json: { error: { code: "more-trust" } } },
  })
  const bo = await clientOf(gateway)
  expect((await bo.post("/api/compile", { situation: "group" })).json.report.situation).toBe("group")
  const other = await bo.post("/api/compile", { user: "ada" })
  expect(other).toMatchObject({ status: 403, json: { error: { code: "other-user", field: "user" } } })
  // Whether a user exists is not said.
  expect((await bo.post("/api/compile", { user: "nobody" })).text).toBe(other.text)
})

test("the price of a change, and what is wrong, as far as the caller may know", async () => {
  const gateway = await openApi()
  const { post } = await clientOf(gateway)
  const operator = await clientOf(gateway, OPERATOR)
  writeFileSync(join(gateway.workspace, "SOUL.md"), "Keep the lamp lit. Use the tool launch_rocket.\n")
  writeFileSync(join(gateway.workspace, "USER.md"), "The safe is behind the clock.\n")
  const edit = await post("/api/price", { change: { edit: "SOUL.md" } })
  expect(edit.json).toMatchObject({
    ...{ simulated: true, what: "Editing SOUL.md (+40 tokens)", model: "anthropic/claude-sonnet-5-5" },
    ...{ conversation: 20_000, callsADay: 200, how: "wait" },
  })
  expect(edit.json.atOnce.now.usd).toBeGreaterThan(0)
  const switched = await post("/api/price", { change: { switchTo: "openai/gpt-5.2" } })
  expect(switched.json).toMatchObject({
    what: "Switching to openai/gpt-5.2",
    atOnce: { rewritten: expect.any(Number) },
  })
  const hidden = await post("/api/price", { change: { edit: "USER.md" } })
  const missing = await post("/api/price", { change: { edit: "NOTHERE.md" } })
  expect(hidden.text.replace("USER", "NOTHERE")).toBe(missing.text)
  expect((await operator.post("/api/price", { change: { edit: "USER.md" } })).status).toBe(200)
  expect((await post("/api/price", { change: { edit: "a", switchTo: "b" } })).json.error.message).toBe(
    "change: must name exactly one of edit, addTools, removeTool, switchTo",
  )

  writeFileSync(
    join(gateway.workspace, "incipit.yaml"),
    "users:\n  bo: { trust: familiar }\nprompt:\n  files:\n    - path: GONE.md\n",
  )
  expect((await post("/api/check", {})).text).not.toContain("GONE.md")
  const { json: all } = await operator.post("/api/check", {})
  expect(all).toContainEqual(expect.objectContaining({ code: "prompt-file-missing", path: "GONE.md" }))
  expect((await post("/api/check", { ...inline, budget: 20 })).json).toMatchObject([
    { code: "section-dropped" },
  ])
})

const inline = { sections, target, message: "Hi" }

const REFUSED: readonly (readonly [body: unknown, problem: string])[] = [
  [{ ...inline, sections: [{ id: "a", text: "", pase: "turn" }] }, 'sections.0: has an unknown key "pase"'],
  [{ ...inline, sections: [{ id: "a" }] }, "sections.0.text: is missing"],
  [{ ...inline, sections: [...sections, sections[0]] }, 'sections.3.id: there are two sections "rules"'],
  [{ ...inline, sections: [{ id: "a", text: "b", onChange: "step" }] }, "sections.0.onChange: does not fit"],
  [{ ...inline, message: undefined }, "message: is missing"],
  [{ ...inline, target: { ...target, format: "cobol" } }, "target.format: must be openai or"],
  [{ ...inline, message: undefined, chat: { version: 1 } }, "this isn't a chat that `save` made"],
  [{ ...inline, results: [{ id: "t", output: 1 }] }, "no call is waiting for a result"],
  [{ ...inline, budget: 0 }, "budget"],
  [{ target, message: "Hi" }, "sections: is missing"],
  [{ mesage: "Hi" }, 'The input has an unknown key "mesage".'],
  [{ agent: "nobody" }, "agent: must be one of: main"],
  [{ situation: "circus" }, 'situation: there is no situation "circus"'],
  [[], "The input must be a map, not a list."],
]

test("a body that cannot be compiled is refused with the field", async () => {
  const { post } = await clientOf(await openApi())
  for (const [body, problem] of REFUSED) {
    const { status, json } = await post("/api/compile", body)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(problem)])
  }
})
