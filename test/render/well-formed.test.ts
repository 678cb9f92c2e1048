// An unpaired surrogate anywhere in a prompt or a conversation: no renderer sends it, and places stay where they are.
import { expect, test } from "vitest"
import { compile } from "../../src/core/compile/compiler.ts"
import { attach } from "../../src/core/layout/tail.ts"
import { textContent } from "../../src/core/model/content.ts"
import type { Message } from "../../src/core/model/message.ts"
import { section } from "../../src/core/model/section.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { makeAgent, makeProfile, makeSession, makeTurn } from "../core/make.ts"
import { optionsFor, RENDERERS, stringAt } from "./sample.ts"

const HALF = "\ud83d"
const facts = { priority: "required", trust: "public", cut: "whole" } as const
const profile = makeProfile([
  section({ id: "soul", pace: "stable", ...facts, build: () => textContent(`Soul ${HALF}.`) }),
  section({ id: "clock", pace: "turn", ...facts, build: () => textContent(`Clock ${HALF}.`) }),
])
const tool = {
  name: "zap",
  description: `Zap ${HALF}.`,
  parameters: { type: "object", properties: { [`a${HALF}`]: { type: "string", description: HALF } } },
}
const said: readonly Message[] = [
  { role: "user", parts: [{ kind: "text", text: `Ask ${HALF}.` }] },
  {
    role: "assistant",
    parts: [
      { kind: "text", text: `Let me ${HALF}.` },
      { kind: "tool-call", id: "c1", name: "zap", input: { what: [`It ${HALF}.`], [HALF]: 1 } },
    ],
  },
  { role: "user", parts: [{ kind: "tool-result", id: "c1", text: `Done ${HALF}.` }] },
  { role: "assistant", parts: [{ kind: "text", text: `So ${HALF}.` }] },
  { role: "user", parts: [{ kind: "text", text: `And ${HALF}?` }] },
]

test.each(RENDERERS)("$name sends no unpaired surrogate", ({ render, model }) => {
  const scopes = { agent: makeAgent({ tools: [tool] }), session: makeSession(), turn: makeTurn() }
  const prompt = compile(profile, scopes, { counter: o200k })
  const { request, places } = render(prompt, attach(said, prompt.tail), optionsFor(model))
  // A string that contains JSON, such as the arguments of a call, would contain it as an escape.
  expect(JSON.stringify(request)).not.toMatch(/\\ud[89a-f]/i)
  expect(JSON.stringify(request)).toContain("And \ufffd?")
  const found = (id: string) =>
    places
      .filter(({ entry }) => entry === id)
      .map(({ pointer, start, end }) => String(stringAt(request, pointer)).slice(start, end))
      .join("")
  expect([found("soul"), found("clock")]).toEqual([
    expect.stringContaining("Soul \ufffd."),
    expect.stringContaining("Clock \ufffd."),
  ])
})
