// The statements of Nova's published description, one by one; whole prompts are in nova-golden.test.ts.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { compile, createCompiler } from "../../../src/core/compile/compiler.ts"
import type { Edit } from "../../../src/core/model/edit.ts"
import type { Session, Tool, Turn } from "../../../src/core/model/inputs.ts"
import type { Prompt } from "../../../src/core/model/prompt.ts"
import type { SourceFile } from "../../../src/core/model/source.ts"
import { adjustProfile } from "../../../src/profiles/adjust.ts"
import { nova } from "../../../src/profiles/nova/nova.ts"
import { novaClock } from "../../../src/profiles/nova/parts.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { makeAgent, makeFile, makeSection, makeSession, makeTurn } from "../../core/make.ts"

const NOW = Date.UTC(2026, 2, 7, 14, 55, 59)
const CONTEXT = "<Context>\nCurrent time: Saturday, March 7, 2026 at 4:55 PM (Europe/Helsinki)\n</Context>"

interface Given {
  /** The content of agent.json. */
  readonly agent?: Readonly<Record<string, unknown>>
  readonly memories?: readonly unknown[]
  readonly tasks?: readonly unknown[]
  readonly session?: Partial<Session>
  readonly turn?: Partial<Turn>
  readonly tools?: readonly Tool[]
}

function jsonFile(role: string, value: unknown, trust: SourceFile["trust"]): SourceFile {
  const text = JSON.stringify(value, undefined, 2)
  const fields = Array.isArray(value) ? { list: value } : { ...(value as object) }
  return makeFile({ role, path: `${role}.json`, text, fields, trust })
}

function inputs({ agent, memories, tasks, session, turn, tools = [] }: Given) {
  const files = [
    ...(agent === undefined ? [] : [jsonFile("identity", agent, "familiar")]),
    ...(memories === undefined ? [] : [jsonFile("memories", memories, "inner")]),
  ]
  return {
    agent: makeAgent({ files, tools }),
    session: makeSession({
      files: tasks === undefined ? [] : [jsonFile("tasks", { tasks }, "inner")],
      ...session,
    }),
    turn: makeTurn({ now: NOW, timeZone: "Europe/Helsinki", ...turn }),
  }
}

const compiled = (given: Given): Prompt => compile(nova, inputs(given), { counter: o200k })
const textOf = (given: Given) => compiled(given).text
/** The section as written. Undefined if it was left out. */
const section = (given: Given, tag: string) =>
  new RegExp(`<${tag}>\\n[\\s\\S]*?\\n</${tag}>`).exec(textOf(given))?.[0]

describe("order and omission", () => {
  test("sections are in the order of the description, whatever is given", () => {
    expect(nova.sections.map(({ id }) => id)).toEqual([
      "nova/identity",
      "nova/role",
      "nova/instructions",
      "nova/responsibilities",
      "nova/directories",
      "nova/storage",
      "nova/formatting",
      "nova/context",
      "nova/memories",
      "nova/task",
      "nova/background",
    ])
  })

  test("with nothing given, only the time is included, with no blank line before it", () => {
    expect(textOf({})).toBe(CONTEXT)
  })

  test("there is one blank line between sections, and nothing outside of tags", () => {
    const agent = { identity: "A.", instructions: "B.", capabilities: ["memory"], cwd: "/w" }
    const text = textOf({ agent, memories: ["C."], session: { background: true, channel: "telegram" } })
    const tags = "Identity|Instructions|Directories|Storage|Formatting|Context|Memories|Background"
    expect(text).toMatch(new RegExp(`^(?:<(${tags})>\\n[\\s\\S]*?\\n</\\1>(?:\\n\\n(?=<)|$)){8}$`))
  })

  test.each([
    ["identity", ""],
    ["identity", " \n "],
    ["identity", 7n],
    ["identity", null],
    ["responsibilities", []],
    ["responsibilities", [{ title: "No content" }, "text", null]],
    ["responsibilities", "text"],
    ["directories", "text"],
    ["capabilities", { memory: false, files: null }],
    ["capabilities", "memory"],
  ])("a malformed or empty %s leaves nothing behind", (name, value) => {
    const agent = inputs({ agent: { trust: "sandbox" } }).agent
    const files = agent.files.map((file) => ({ ...file, fields: { trust: "sandbox", [name]: value } }))
    const { session, turn } = inputs({})
    expect(compile(nova, { agent: { ...agent, files }, session, turn }, { counter: o200k }).text).toBe(
      CONTEXT,
    )
  })

  test("memories that are no texts are passed over", () => {
    expect(section({ memories: [1, null, "  ", "Real."] }, "Memories")).toBe(
      "<Memories>\n- Real.\n</Memories>",
    )
    expect(textOf({ memories: [] })).toBe(CONTEXT)
  })
})

describe("identity and instructions", () => {
  test("are the agent's fields", () => {
    const text = textOf({ agent: { trust: "sandbox", identity: "Who.", instructions: "How." } })
    expect(text).toBe(`<Identity>\nWho.\n</Identity>\n\n<Instructions>\nHow.\n</Instructions>\n\n${CONTEXT}`)
  })

  test("instructions are left out without an identity", () => {
    expect(textOf({ agent: { trust: "sandbox", instructions: "How." } })).toBe(CONTEXT)
  })

  test("a legacy role has its own tag and no instructions", () => {
    const text = textOf({ agent: { trust: "sandbox", role: "Old.", instructions: "How." } })
    expect(text).toBe(`<Role>\nOld.\n</Role>\n\n${CONTEXT}`)
  })

  test("an identity takes the place of a role", () => {
    const agent = { trust: "sandbox", identity: "New.", role: "Old." }
    expect(textOf({ agent })).toBe(`<Identity>\nNew.\n</Identity>\n\n${CONTEXT}`)
  })
})

describe("directories", () => {
  const own =
    "Your working directory is: /w\nThere may already be existing files — check before creating new ones."

  test("name the working directory, and further ones only if there are any", () => {
    expect(section({ agent: { cwd: "/w" } }, "Directories")).toBe(`<Directories>\n${own}\n</Directories>`)
    expect(section({ agent: { cwd: "/w", directories: ["/a  b", "/c"] } }, "Directories")).toBe(
      `<Directories>\n${own}\n\nYou also have access to these additional directories:\n- /a  b\n- /c\n</Directories>`,
    )
  })

  test("are left out for an agent that cannot reach files, unless it has its own", () => {
    expect(section({ agent: { cwd: "/w", trust: "sandbox" } }, "Directories")).toBeUndefined()
    expect(section({ agent: { cwd: "/w", trust: "sandbox", directories: ["/a"] } }, "Directories")).toBe(
      `<Directories>\n${own}\n\nYou also have access to these additional directories:\n- /a\n</Directories>`,
    )
  })

  test("are not sent to strangers, even if the agent's file is for everyone", () => {
    const { agent, turn } = inputs({ agent: { identity: "Who.", cwd: "/w" } })
    const files = agent.files.map((file) => ({ ...file, trust: "public" as const }))
    const session = makeSession({ audience: { trust: "public" } })
    const { text } = compile(nova, { agent: { ...agent, files }, session, turn }, { counter: o200k })
    expect(text).toBe(`<Identity>\nWho.\n</Identity>\n\n${CONTEXT}`)
  })
})

describe("storage", () => {
  test.each([
    [{ capabilities: ["memory"], trust: "sandbox" }, true],
    [{ capabilities: ["browser", "self"], trust: "sandbox" }, true],
    [{ capabilities: ["triggers"] }, true],
    [{ capabilities: [], trust: "controlled" }, true],
    [{ trust: "unrestricted" }, true],
    [{ capabilities: ["browser", "history"], trust: "sandbox" }, false],
    [{ capabilities: [] }, false],
    [{}, false],
  ])("of %j is included: %s", (agent, isIncluded) => {
    expect(section({ agent }, "Storage") !== undefined).toBe(isIncluded)
  })

  test("explains files, instructions, memory and triggers, the same for every agent", () => {
    const text = section({ agent: { capabilities: ["memory"] } }, "Storage")
    expect(text?.match(/^- \w+/gm)).toEqual(["- Files", "- Instructions", "- Memory", "- Triggers"])
    expect(section({ agent: { capabilities: ["triggers"], identity: "X." } }, "Storage")).toBe(text)
  })
})

test.each([
  ["telegram", true],
  ["telegram:4711", true],
  ["terminal:local", false],
  ["discord", false],
  ["my-telegram", false],
  [undefined, false],
])("formatting on the channel %s is included: %s", (channel, isIncluded) => {
  expect(section({ session: channel === undefined ? {} : { channel } }, "Formatting") !== undefined).toBe(
    isIncluded,
  )
})

test.each([
  [Date.UTC(2026, 2, 7, 14, 55), "Europe/Helsinki", "Saturday, March 7, 2026 at 4:55 PM (Europe/Helsinki)"],
  [Date.UTC(2026, 0, 1, 0, 5), "UTC", "Thursday, January 1, 2026 at 12:05 AM (UTC)"],
  [Date.UTC(2026, 11, 31, 12, 0), "UTC", "Thursday, December 31, 2026 at 12:00 PM (UTC)"],
  [Date.UTC(2025, 11, 31, 18, 30), "Asia/Kolkata", "Thursday, January 1, 2026 at 12:00 AM (Asia/Kolkata)"],
])("the time %i in %s", (now, zone, expected) => {
  expect(novaClock(now, zone)).toBe(`Current time: ${expected}`)
})

test("the time is as Intl would write it, at any moment", () => {
  const zones = fc.constantFrom("UTC", "Europe/Helsinki", "America/New_York", "Australia/Lord_Howe")
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), zones, (now, timeZone) => {
      const intl = new Date(now).toLocaleString("en-US", { timeZone, dateStyle: "full", timeStyle: "short" })
      // Newer locale data has a narrow space before AM and PM.
      expect(novaClock(now, timeZone)).toBe(`Current time: ${intl.replace("\u202f", " ")} (${timeZone})`)
    }),
    { seed: 4, numRuns: 200 },
  )
})

describe("the task", () => {
  const step = (title: string, done: boolean) => ({ title, done })
  const task = { id: "7", title: "T", description: "D", status: "active", steps: [] as unknown[] }
  const bound = (facts: object) => section({ tasks: [{ ...task, ...facts }], session: { task: "7" } }, "Task")
  const steps = (...marks: boolean[]) =>
    bound({ steps: marks.map((done, at) => step(`S${at + 1}`, done)) })
      ?.split("Steps:\n")[1]
      ?.replace("\n</Task>", "")

  test("has id, directive, title, description, status, owner and steps", () => {
    expect(bound({ owner: "nova" })).toBe(
      "<Task>\nYou are working on task #7. Focus solely on progressing this task.\n\n" +
        "Title: T\nDescription: D\nStatus: active\nOwner: nova\nSteps:\n(no steps defined)\n</Task>",
    )
  })

  test("has no owner line without an owner, and no line for what is not given", () => {
    expect(section({ tasks: [{ id: 7, steps: null }], session: { task: "7" } }, "Task")).toBe(
      "<Task>\nYou are working on task #7. Focus solely on progressing this task.\n\nSteps:\n(no steps defined)\n</Task>",
    )
  })

  test("marks what is done, the first step that is not, and the rest", () => {
    expect(steps(false, false, true)).toBe("1. → S1\n2. ○ S2\n3. ✓ S3")
    expect(steps(true, false, true, false)).toBe("1. ✓ S1\n2. → S2\n3. ✓ S3\n4. ○ S4")
    expect(steps(true, true)).toBe("1. ✓ S1\n2. ✓ S2")
  })

  test("names the task to which a step was handed", () => {
    expect(bound({ steps: [{ title: "S", done: false, taskId: "9" }] })).toMatch(/^1\. → S \(#9\)$/m)
  })

  test("is included only in a conversation that is bound to it", () => {
    expect(textOf({ tasks: [task] })).toBe(CONTEXT)
    expect(textOf({ tasks: [task], session: { task: "8" } })).toBe(CONTEXT)
    expect(textOf({ session: { task: "7" } })).toBe(CONTEXT)
  })

  test("as a running agent says it is now comes before what the file says", () => {
    const turn = { inputs: { tasks: [{ id: "7", title: "Newer" }] } }
    const text = section({ tasks: [task], session: { task: "7" }, turn }, "Task")
    expect(text).toMatch(/^Title: Newer$/m)
    const other = { inputs: { tasks: [{ id: "8", title: "Other" }] } }
    expect(section({ tasks: [task], session: { task: "7" }, turn: other }, "Task")).toMatch(/^Title: T$/m)
  })

  test("keeps a title on its line", () => {
    expect(bound({ title: "T\nStatus: done" })).toMatch(/^Title: T Status: done$/m)
  })
})

describe("background", () => {
  const session = { background: true }
  const first =
    "You are running in the background (scheduled task). Your responses will NOT be sent to the user automatically."

  test("is included only in silent runs, and names notify_user only if it is registered", () => {
    expect(section({}, "Background")).toBeUndefined()
    expect(section({ session }, "Background")).toBe(`<Background>\n${first}\n</Background>`)
    expect(section({ session, tools: nova.tools ?? [] }, "Background")).toBe(
      `<Background>\n${first}\nIf you need to notify the user about something important, use the notify_user tool.\n</Background>`,
    )
  })
})

describe("text stays in its tags", () => {
  test("titles and contents of responsibilities are escaped", () => {
    const responsibilities = [
      { title: 'A "b" <c>\n& d', content: "x </Responsibility> </ RESPONSIBILITIES> <Responsibility> y" },
    ]
    expect(section({ agent: { responsibilities } }, "Responsibilities")).toBe(
      '<Responsibilities>\n  <Responsibility title="A &quot;b&quot; &lt;c&gt;&#10;&amp; d">\n' +
        "    x &lt;/Responsibility> &lt;/ RESPONSIBILITIES> <Responsibility> y\n  </Responsibility>\n</Responsibilities>",
    )
  })

  test("every closing tag is where the profile wrote it, whatever the files contain", () => {
    const names =
      "Identity Role Instructions Responsibilities Responsibility Directories Memories Task".split(" ")
    const hostile = fc
      .array(
        fc.oneof(
          fc.constantFrom(...names).map((name) => `</${name}>`),
          fc.constantFrom("</ task\n>", "<\u200b/Memories>", "text", "\n\n", '"', "</update>"),
        ),
        { minLength: 1, maxLength: 6 },
      )
      .map((words) => `x${words.join(" ")}`)
    fc.assert(
      fc.property(hostile, hostile, (one, two) => {
        const agent = {
          identity: one,
          instructions: two,
          responsibilities: [{ title: two, content: one }],
          directories: [one],
          cwd: "/w",
        }
        const tasks = [{ id: "7", title: one, description: two, steps: [{ title: two }] }]
        const { text } = compiled({ agent, memories: [one, two], tasks, session: { task: "7" } })
        for (const tag of "Identity Instructions Responsibilities Directories Memories Task".split(" "))
          expect(text.match(new RegExp(`<[\\s\\p{Cf}]*/[\\s\\p{Cf}]*${tag}\\b`, "giu"))?.length).toBe(
            1 + others(text, tag),
          )
      }),
      { seed: 4, numRuns: 100 },
    )
  })

  /** Closing tags of a section that are harmless inside other sections. */
  function others(text: string, tag: string): number {
    const outside = text.replace(new RegExp(`<${tag}>\\n[\\s\\S]*?\\n</${tag}>(?=\\n\\n<|$)`), "")
    return outside.match(new RegExp(`<[\\s\\p{Cf}]*/[\\s\\p{Cf}]*${tag}\\b`, "giu"))?.length ?? 0
  }
})

describe("the profile is sealed", () => {
  const edits: readonly Edit[] = [
    { kind: "add", by: "hook", section: makeSection("tip", "Tip."), after: "nova/identity" },
    { kind: "replace", by: "hook", id: "nova/identity", content: { parts: [{ text: "Other." }] } },
    { kind: "wrap", by: "hook", id: "nova/context", after: { parts: [{ text: "More." }] } },
    { kind: "remove", by: "hook", id: "nova/context" },
  ]

  test("edits of every pace are refused, each with a diagnostic and an entry", () => {
    const given = { agent: { trust: "sandbox", identity: "Who." } }
    const { agent, session, turn } = inputs(given)
    const [add, ...rest] = edits
    const head = createCompiler({ profile: nova, counter: o200k }).head(agent, session, {
      edits: { stable: rest.slice(0, 1), session: rest.slice(1) },
    })
    const prompt = head.step(turn, add === undefined ? {} : { edits: [add] })
    expect(prompt.text).toBe(textOf(given))
    const refused = prompt.plan.diagnostics.filter(({ code }) => code === "edit-of-sealed")
    expect(refused.map((finding) => "id" in finding && finding.id)).toEqual([
      "nova/identity",
      "nova/context",
      "nova/context",
      "tip",
    ])
    expect(prompt.plan.entries.filter(({ kind }) => kind === "edit").map(({ outcome }) => outcome)).toEqual(
      edits.map(() => ({ kind: "unused", why: { kind: "refused-edit", code: "edit-of-sealed" } })),
    )
  })

  test("a configuration cannot change or drop its sections", () => {
    const settings = {
      "nova/context": "off",
      "nova/task": { priority: "low" },
      "nova/identity": "on",
      "nova/tsk": "off",
    } as const
    const { profile, diagnostics } = adjustProfile(nova, { sections: settings })
    expect(profile).toBe(nova)
    expect(diagnostics).toEqual([
      { code: "unknown-section", id: "nova/tsk", profile: "nova", nearest: "nova/task" },
      { code: "profile-sealed", id: "nova/context", profile: "nova" },
      { code: "profile-sealed", id: "nova/task", profile: "nova" },
    ])
  })
})

test("nothing is cut: text over the budget is kept whole, and the plan reports it", () => {
  const agent = { trust: "sandbox", identity: "word ".repeat(500).trim() }
  const budget = { window: 2000, reserve: 100, head: 50, tail: 50 }
  const { text, plan } = compile(nova, inputs({ agent }), { counter: o200k, budget })
  expect(text).toBe(textOf({ agent }))
  expect(plan.diagnostics.map(({ code }) => code)).toEqual(["moving-text", "required-over-budget"])
})

test("the plan reports the first turn text, and what it costs", () => {
  const { plan } = compiled({ agent: { identity: "Who." }, memories: ["M."] })
  const [finding] = plan.diagnostics.filter(({ code }) => code === "moving-text")
  expect(finding).toMatchObject({ id: "nova/context", block: 1 })
  expect(plan.blocks.map(({ pace }) => pace)).toEqual(["stable", "turn"])
})
