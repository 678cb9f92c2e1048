import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { CACHE_LAYOUT_NAMES } from "../../../src/render/cache/cache-layout-name.ts"
import { CACHE_LAYOUTS } from "../../../src/render/cache/cache-layouts.ts"
import { warmIncipit as incipit, transcript } from "../run.ts"

const SAMPLE = ["--workspace", "examples/lighthouse", "--tools", "examples/lighthouse/tools.json"]
const FIXED = [...SAMPLE, "--cwd", "/island", "--now", "2026-06-15T07:00:00Z"]
const folder = mkdtempSync(join(tmpdir(), "incipit-simulate-"))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const CHANGES = `turns: 5
steps: 2
changes:
  - { turn: 2, edit: rules/safety.md, adds: 30 }
  - { turn: 3, add_tool: search, tokens: 120 }
  - { turn: 4, gap: 10m }
  - { turn: 5, remove_tool: search, evict: true }
`

describe("simulate", () => {
  test.each([
    ["simulate-sample", []],
    ["simulate-marked-provider", ["--model", "openai/gpt-5.6-sol"]],
    ["simulate-automatic-provider", ["--model", "openai/gpt-5.2", "--layout", "system-end"]],
    ["simulate-unknown-model", ["--model", "nobody/knows", "--layout", "planned"]],
    ["simulate-small-cache", ["--capacity", "12000", "--layout", "planned"]],
  ])("%s", async (name, flags) => {
    const args = ["simulate", ...flags, ...FIXED]
    await expect(transcript(args, incipit(args))).toMatchFileSnapshot(`../../golden/cli/${name}.txt`)
  })

  test("a trace with every kind of change", async () => {
    const args = ["simulate", file("changes.yaml", CHANGES), "--layout", "planned", ...FIXED]
    const text = transcript(args, incipit(args)).replaceAll(folder, "DIR")
    await expect(text).toMatchFileSnapshot("../../golden/cli/simulate-changes.txt")
  })

  test("--json has every call", async () => {
    const args = [
      "simulate",
      file("two.yaml", "turns: 2\nsteps: 1\n"),
      "--layout",
      "planned",
      "--json",
      ...FIXED,
    ]
    const { stdout, status } = incipit(args)
    expect(status).toBe(0)
    await expect(stdout).toMatchFileSnapshot("../../golden/cli/simulate-json.txt")
  })

  test("calls that were saved give the same figures when they are replayed", () => {
    const saved = join(folder, "calls.jsonl")
    const first = incipit(["simulate", "--layout", "planned", "--save", saved, "--json", ...FIXED])
    const again = incipit(["simulate", saved, "--json", ...FIXED])
    const { layout: _, ...before } = JSON.parse(first.stdout).layouts[0]
    const { layout, ...after } = JSON.parse(again.stdout).layouts[0]
    expect(layout).toBe("recorded")
    expect(after).toEqual(before)
    expect(readFileSync(saved, "utf8").trimEnd().split("\n")).toHaveLength(24)
  })

  test("calls that were saved are replayed in the tokens of the other model", () => {
    const saved = join(folder, "calls.jsonl")
    incipit(["simulate", "--layout", "unmarked", "--save", saved, ...FIXED])
    const total = (args: readonly string[]) => {
      const { usage } = JSON.parse(incipit([...args, "--model", "openai/gpt-5.2", "--json", ...FIXED]).stdout)
        .layouts[0]
      return usage.read + usage.uncached
    }
    // The name of the model stands in the prompt, and may be a few tokens longer.
    const difference = total(["simulate", saved]) - total(["simulate", "--layout", "unmarked"])
    expect(Math.abs(difference)).toBeLessThan(24 * 8)
  })

  test("another lifetime, for a scenario and for calls that were recorded", () => {
    const saved = join(folder, "calls.jsonl")
    const trace = file("pauses.yaml", "turns: 3\nsteps: 1\ngap: 10m\n")
    incipit(["simulate", trace, "--layout", "planned", "--save", saved, ...FIXED])
    const written = (args: readonly string[]) => {
      const { usage, hitRatio } = JSON.parse(incipit(["simulate", ...args, "--json", ...FIXED]).stdout)
        .layouts[0]
      return { ttls: Object.keys(usage.write), isRead: hitRatio > 0.5 }
    }
    for (const given of [saved, trace]) {
      expect(written([given])).toEqual({ ttls: ["5m"], isRead: false })
      expect(written([given, "--ttl", "1h"])).toEqual({ ttls: ["1h", "5m"], isRead: true })
    }
  })

  test("calls without marks, where nothing else is kept", async () => {
    const block = { tier: "system", pieces: [{ key: "soul", tokens: 5_000 }] }
    const call = { at: 0, output: 10, blocks: [block] }
    const trace = file(
      "unmarked.jsonl",
      `${JSON.stringify(call)}\n${JSON.stringify({ ...call, at: 9_000 })}\n`,
    )
    const args = ["simulate", trace, ...FIXED]
    const text = transcript(args, incipit(args)).replaceAll(folder, "DIR")
    await expect(text).toMatchFileSnapshot("../../golden/cli/simulate-unmarked-calls.txt")
  })

  test("no layout costs less than the bound, also where one holds an edit back", () => {
    const trace = file("held.yaml", "turns: 6\nchanges: [{ turn: 2, edit: SOUL.md, adds: 3000 }]\n")
    const { boundUnits, layouts } = JSON.parse(incipit(["simulate", trace, "--json", ...FIXED]).stdout)
    expect(layouts).toHaveLength(5)
    for (const { units } of layouts) expect(units).toBeGreaterThanOrEqual(boundUnits)
  })

  test.each([
    ["gpt-6.1-sol, whose writes have no price", "openai/gpt-6.1-sol", ""],
    ["a model that costs nothing", "ollama/qwen3", ""],
    [
      "long calls that have a rate of their own",
      "anthropic/claude-haiku-5-5",
      "turns: 2\nsteps: 1\nmessage: 80000\n",
    ],
  ])("all costs are in tokens for %s", (_name, model, text) => {
    const trace = text === "" ? [] : [file("tokens.yaml", text)]
    const { stdout } = incipit(["simulate", ...trace, "--model", model, ...FIXED])
    const rows = stdout.split("\n").filter((line) => /^ {2}(?:planned|two-tier|bound) {2}/.test(line))
    expect(rows.map((row) => / tok +\d/.test(row) && !row.includes("$"))).toEqual([true, true, true])
  })

  test.each(["simulate", "price"])("%s fits a terminal of 40 columns", (command) => {
    const flags = command === "price" ? ["--edit", "SOUL.md"] : []
    const { stdout } = incipit([command, ...flags, ...FIXED], { env: { COLUMNS: "40" } })
    expect(stdout.split("\n").filter((line) => line.length > 40)).toEqual([])
    expect(stdout).not.toContain("…")
  })

  test.each([
    ["a word for a number", "turns: many\n", "bad.yaml:1: turns: must be a number, not a string"],
    ["an unknown key", "turnz: 3\n", 'bad.yaml:1: the file: has an unknown key "turnz"'],
    [
      "a gap without a unit",
      'turns: 2\ngap: "5"\n',
      "bad.yaml:2: gap: is not a duration such as 30s, 5m or 1h",
    ],
    [
      "a change after the end",
      "turns: 2\nchanges:\n  - { turn: 3, evict: true }\n",
      "bad.yaml:3: a change before turn 3, but there are only 2 turns",
    ],
    [
      "a change that is none",
      "turns: 2\nchanges:\n  - { turn: 2 }\n",
      "bad.yaml:3: changes.0: does not say what changes: gap, edit, add_tool, remove_tool, model or evict",
    ],
    [
      "a tool that is not there",
      "turns: 2\nchanges:\n  - { turn: 2, remove_tool: nosuch }\n",
      "the trace removes the tool nosuch, which does not exist (known tools: ",
    ],
    [
      "a model of another price",
      "turns: 2\nchanges:\n  - { turn: 2, model: anthropic/claude-opus-5-5 }\n",
      "turn 2 uses anthropic/claude-opus-5-5, which differs from anthropic/claude-sonnet-5-5 in cache rule, price or token count",
    ],
    [
      "a trace without end",
      "turns: 1000\nsteps: 3\n",
      "bad.yaml: 1000 turns of 3 calls are 3000 calls; at most 2000 can be simulated",
    ],
    [
      "a file that was not read",
      "turns: 2\nchanges:\n  - { turn: 2, edit: NO.md }\n",
      "the trace edits NO.md, which was not read (files read:",
    ],
  ])("%s is one clear line", (_name, text, line) => {
    const { stderr, status } = incipit(["simulate", file("bad.yaml", text), ...FIXED])
    expect(status).toBe(2)
    expect(stderr.split("\n")).toHaveLength(2)
    expect(stderr.replace(`${folder}/`, "")).toContain(line)
  })

  test("a line of a record that is no call is pointed at", () => {
    const { stderr, status } = incipit(["simulate", file("bad.jsonl", '{"at":0}\n'), ...FIXED])
    expect({ status, stderr: stderr.replace(`${folder}/`, "") }).toEqual({
      status: 2,
      stderr:
        "incipit: bad.jsonl:1: output: is missing. docs/guide/caching.md describes the format: turns, steps, sizes, gaps and changes.\n",
    })
  })

  test.each([
    ["a layout", ["--layout", "planned"], ["0"], "--layout only works with a scenario"],
    [
      "time that runs backwards",
      [],
      ["5", "4"],
      "recorded.jsonl:2: this call is earlier than the one above it",
    ],
    ["a folder to save to", ["--save", "."], ["0"], ": it is a folder."],
    ["a capacity below 0", ["--capacity", "-1"], ["0"], "--capacity must be a number of 0 or more, not -1"],
  ])("recorded calls with %s: one clear line", (_name, flags, times, line) => {
    const text = times.map((at) => `{"at":${at},"output":1,"blocks":[]}\n`).join("")
    const { stderr, status } = incipit(["simulate", file("recorded.jsonl", text), ...flags, ...FIXED])
    expect(status).toBe(2)
    expect(stderr.replace(`${folder}/`, "")).toContain(line)
  })

  test("without a model it is the one that would answer, or would if it had a key", () => {
    const modelIn = (env: Record<string, string>) => {
      const { stdout, status } = incipit(["simulate", "--json", "--workspace", folder], { env })
      return [status, (JSON.parse(stdout) as { model: string }).model]
    }
    expect(modelIn({})).toEqual([0, "anthropic/claude-sonnet-5-5"])
    expect(modelIn({ OPENAI_API_KEY: "x" })).toEqual([0, "openai/gpt-5.6-sol"])
  })

  test("the layouts of --help are those that there are", () => {
    expect(CACHE_LAYOUT_NAMES).toEqual(CACHE_LAYOUTS.map(({ name }) => name))
  })
})

describe("price", () => {
  const tool = () => file("search.json", '[{ "name": "search", "description": "Search the web." }]')

  test.each([
    ["price-held-edit", () => ["--edit", "SOUL.md"]],
    ["price-appended-edit", () => ["--edit", "rules/safety.md", "--adds", "200", "--calls", "1000"]],
    ["price-added-tool", () => ["--add-tool", tool()]],
    ["price-removed-tool", () => ["--remove-tool", "shell", "--conversation", "0"]],
    ["price-other-model", () => ["--switch", "openai/gpt-5.6-sol"]],
    ["price-unknown-model", () => ["--edit", "SOUL.md", "--model", "nobody/knows"]],
    ["price-without-a-change", () => []],
    ["price-two-changes", () => ["--edit", "SOUL.md", "--switch", "x/y"]],
    ["price-of-no-file", () => ["--edit", "NO.md"]],
    ["price-of-a-skill", () => ["--edit", "skills/tide-window/SKILL.md"]],
    ["price-of-hidden-file", () => ["--edit", "USER.md", "--in", "group"]],
    ["price-of-known-skill", () => ["--add-skill", "examples/lighthouse/skills/lamp-service"]],
    ["price-of-no-edit", () => ["--edit", "SOUL.md", "--adds", "0"]],
    ["price-of-same-model", () => ["--switch", "anthropic/claude-sonnet-5-5"]],
    ["price-of-unknown-switch", () => ["--switch", "nobody/knows"]],
    ["price-on-own-machine", () => ["--edit", "SOUL.md", "--model", "ollama/qwen3"]],
    ["price-beyond-the-window", () => ["--edit", "SOUL.md", "--conversation", "300000"]],
    ["price-of-no-tool", () => ["--remove-tool", "nothing"]],
  ])("%s", async (name, flags) => {
    const args = ["price", ...flags(), ...FIXED]
    const text = transcript(args, incipit(args)).replaceAll(folder, "DIR")
    await expect(text).toMatchFileSnapshot(`../../golden/cli/${name}.txt`)
  })

  test("a file in an empty folder", () => {
    const empty = mkdtempSync(join(folder, "empty-"))
    const { stderr } = incipit(["price", "--edit", "SOUL.md", "--workspace", empty, "--model", "x/y"], {
      cwd: empty,
    })
    expect(stderr).toContain("SOUL.md is not in this prompt (its files: none).")
  })

  test("a new skill, and --json", () => {
    const skill = "---\nname: knots\ndescription: How to tie the knots that hold on this island.\n---\nTie.\n"
    writeFileSync(join(folder, "SKILL.md"), skill)
    const { stdout, status } = incipit(["price", "--add-skill", folder, "--json", ...FIXED])
    const { what, how, asSent, atOnce } = JSON.parse(stdout)
    expect({ status, what, how, isCheaper: asSent.now.usd < atOnce.now.usd / 10 }).toEqual({
      status: 0,
      what: "Adding the skill knots",
      how: "append",
      isCheaper: true,
    })
  })
})

describe("what the configuration says goes before what is bundled", () => {
  test("rules and prices", () => {
    writeFileSync(
      join(folder, "incipit.yaml"),
      `model: acme/one
cache:
  rules:
    - { models: "^acme/", like: anthropic/claude, minimum: 1, read: 0.5, source: acme.example/cache, date: 2026-11-15 }
prices:
  - { model: acme/one, input: 10, output: 20, read: 5, write: { 5m: 12.5 } }
`,
    )
    const { stdout, stderr, status } = incipit([
      "simulate",
      "--workspace",
      folder,
      "--json",
      "--layout",
      "planned",
    ])
    const { rule, price, layouts } = JSON.parse(stdout)
    expect({ status, rule, price, isPriced: layouts[0].costUsd > 0 }).toEqual({
      status: 0,
      isPriced: true,
      rule: { id: "anthropic/claude (incipit.yaml)", source: "acme.example/cache", date: "2026-11-15" },
      price: {
        model: "acme/one",
        estimated: false,
        input: 10,
        output: 20,
        read: 5,
        write: { "5m": 12.5 },
        source: "incipit.yaml",
        date: "",
      },
    })
    expect(stderr).not.toContain("unknown")
  })

  test("a rule like no other is an error that names those there are", () => {
    writeFileSync(
      join(folder, "incipit.yaml"),
      `model: acme/one\ncache: { rules: [{ models: x, like: nothing, source: s, date: d }] }\n`,
    )
    const { stderr, status } = incipit(["simulate", "--workspace", folder])
    expect(status).toBe(2)
    expect(stderr).toContain(
      'cache.rules.0: unknown rule "nothing" (known rules: groq, ollama, local, bedrock/claude-4096,',
    )
  })
})

describe("build --compare", () => {
  const compared = (...flags: readonly string[]) =>
    incipit(["build", "--compare", "pi", "--workspace", "examples/lighthouse", "--cwd", "/island", ...flags])

  test("prints diagnostics, and --strict counts them", () => {
    const { stderr } = compared()
    expect(stderr).toContain("[moving-text]")
    expect([compared().status, compared("--strict").status]).toEqual([0, 1])
  })

  test("says why so little is read", () => {
    expect(compared().stdout.replaceAll("\n", " ")).toContain(
      "pi puts text that changes with every call, such as the clock, into the head. Everything after it",
    )
  })

  test("fits a terminal of 40 columns", () => {
    const args = ["build", "--compare", "pi", "--workspace", "examples/lighthouse", "--cwd", "/island"]
    const { stdout } = incipit(args, { env: { COLUMNS: "40" } })
    expect(stdout.split("\n").filter((line) => line.length > 40)).toEqual([])
  })

  test("keeps text as long as the configuration says", () => {
    const cost = (ttl: string) => {
      writeFileSync(
        join(folder, "incipit.yaml"),
        `model: anthropic/claude-sonnet-5-5\ncache: { ttl: ${ttl} }\n`,
      )
      const { stdout } = incipit([
        "build",
        "--compare",
        "pi",
        "--workspace",
        folder,
        "--cwd",
        folder,
        "--json",
      ])
      return JSON.parse(stdout)[0].simulated.inputUsd
    }
    expect(cost("1h")).toBeGreaterThan(cost("5m"))
  })

  test("tokens where nothing costs anything", () => {
    expect(compared("--model", "ollama/qwen3").stdout).toMatch(/24 calls \(simulated\) +[\d,]+ tok/)
  })
})

test("tools in the text of the prompt are not said to be unused", () => {
  const { stdout } = incipit(["build", "--tool-format", "fallback", ...FIXED])
  expect(stdout).toMatch(/tool shell +rarely +as text +Written into the prompt/)
})

test("check says when a prompt is too short for its model's cache", () => {
  writeFileSync(join(folder, "incipit.yaml"), "model: anthropic/claude-opus-4-6\n")
  const { stderr, status } = incipit(["check", "--tools", "none", "--workspace", folder])
  expect({
    status,
    isSaid: /anthropic\/claude-4096 caches prefixes of 4096 tokens or more/.test(stderr),
  }).toEqual({
    status: 0,
    isSaid: true,
  })
})
