// The static base of the `osa` profile: SYSTEM.md, its three placeholders, older files, and the cached block.
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { osa } from "../../../src/profiles/osa/osa.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { compileOsa, fillHome, type Given, SEARCH, SYSTEM_MD, TOOLS } from "./osa-folder.ts"

let folder: Folder

beforeEach(() => {
  folder = makeFolder()
})

afterEach(() => folder.remove())

const RULE = "\n\n---\n\n"

/** The compiled static base: everything before the first rule. */
function baseOf(given: Given = {}): string {
  return compileOsa(folder, given).text.split(RULE)[0] ?? ""
}

function withBase(text: string, given: Given = {}): string {
  folder.write("home/.osa/prompts/SYSTEM.md", text)
  return baseOf(given)
}

function findings(given: Given = {}): readonly string[] {
  const { diagnostics } = compileOsa(folder, given).plan
  return diagnostics.filter(({ code }) => code !== "moving-text" && code !== "no-files").map(sentence)
}

describe("a SYSTEM.md of the workspace", () => {
  const start = () => compileOsa(folder).text.split("\n")[0]

  test("is the base where the home folder has none, or an empty one", () => {
    folder.write("workspace/priv/prompts/SYSTEM.md", "The workspace's.\n")
    expect(start()).toBe("The workspace's.")
    folder.write("home/.osa/prompts/SYSTEM.md", " \n")
    expect(start()).toBe("The workspace's.")
  })

  test("comes after the home folder's, and before older files", () => {
    folder.write("workspace/priv/prompts/SYSTEM.md", "The workspace's.\n")
    folder.write("home/.osa/SOUL.md", "Calm.\n")
    const { text, plan } = compileOsa(folder)
    expect(text).not.toContain("Calm.")
    expect(plan.diagnostics.map(({ code }) => code)).not.toContain("legacy-files")
    folder.write("home/.osa/prompts/SYSTEM.md", "The home folder's.\n")
    expect(start()).toBe("The home folder's.")
  })
})

describe("the bundled SYSTEM.md", () => {
  test("has ten sections in a deliberate reading order, security first, the user's profile last", () => {
    fillHome(folder)
    expect(baseOf().match(/^## (?:\d+\..*|User Profile)$/gm)).toEqual([
      "## 1. SECURITY",
      "## 2. IDENTITY",
      "## 3. SIGNAL SYSTEM",
      "## 4. PERSONALITY",
      "## 5. TOOL USAGE POLICY",
      "## 6. TASK MANAGEMENT",
      "## 7. DOING TASKS",
      "## 8. GIT WORKFLOWS",
      "## 9. OUTPUT FORMATTING",
      "## 10. PROACTIVENESS",
      "## User Profile",
    ])
  })

  test("takes 800 to 1,200 tokens before anything is placed, all of them ASCII", () => {
    const tokens = o200k.count(baseOf())
    expect([tokens >= 800, tokens <= 1_200, /^[\x20-\x7e\n]*$/.test(baseOf())]).toEqual([true, true, true])
  })

  test("names a tool only while it is registered", () => {
    const named = (given: Given) =>
      TOOLS.map(({ name }) => name).filter((name) => baseOf(given).includes(name))
    expect([named({}), named({ tools: TOOLS.slice(0, 1) }), named({ tools: TOOLS })]).toEqual([
      [],
      ["file_read"],
      ["file_read", "file_edit", "task_write"],
    ])
  })

  test("holds the directives that the description prints, each once", () => {
    const printed = [
      "Default to parallel. Call 3-5 tools per turn when possible",
      "Before using any library or framework, verify it's available. Check package.json, go.mod, mix.exs, requirements.txt, or Cargo.toml.",
      "After completing each batch of tool calls, provide a brief 1-sentence status update before the next batch.",
      "fewer than 4 lines",
      "briefly confirm completion",
      "--no-verify",
      "S = (M, G, T, F, W)",
    ]
    const base = baseOf()
    expect(printed.map((text) => base.split(text).length - 1)).toEqual(printed.map(() => 1))
  })
})

describe("the three places", () => {
  test("are filled in one pass: what a rule or USER.md contains is never expanded again", () => {
    folder.write("home/.osa/rules/a.md", "Mind {{USER_PROFILE}} and {{RULES}}.")
    folder.write("home/.osa/USER.md", "I am {{TOOL_DEFINITIONS}} $& {% if RULES %}.")
    expect(withBase("R: {{RULES}}\nU: {{ USER_PROFILE }}")).toBe(
      "R: # Active Rules\n\n## Rule: a\nMind {{USER_PROFILE}} and {{RULES}}.\nU: I am {{TOOL_DEFINITIONS}} $& {% if RULES %}.",
    )
    expect(findings()).toEqual([])
  })

  test("list a tool with its parameters, whatever its schema leaves out", () => {
    const plain = { name: "noop", description: "", parameters: { properties: "none", required: "all" } }
    expect(withBase("{{TOOL_DEFINITIONS}}", { tools: [SEARCH, plain] })).toBe(
      [
        "## Available Tools",
        "- **noop**",
        "- **web_search**: Search the web. Returns ten results.",
        "  Parameters: `query` (string (required)) — What to look for, `count` (integer|null), `filters` (any)",
      ].join("\n"),
    )
  })

  test("tell a model without tool calling how to call", () => {
    const base = withBase("{{TOOL_DEFINITIONS}}", { tools: [SEARCH], toolFormat: "fallback" })
    expect(base.split("\n\n")[1]).toBe(
      "To call tools, end your answer with one or more blocks of exactly this form, and write nothing after the last one:",
    )
  })

  test("list rules of the home folder and of priv/rules together, sorted by path", () => {
    folder.write("home/.osa/rules/b.md", "B.\n")
    folder.write("home/.osa/rules/a/z.md", "AZ.\n")
    folder.write("home/.osa/rules/empty.md", "\n")
    folder.write("home/.osa/rules/notes.txt", "no")
    folder.write("workspace/priv/rules/a/c.md", "\n\nAC.\n")
    expect(withBase("{{RULES}}")).toBe(
      "# Active Rules\n\n## Rule: a/c\nAC.\n\n## Rule: a/z\nAZ.\n\n## Rule: b\nB.",
    )
  })

  test.each([
    ["{{RULES}}\n\nText.", "Text."],
    ["One.\n\n{{RULES}}\n\nTwo.", "One.\n\nTwo."],
    ["One.\n\n{{RULES}}\n\n{{USER_PROFILE}}\n", "One."],
    ["One: {{RULES}}.\n", "One: ."],
    ["One: {{RULES}}\nTwo.", "One: \nTwo."],
    ["\n\nOne.\n\n", "One."],
  ])("without content leave no blank lines: %j", (text, expected) => {
    expect(withBase(text)).toBe(expected)
  })

  test("asked for twice are filled once", () => {
    folder.write("home/.osa/USER.md", "Ines.")
    expect(withBase("{{USER_PROFILE}}\n\nText.\n\n{{USER_PROFILE}}\n\nEnd.")).toBe("Ines.\n\nText.\n\nEnd.")
  })

  test("that a custom SYSTEM.md doesn't have are not filled", () => {
    fillHome(folder)
    expect(withBase("Only this.", { tools: TOOLS })).toBe("Only this.")
  })

  test("with another name stay in the text, with a diagnostic", () => {
    expect(withBase("One.\n{{WEATHER}}")).toBe("One.\n{{WEATHER}}")
    expect(findings()).toEqual([
      '~/.osa/prompts/SYSTEM.md:2: unknown placeholder "WEATHER". It is sent as written.',
    ])
  })
})

describe("files from before there was a SYSTEM.md", () => {
  const identity = () => folder.write("home/.osa/IDENTITY.md", "I am Mel. {{RULES}}")
  const soul = () => folder.write("home/.osa/SOUL.md", "Calm.")
  const told = (title: string) => baseOf().split(`. ${title}\n\n`)[1]?.split("\n\n## ")[0]

  test("replace the sections that they became, and a warning says where to move them", () => {
    identity()
    soul()
    expect([told("IDENTITY"), told("PERSONALITY")]).toEqual(["I am Mel. {{RULES}}", "Calm."])
    expect(findings()).toEqual([
      "~/.osa/IDENTITY.md: is an old file that ~/.osa/prompts/SYSTEM.md replaces. It is sent as part of the base; move its text to ~/.osa/prompts/SYSTEM.md.",
      "~/.osa/SOUL.md: is an old file that ~/.osa/prompts/SYSTEM.md replaces. It is sent as part of the base; move its text to ~/.osa/prompts/SYSTEM.md.",
    ])
  })

  test("count one by one", () => {
    soul()
    expect([told("IDENTITY")?.startsWith("You are OSA"), told("PERSONALITY")]).toEqual([true, "Calm."])
  })

  test("are left alone where there is a SYSTEM.md", () => {
    identity()
    expect([withBase("Mine."), findings()]).toEqual(["Mine.", []])
  })

  test("count where the SYSTEM.md is empty", () => {
    identity()
    folder.write("home/.osa/prompts/SYSTEM.md", " \n")
    expect(told("IDENTITY")).toBe("I am Mel. {{RULES}}")
  })
})

describe("the static block", () => {
  const blocks = (given: Given) => compileOsa(folder, given).head

  test("is the first of two, and the only one with a cache breakpoint", () => {
    fillHome(folder)
    const { head, text } = compileOsa(folder, { tools: TOOLS, turn: { message: "hi" } })
    expect(head.map(({ pace, breakpoint }) => [pace, breakpoint])).toEqual([
      ["stable", { ttl: "5m" }],
      ["turn", undefined],
    ])
    expect([head[0]?.text, head[1]?.text.startsWith(`${RULE}## Active Signal`)]).toEqual([
      text.split(RULE)[0],
      true,
    ])
  })

  test("is the same, byte for byte, whatever the message, the time and the session", () => {
    fillHome(folder)
    const one = blocks({ turn: { message: "hi", now: 0 }, session: { id: "a" } })
    const two = blocks({
      turn: { message: "build it!", planMode: true },
      session: { id: "b", directory: "/x" },
    })
    expect(one[0]).toEqual(two[0])
    expect(one[1]).not.toEqual(two[1])
  })

  test("keeps an entry with its file and lines for everything that is placed", () => {
    fillHome(folder)
    folder.write("home/.osa/prompts/SYSTEM.md", `---\ntrust: public\n---\n\n${SYSTEM_MD}`)
    const { entries } = compileOsa(folder, { tools: TOOLS }).plan
    const sources = entries.flatMap(({ id, spans }) =>
      spans.flatMap(({ from }) => (from?.kind === "file" ? [[id, from.path, from.lines]] : [])),
    )
    expect(sources).toEqual([
      ["osa/base", "~/.osa/prompts/SYSTEM.md", [5, 9]],
      ["osa/base", "~/.osa/prompts/SYSTEM.md", [9, 10]],
      ["osa/base", "~/.osa/prompts/SYSTEM.md", [11, 12]],
      ["osa/base", "~/.osa/prompts/SYSTEM.md", [13, 15]],
      ["osa/base", "~/.osa/prompts/SYSTEM.md", [15, 16]],
      ["osa/rules", "priv/rules/git/branches.md", [1, 1]],
      ["osa/rules", "~/.osa/rules/style.md", [1, 1]],
      ["osa/user-profile", "~/.osa/USER.md", [1, 1]],
      ["osa/memory", "~/.osa/MEMORY.md", [1, 10]],
    ])
  })

  test("the byte order mark and CRLF of a file are removed", () => {
    expect(withBase("\uFEFFOne.\r\n\r\nTwo.\r\n")).toBe("One.\n\nTwo.")
  })
})

test("who may see what: rules, identity and machine from familiar on, the user from inner, memory at full", () => {
  fillHome(folder)
  folder.write("home/.osa/SOUL.md", "Calm.")
  folder.write(
    "workspace/incipit.yaml",
    "users: { p: { trust: public }, f: { trust: familiar }, i: { trust: inner }, o: { trust: full } }\n",
  )
  const turn = { inputs: { bulletin: "b", communication: { formality: "casual" }, tasks: ["t"] } }
  const inputs = { machines: "m", os_templates: "o" }
  const withheld = ["p", "f", "i", "o"].map((as) => {
    const { plan, text } = compileOsa(folder, { turn, session: { as, inputs } })
    const ids = plan.entries.filter(({ outcome }) => outcome.kind === "withheld").map(({ id }) => id.slice(4))
    return [text.includes("Calm."), ...ids]
  })
  const closed = ["memory", "communication", "cortex"]
  expect(withheld).toEqual([
    [false, "rules", "user-profile", "environment", ...closed, "os-templates", "machines"],
    [true, "user-profile", ...closed],
    [true, "memory", "cortex"],
    [true],
  ])
})

test("the profile declares its markup unsafe for unvetted text", () => {
  expect([osa.markup?.safe, osa.order, osa.window]).toEqual([false, "declared", 128_000])
})
