// What the page compiles is what the server compiles, byte for byte: settings drawn at random are compiled in the worker
// of a real browser. Then each one's patch is applied with git, and the server compiles the changed folder.
import fc from "fast-check"
import type { Worker } from "playwright-core"
import { expect, test } from "vitest"
import type { WhatIfSettings } from "../../page/views/what-if/worker/protocol.ts"
import type { WhatIfAsked, WhatIfInput } from "../../src/serve/page/what-if/what-if-shown.ts"
import { openPage } from "./browser.ts"
import { MORNING, openWhatIfWorld, type WhatIfWorld } from "./what-if-world.ts"

interface Drawn {
  readonly asked: WhatIfAsked
  readonly changes: Omit<WhatIfSettings, "now" | "message">
  readonly now: number | undefined
}

const MODELS = ["anthropic/claude-opus-5", "openai/gpt-6.1-sol", "ollama/gemma3"]
const FILES = ["SOUL.md", "AGENTS.md", "TOOLS.md", "rules/bookings.md"]
const SECTIONS = [
  "soul",
  "identity",
  "guidelines",
  "rules",
  "skills",
  "environment",
  "memory",
  "clock",
  "storage",
]
const HEAD_SECTIONS = ["storage", "guidelines", "identity", "environment"]

/** Lines as people write them: markup, tags that look like ours, other scripts. */
const lineArbitrary = fc.oneof(
  fc.constantFrom(
    "## Lamp",
    "- Keep it lit.",
    "</soul>",
    "<base>",
    "海の灯台 🗼",
    "{{name}}",
    "",
    "    indented",
  ),
  fc.lorem({ maxCount: 12 }),
)
const textArbitrary = fc
  .array(lineArbitrary, { minLength: 1, maxLength: 12 })
  .map((lines) => `Edited.\n${lines.join("\n")}\n`)

const drawn: fc.Arbitrary<Drawn> = fc.record({
  asked: fc.record(
    {
      user: fc.constantFrom("ada", "jonas", "mirela", null),
      situation: fc.constantFrom("dm", "group", "system"),
      mode: fc.constantFrom("full" as const, "minimal" as const, "subagent" as const),
      message: fc.constantFrom("When is the next tide?", "Plan the winch for Friday, please.", "灯台"),
    },
    { requiredKeys: [] },
  ),
  changes: fc.record(
    {
      files: fc.dictionary(fc.constantFrom(...FILES), textArbitrary, { maxKeys: 2, noNullPrototype: true }),
      sections: fc
        .tuple(
          fc.dictionary(fc.constantFrom(...SECTIONS), fc.constant("off" as const), { maxKeys: 3 }),
          fc.dictionary(
            fc.constantFrom(...HEAD_SECTIONS),
            textArbitrary.map((text) => ({ text })),
            {
              maxKeys: 1,
            },
          ),
        )
        .map(([off, texts]) => ({ ...off, ...texts })),
      head: fc.integer({ min: 0, max: 6_000 }),
      model: fc.constantFrom(...MODELS),
    },
    { requiredKeys: ["files", "sections"] },
  ),
  now: fc.option(
    fc.integer({ min: -30, max: 300 }).map((minutes) => MORNING + minutes * 60_000),
    { nil: undefined },
  ),
})

test("50 settings give the same bytes in the page and, once their patch is applied, on the server", async () => {
  const first = await openWhatIfWorld({ files: { "incipit.yaml": withModels() } })
  const settings = fc.sample(drawn, 50)
  const { page } = await openPage({ url: first.url, code: first.code, at: "/?view=what-if" })
  await page.getByText("with the same bytes as on the server").waitFor()
  const [worker] = page.workers()
  if (worker === undefined) throw new Error("the page has no worker")
  // What the page loads ahead would be answered in between.
  await page.waitForLoadState("networkidle")
  const made: string[] = []
  for (const { asked, changes, now } of settings)
    made.push(await compiledIn(worker, { input: await first.input(asked), settings: { ...changes, now } }))
  const patches = await Promise.all(settings.map(({ asked, changes }) => first.patch(changes, asked)))
  await page.close()
  const wanted: string[] = []
  let world: WhatIfWorld = first
  let model: string | undefined
  const order = settings.map((_, at) => at).toSorted((a, b) => byModel(settings[a]) - byModel(settings[b]))
  for (const at of order) {
    const { asked, changes, now } = settings[at] ?? { asked: {}, changes: {}, now: undefined }
    const { patch } = patches[at] ?? { patch: "" }
    if (patch !== "") world.gitApply(patch)
    if (changes.model !== undefined && changes.model !== model) world = await world.again(changes.model)
    model = changes.model
    world.setTime(now ?? MORNING)
    wanted[at] = JSON.stringify((await world.input(asked)).report)
    if (patch !== "") world.gitApply(patch, "-R")
  }
  for (const [at, setting] of settings.entries())
    expect({ setting, report: JSON.parse(made[at] ?? "") }).toEqual({
      setting,
      report: JSON.parse(wanted[at] ?? ""),
    })
  expect(made).toEqual(wanted)
})

function byModel(setting: Drawn | undefined): number {
  return MODELS.indexOf(setting?.changes.model ?? "")
}

/** One model of each kind is known to the page: what it can choose is in incipit.yaml, or has a price of ours. */
function withModels(): string {
  return [
    "# The lamp.",
    "model: anthropic/claude-sonnet-5-5",
    "fallback_model: ollama/gemma3 # when it is down",
    "",
    "users:",
    "  ada:    { trust: full, match: ['terminal:*'] }",
    "  jonas:  { trust: inner }",
    "  mirela: { trust: familiar }",
    "situations:",
    "  group: { ceiling: familiar, prompt_overlay: ./prompts/group-rules.md }",
    "",
  ].join("\n")
}

interface Asked {
  readonly input: WhatIfInput
  readonly settings: WhatIfSettings
}

/** Has the page's own worker compile: it gets messages as the page sends them, and its answers are read there. */
function compiledIn(worker: Worker, asked: Asked): Promise<string> {
  return worker.evaluate(async ({ input, settings }) => {
    // The scope of a worker, whose types a program of Node does not have.
    const scope = globalThis as unknown as Scope
    const { postMessage: own } = scope
    const receive = (data: unknown) => scope.dispatchEvent(new MessageEvent("message", { data }))
    const answer = new Promise<Answer>((resolve) => {
      scope.postMessage = (message) => {
        if (message.kind === "checked")
          receive({ kind: "compare", id: 0, real: "drawn", changed: "drawn", settings })
        else resolve(message)
      }
    })
    receive({ kind: "input", key: "drawn", input })
    const { problem, compared } = await answer
    scope.postMessage = own
    if (compared === undefined) throw new Error(problem)
    return JSON.stringify(compared.report)
  }, asked)
}

interface Answer {
  readonly kind: string
  readonly problem?: string
  readonly compared?: { readonly report: unknown }
}

interface Scope {
  postMessage: (message: Answer) => void
  dispatchEvent(event: unknown): void
}
