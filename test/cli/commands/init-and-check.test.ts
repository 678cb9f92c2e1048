import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { incipitOnTerminal } from "../pty.ts"
import { warmIncipit as incipit } from "../run.ts"

let folder: Folder

beforeEach(() => {
  folder = makeFolder()
})

afterEach(() => folder.remove())

const run = (...args: string[]) => incipit(args, { cwd: folder.root })
const read = (path: string) => readFileSync(join(folder.root, path), "utf8")

const OFFLINE = [
  "The offline model will answer: no model is configured and no API key is set.",
  "`incipit models` shows your options.",
]

test("init writes a workspace that compiles without diagnostics", () => {
  expect(run("init", "my-agent", "--yes", "--name", "Otto")).toEqual({
    stdout: [
      "wrote my-agent/IDENTITY.md",
      "wrote my-agent/SOUL.md",
      "wrote my-agent/AGENTS.md",
      "wrote my-agent/USER.md",
      "wrote my-agent/incipit.yaml",
      "wrote my-agent/.gitignore",
      "",
      ...OFFLINE,
      "Next: edit my-agent/SOUL.md, then see the prompt: incipit build --workspace my-agent",
      "      chat with the agent: incipit chat --workspace my-agent",
      "      take the tour: incipit tour --workspace my-agent",
      "",
    ].join("\n"),
    stderr: "",
    status: 0,
  })
  const built = run("build", "--workspace", "my-agent", "--strict")
  expect([built.status, built.stderr, built.stdout.split("\n")[0]]).toEqual([
    0,
    "",
    "Otto for owner: full trust in dm",
  ])
  expect(run("check", "--workspace", "my-agent", "--strict")).toEqual({
    stdout: "No problems found.\n",
    stderr: "",
    status: 0,
  })
})

test("check says what waits for approval, and does not fail for it where nobody has approved anything", () => {
  run("init", "--yes", "--name", "Otto")
  folder.write("workspace/guard.mjs", "export const turn_end = () => {}\n")
  folder.write(
    "workspace/incipit.yaml",
    `profile: incipit
hooks: [./guard.mjs]
mcp: { tides: { command: node } }
providers: { lab: { url: "https://lab.example/v1" } }
record: { otlp: { endpoint: "https://spans.example" } }
directories: [charts, ../logbooks]
`,
  )
  const once = "is not used until you approve it: incipit hooks approve [waits-for-approval]"
  expect(run("check", "--strict")).toEqual({
    stdout: "5 hints\n",
    stderr: [
      `hint: incipit.yaml: the module guard ${once}`,
      `hint: incipit.yaml: the folder ../logbooks ${once}`,
      `hint: incipit.yaml: the MCP server tides ${once}`,
      `hint: incipit.yaml: the OTLP endpoint record.otlp ${once}`,
      `hint: incipit.yaml: the provider lab ${once}`,
      "",
    ].join("\n"),
    status: 0,
  })
  run("hooks", "approve", "--yes")
  expect(run("check", "--strict").stdout).toBe("No problems found.\n")
})

test("a folder that is named twice waits once, and takes nothing off what check counts", () => {
  run("init", "--yes", "--name", "Otto")
  folder.write(
    "workspace/incipit.yaml",
    "directories: [../logbooks, ../logbooks]\nprompt: { files: [{ path: STYLE.md }] }\n",
  )
  const { stdout, status } = run("check", "--strict")
  expect([stdout, status]).toEqual(["1 error, 1 hint\n", 1])
  expect(JSON.parse(run("hooks", "--json").stdout)).toHaveLength(1)
})

test("check of a further agent does not look for what only the first one is sent by the schedule", () => {
  run("init", "--yes", "--heartbeat", "--name", "Otto")
  folder.write("workspace/agents/helper/AGENTS.md", "Help.")
  expect(run("check", "--agent", "helper", "--strict")).toEqual({
    stdout: "No problems found.\n",
    stderr: "",
    status: 0,
  })
})

test("check says which modules of hooks cannot be used", () => {
  folder.write("workspace/incipit.yaml", "profile: incipit\nhooks: [./gone.mjs]\n")
  const { stderr, status } = run("check", "--strict")
  expect({ stderr, status }).toMatchInlineSnapshot(`
    {
      "status": 1,
      "stderr": "hint: the workspace: has no instructions: no AGENTS.md, CLAUDE.md, SOUL.md or skills, here or in the working directory. The prompt has only the bundled texts; \`incipit init\` writes a first set of files. [no-files]
    error: ./gone.mjs: not found. It is named under hooks. [hook-missing]
    ",
    }
  `)
})

test("init here names no folder in what to do next", () => {
  expect(run("init", ".", "--yes").stdout.split("\n").slice(-4)).toEqual([
    "Next: edit SOUL.md, then see the prompt: incipit build",
    "      chat with the agent: incipit chat",
    "      take the tour: incipit tour",
    "",
  ])
})

test("where the home folder cannot be written to, init writes the folder and says what was not kept", () => {
  const home = folder.write("a-file", "")
  const usual = run("init", "usual", "--yes")
  const { stdout, stderr, status } = incipit(["init", "agent", "--yes"], {
    cwd: folder.root,
    env: { HOME: home },
  })
  expect({ stdout: stdout.replaceAll("agent", "usual"), status }).toEqual({
    stdout: usual.stdout.replaceAll("agent", "usual"),
    status: 0,
  })
  expect(stderr).toBe(
    `warning: your approval of this folder was not kept: cannot write ${home}/.incipit: part of the path is not a folder. State is kept in your home folder. Set HOME to a folder that you can write to; INCIPIT_STATE_DIR moves the state of one agent.\n`,
  )
})

test("init overwrites nothing", () => {
  folder.write("workspace/SOUL.md", "Mine.")
  const { stderr, status } = run("init", "--yes")
  expect([stderr, status, read("SOUL.md")]).toEqual([
    "This folder has the layout of Coop. The profile incipit uses SOUL.md.\nkept  SOUL.md, which already exists\n",
    0,
    "Mine.",
  ])
})

test.each([
  [
    { "CLAUDE.md": "Be brief.\n", ".claude/rules/tone.md": "No jokes.\n" },
    "This folder has the layout of Claude Code. The profile incipit uses CLAUDE.md,\n.claude/rules/tone.md.\n",
    ["IDENTITY.md", "SOUL.md", "USER.md", "incipit.yaml", ".gitignore"],
    "incipit",
  ],
  [
    { ".pi/SYSTEM.md": "You are pi.\n", "AGENTS.md": "Be brief.\n" },
    "This folder has the layout of pi. The profile pi uses .pi/SYSTEM.md, AGENTS.md.\n",
    ["incipit.yaml", ".gitignore"],
    "pi",
  ],
  [
    { "priv/rules/a.md": "One rule.\n" },
    "This folder has the layout of OSA. The profile osa uses priv/rules/a.md.\n",
    ["incipit.yaml", ".gitignore"],
    "osa",
  ],
  [
    { "SOUL.md": "Mine.\n", "skills/tea/SKILL.md": "---\nname: tea\ndescription: Tea.\n---\nBoil.\n" },
    "This folder has the layout of Coop. The profile incipit uses SOUL.md, 1 skill.\nkept  SOUL.md, which already exists\n",
    ["IDENTITY.md", "AGENTS.md", "USER.md", "incipit.yaml", ".gitignore"],
    "incipit",
  ],
  [
    { "AGENTS.md": "Be brief.\n" },
    "The profile incipit uses AGENTS.md.\n",
    ["IDENTITY.md", "SOUL.md", "USER.md", "incipit.yaml", ".gitignore"],
    "incipit",
  ],
])("init recognises whose folder it is: %j", (files, said, written, profile) => {
  for (const [path, text] of Object.entries(files)) folder.write(`workspace/${path}`, text)
  const { stdout, stderr, status } = run("init", "--yes")
  expect([stderr, status]).toEqual([said, 0])
  expect(stdout.match(/(?<=^wrote ).*$/gm)).toEqual(written)
  expect(read("incipit.yaml").split("\n")[1]).toBe(`profile: ${profile}`)
  for (const [path, text] of Object.entries(files)) expect(read(path)).toBe(text)
})

test("init writes a heartbeat only if it is wanted, and takes only a model that is known", () => {
  expect(run("init", "--yes", "--model", "nobody/x")).toEqual({
    stdout: "",
    stderr:
      'incipit: unknown model "nobody/x": there is no provider nobody (there are anthropic, openai, google, bedrock, ollama). Write it as provider/model. To add a provider, use `providers` in incipit.yaml.\n',
    status: 2,
  })
  expect(readdirSync(folder.root)).toEqual([])
  run("init", "--yes", "--heartbeat", "--model", "anthropic/claude-sonnet-5-5")
  expect(
    read("incipit.yaml"),
  ).toBe(`# What goes into the prompt, for whom. docs/reference/configuration.md lists every key.
profile: incipit
model: "anthropic/claude-sonnet-5-5"
users:
  owner: { trust: full, match: ["terminal:*"] }
situations:
  dm: { ceiling: full }
  group: { ceiling: familiar }
  system: { ceiling: full }
# Done while \`incipit run --schedule\` or a chat runs.
schedule:
  - { cron: "0 8 * * *", run: HEARTBEAT.md, zone: UTC }
`)
  expect(run("check", "--strict")).toEqual({ stdout: "No problems found.\n", stderr: "", status: 0 })
})

test("init asks what no file says yet, shows which keys are set and none of them, and can be left", async () => {
  folder.write("workspace/USER.md", "Mine.")
  const options = { cwd: folder.root, env: { OPENAI_API_KEY: "sk-secret" } }
  const left = incipitOnTerminal(["init"], options)
  await left.shows("What is the agent's name? [Wren] ")
  left.type("\u0003")
  expect([await left.ended, readdirSync(folder.root)]).toEqual([2, ["USER.md"]])
  const init = incipitOnTerminal(["init"], options)
  for (const [question, answer] of [
    ["What is the agent's name? [Wren] ", "Otto"],
    ["What does it do, in a few words? [helps with everyday tasks] ", ""],
    ["API keys found: openai.\nWhich model? [the first one with an API key] ", "nobody/x"],
    ["Which model? [the first one with an API key] ", ""],
    ["Should it go through a HEARTBEAT.md every morning? [y/N] ", "y"],
  ] as const) {
    await init.shows(question)
    init.type(`${answer}\r`)
  }
  await init.shows("openai/gpt-5.6-sol will answer: OPENAI_API_KEY is set.\nNext: edit SOUL.md")
  expect(await init.ended).toBe(0)
  expect(init.written()).not.toContain("sk-secret")
  expect(read("IDENTITY.md")).toBe('---\nname: "Otto"\n---\n\nOtto helps with everyday tasks.\n')
  expect(readdirSync(folder.root).toSorted()).toEqual([
    ".gitignore",
    "AGENTS.md",
    "HEARTBEAT.md",
    "IDENTITY.md",
    "SOUL.md",
    "USER.md",
    "incipit.yaml",
  ])
})

test("init into something that is no folder is one line", () => {
  folder.write("workspace/note.txt", "A note.")
  expect(run("init", "note.txt", "--yes")).toEqual({
    stdout: "",
    stderr: `incipit: ${join(folder.root, "note.txt")} is not a folder. Name a folder that exists and that you can read, or create one with \`incipit init\`.\n`,
    status: 2,
  })
  expect(run("init", "note.txt/deeper", "--yes").stderr).toBe(
    "incipit: cannot write note.txt/deeper/IDENTITY.md: part of the path is not a folder. Check the folder, its permissions and the free disk space.\n",
  )
})

test("init asks nobody where nobody is", () => {
  expect(run("init")).toEqual({
    stdout: "",
    stderr:
      "incipit: there is no terminal to ask questions on; to accept the defaults, add --yes. Run the command with --help to see its arguments and flags.\n",
    status: 2,
  })
  expect(readdirSync(folder.root)).toEqual([])
})

test("an ejected base says what the bundled one said, and places tools and guidelines", () => {
  const tools = join(folder.path, "tools.json")
  const names = ["read", "write", "edit", "shell"]
  writeFileSync(tools, JSON.stringify(names.map((name) => ({ name, builtin: true }))))
  const before = run("build", "--text", "--tools", tools, "--now", "2026-01-01T00:00:00Z").stdout
  expect(run("init", "--eject").stdout).toBe("wrote .incipit/SYSTEM.md\n")
  const after = run("build", "--text", "--tools", tools, "--now", "2026-01-01T00:00:00Z").stdout
  const lines = (text: string) =>
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .sort()
  // Where a file places the list of tools, it is whole; the bundled base leaves it to the definitions.
  const listed = lines(after).filter((line) => /^<\/?tools>$|^- (?:read|write|edit|shell): /.test(line))
  expect(listed).toHaveLength(6)
  expect(lines(after)).toEqual(lines([before, "## What you have", ...listed].join("\n")))
})

test("an ejected base is not written where a link of the folder leads", () => {
  const outside = join(folder.path, "outside")
  mkdirSync(outside)
  symlinkSync(outside, join(folder.root, ".incipit"))
  const { stderr, status } = run("init", "--eject")
  expect([readdirSync(outside), status]).toEqual([[], 2])
  expect(stderr).toContain("incipit: .incipit/SYSTEM.md was not written because its folder is a link.")
})

test("a lock notices every change, and only changes", () => {
  run("init", "--yes")
  expect(run("check", "--frozen").stderr).toBe(
    "incipit: incipit.lock does not exist. Write a new lock with `incipit check --write-lock`.\n",
  )
  run("check", "--write-lock")
  expect(run("check", "--frozen")).toEqual({ stdout: "No problems found.\n", stderr: "", status: 0 })
  folder.write("workspace/SOUL.md", "Another soul altogether.")
  folder.write("workspace/rules/new.md", "A rule.")
  expect(run("check", "--frozen")).toEqual({
    stdout: "2 errors\n",
    stderr: [
      "error: SOUL.md: changed since incipit.lock was written [lock-differs]",
      "error: rules/new.md: was added since incipit.lock was written [lock-differs]",
      "",
    ].join("\n"),
    status: 1,
  })
})

test("check finds what looks wrong, with file and line", () => {
  run("init", "--yes")
  const tide = "Never promise a crossing before you have looked at the tide table. ".repeat(3)
  folder.write("workspace/rules/a.md", `${tide}\n\nLast updated: 2026-11-02 14:05\n`)
  folder.write("workspace/rules/b.md", `---\nglobs: x\n---\n${tide}\n\nUse the \`grep\` tool first.\n`)
  folder.write("workspace/none.json", "[]")
  folder.write("workspace/skills/one/SKILL.md", "---\nname: one\ndescription: First.\n---\n")
  folder.write("workspace/.claude/skills/one/SKILL.md", "---\nname: one\ndescription: Second.\n---\n")
  const { stderr, status } = run("check", "--strict", "--tools", "none.json")
  expect(status).toBe(1)
  expect(
    stderr
      .split("\n")
      .map((line) => line.replace(/^\w+: (\S+) .*\[(.*)\]$/, "$1 $2"))
      .sort(),
  ).toEqual([
    "",
    ".claude/skills/one/SKILL.md: skill-name-taken",
    "rules/a.md:3: moving-text-in-file",
    "rules/b.md:2: paths-without-effect",
    "rules/b.md:4: duplicate-paragraph",
    "rules/b.md:6: names-absent-tool",
  ])
})

test("check looks at the whole configuration, not only at what this prompt is made of", () => {
  run("init", "--yes")
  folder.write(
    "workspace/incipit.yaml",
    [
      "model: antropic/claude",
      "users: { owner: { trust: full, match: ['terminal:*'] }, bob: { trust: famliar } }",
      "situations: { dm: { ceiling: full }, group: { ceiling: familiar, prompt_overlay: ./group.md } }",
      "rooms: { 'signal:crew': { trust: familiar, situation: pub } }",
      "prompt: { files: [{ path: STYLE.md }] }",
      "hooks: [./hooks/none.ts]",
      "schedule: [{ cron: '@daily', run: TIDES.md }, { cron: '@daily', run: 'What is on today?' }]",
      "",
    ].join("\n"),
  )
  expect(run("check")).toEqual({
    stdout: "6 errors, 1 warning\n",
    stderr: [
      'error: incipit.yaml: unknown trust "famliar". To be safe, "public" is used. [unknown-trust]',
      'warning: There is no situation "pub" (known: dm, group, system). Its ceiling is public. [unknown-situation]',
      'error: ./group.md: file not found. It is the overlay of the situation "group". [overlay-missing]',
      "error: STYLE.md: file not found. It is named under prompt.files. [prompt-file-missing]",
      "error: TIDES.md: file not found. The schedule runs it; until it exists, its name is sent as the message. [schedule-file-missing]",
      'error: The model in incipit.yaml: unknown model "antropic/claude": there is no provider antropic; did you mean anthropic? [unknown-provider]',
      "error: ./hooks/none.ts: not found. It is named under hooks. [hook-missing]",
      "",
    ].join("\n"),
    status: 1,
  })
  // What this prompt runs into is said once.
  expect(run("check", "--in", "group").stdout).toBe("6 errors, 1 warning\n")
})

test("check says that a model without a cache rule gets no cache marks", () => {
  run("init", "--yes")
  folder.write("workspace/incipit.yaml", "model: openai/acme-1\n")
  expect(run("check")).toEqual({
    stdout: "1 hint\n",
    stderr:
      'hint: No cache rule is known for the model "openai/acme-1", so requests get no cache marks. Check its name, or add a rule: cache.rules in incipit.yaml, the option rule in code. [no-cache-rule]\n',
    status: 0,
  })
  const rule = "{ models: acme, like: openai/gpt-5, source: their docs, date: 2026-11 }"
  folder.write("workspace/incipit.yaml", `model: openai/acme-1\ncache: { rules: [${rule}] }\n`)
  expect(run("check").stderr).not.toContain("no-cache-rule")
  // A custom provider has no cache marks, whatever the model.
  const url = "http://127.0.0.1:9/v1"
  folder.write("workspace/incipit.yaml", `model: lab/acme-1\nproviders: { lab: { url: "${url}" } }\n`)
  expect(run("check").stderr).not.toContain("no-cache-rule")
})

test("check says which on_change of a file has no effect", () => {
  run("init", "--yes")
  folder.write("workspace/SOUL.md", "---\non_change: always\n---\nBe kind.\n")
  expect(run("check").stderr).toBe(
    'warning: The section "soul" cannot have the on_change "always"; for this section, use append, wait, rebuild. The setting was ignored. [on-change-without-effect]\n',
  )
})

test("a skill that a running agent would name in a group is a leak without any tools given", () => {
  run("init", "--yes")
  folder.write("workspace/incipit.yaml", "situations: { group: { ceiling: full } }\n")
  folder.write(
    "workspace/skills/deploy/SKILL.md",
    "---\nname: deploy\ndescription: Deploys.\ntrust: full\n---\n",
  )
  const { stderr, status } = run("check", "--leak", "full:group")
  expect([stderr, status]).toEqual([
    expect.stringContaining(
      'error: skills/deploy/SKILL.md: needs full trust but is sent in the situation "group" [leak]',
    ),
    1,
  ])
})

test("a bad assertion is refused", () => {
  expect(run("check", "--leak", "everything").status).toBe(2)
})

test("variables go before the file, flags before variables", () => {
  folder.write("workspace/incipit.yaml", "model: a/from-file\n")
  const from = (env: Record<string, string>, ...args: string[]) => {
    const { stdout } = incipit(["config", "--json", ...args], { cwd: folder.root, env })
    return (JSON.parse(stdout) as { key: string; value: string; from: string }[]).find(
      ({ key }) => key === "model",
    )
  }
  expect([
    from({}),
    from({ INCIPIT_MODEL: "b/from-env" }),
    from({ INCIPIT_MODEL: "b/from-env" }, "--model", "c/from-flag"),
  ]).toEqual([
    { key: "model", value: "a/from-file", from: "incipit.yaml:1" },
    { key: "model", value: "b/from-env", from: "INCIPIT_MODEL" },
    { key: "model", value: "c/from-flag", from: "--model" },
  ])
})

test("sections can be switched off in the configuration; an unknown one is a diagnostic", () => {
  run("init", "--yes")
  writeFileSync(
    join(folder.root, "incipit.yaml"),
    "prompt: { sections: { soul: off, identity: { priority: low }, clok: off } }\n",
  )
  const { stdout, stderr } = run("build", "--json")
  const report = JSON.parse(stdout) as { sections: { id: string; priority: string; outcome: unknown }[] }
  expect(report.sections.find(({ id }) => id === "soul")?.outcome).toEqual({
    kind: "unused",
    why: { kind: "switched-off" },
  })
  expect(report.sections.find(({ id }) => id === "identity")?.priority).toBe("low")
  expect(stderr).toBe(
    'warning: incipit.yaml names the section "clok", which the profile incipit does not have. Did you mean "clock"? [unknown-section]\n',
  )
})

test("a name cannot lead out of its folder", () => {
  folder.write("workspace/HEARTBEAT.md", "Secret.")
  expect(run("build", "--text", "--channel", "../HEARTBEAT:1").stdout).not.toContain("Secret.")
  expect(run("build", "--agent", "../../..").stderr).toBe(
    'incipit: there is no agent "../../..". Other agents are folders under agents/ in the workspace. Leave `--agent` out to use the main agent.\n',
  )
  expect(existsSync(join(folder.root, "incipit.lock"))).toBe(false)
})
