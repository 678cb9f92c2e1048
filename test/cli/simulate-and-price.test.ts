import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { LAYOUT_NAMES } from "../../src/cli/commands.ts"
import { LAYOUTS } from "../../src/render/layouts.ts"
import { incipit, transcript } from "./run.ts"

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
    await expect(transcript(args, incipit(args))).toMatchFileSnapshot(`../golden/cli/${name}.txt`)
  })

  test("a trace with every kind of change", async () => {
    const args = ["simulate", file("changes.yaml", CHANGES), "--layout", "planned", ...FIXED]
    const text = transcript(args, incipit(args)).replaceAll(folder, "DIR")
    await expect(text).toMatchFileSnapshot("../golden/cli/simulate-changes.txt")
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
    await expect(stdout).toMatchFileSnapshot("../golden/cli/simulate-json.txt")
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

  test.each([
    [
      "a word for a number",
      "turns: many\n",
      "bad.yaml:1: turns: Invalid input: expected number, received string",
    ],
    ["an unknown key", "turnz: 3\n", 'bad.yaml:1: the file: Unrecognized key: "turnz"'],
    [
      "a gap without a unit",
      'turns: 2\ngap: "5"\n',
      "bad.yaml:2: gap: is not a length of time such as 30s, 5m or 1h",
    ],
    [
      "a change after the end",
      "turns: 2\nchanges:\n  - { turn: 3, evict: true }\n",
      "bad.yaml:3: a change before turn 3, but there are 2",
    ],
    [
      "a file that was not read",
      "turns: 2\nchanges:\n  - { turn: 2, edit: NO.md }\n",
      "the trace edits NO.md, which was not read (read were:",
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
        "incipit: bad.jsonl:1: output: Invalid input: expected number, received undefined. docs/guide/caching.md describes the file: turns, steps, sizes, gaps and changes.\n",
    })
  })

  test("without a model it says what to do", () => {
    const { stderr, status } = incipit(["simulate", "--workspace", folder])
    expect({ stderr, status }).toEqual({
      status: 2,
      stderr:
        "incipit: no model is set: give --model, or set `model` in incipit.yaml. Run the command with --help to see what it takes.\n",
    })
  })

  test("the layouts of --help are those that there are", () => {
    expect(LAYOUT_NAMES).toEqual(LAYOUTS.map(({ name }) => name))
  })
})

describe("price", () => {
  const tool = () => file("search.json", '[{ "name": "search", "description": "Search the web." }]')

  test.each([
    ["price-held-edit", () => ["--edit", "SOUL.md"]],
    ["price-told-edit", () => ["--edit", "rules/safety.md", "--adds", "200", "--calls", "1000"]],
    ["price-added-tool", () => ["--add-tool", tool()]],
    ["price-removed-tool", () => ["--remove-tool", "shell", "--conversation", "0"]],
    ["price-other-model", () => ["--switch", "openai/gpt-5.6-sol"]],
    ["price-unknown-model", () => ["--edit", "SOUL.md", "--model", "nobody/knows"]],
    ["price-without-a-change", () => []],
    ["price-two-changes", () => ["--edit", "SOUL.md", "--switch", "x/y"]],
    ["price-of-no-file", () => ["--edit", "NO.md"]],
    ["price-of-no-tool", () => ["--remove-tool", "nothing"]],
  ])("%s", async (name, flags) => {
    const args = ["price", ...flags(), ...FIXED]
    const text = transcript(args, incipit(args)).replaceAll(folder, "DIR")
    await expect(text).toMatchFileSnapshot(`../golden/cli/${name}.txt`)
  })

  test("a new skill, and --json", () => {
    const skill = "---\nname: knots\ndescription: How to tie the knots that hold on this island.\n---\nTie.\n"
    writeFileSync(join(folder, "SKILL.md"), skill)
    const { stdout, status } = incipit(["price", "--add-skill", folder, "--json", ...FIXED])
    const { what, how, asTold, atOnce } = JSON.parse(stdout)
    expect({ status, what, how, isCheaper: asTold.now.usd < atOnce.now.usd / 10 }).toEqual({
      status: 0,
      what: "Adding the skill knots",
      how: "update",
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
    expect(stderr).toContain('cache.rules.0: there is no rule "nothing" (there are bedrock/claude-4096,')
  })
})

test("check says when a prompt is too short for its model's cache", () => {
  writeFileSync(join(folder, "incipit.yaml"), "model: anthropic/claude-opus-4-6\n")
  const { stderr, status } = incipit(["check", "--workspace", folder, "--cwd", folder])
  expect({ status, isSaid: /below the 4096 from which anthropic\/claude-4096 caches/.test(stderr) }).toEqual({
    status: 0,
    isSaid: true,
  })
})
