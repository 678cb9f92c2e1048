// Whose text each part of a request is: files with their lines, fields, tools, hooks, and what is the client's own.
import { execFileSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { JsonObject } from "../../../src/record/write/request-marks.ts"
import { type Asked, ENVELOPES, type OwnedPart, ownersOf, shown, writeTree } from "./envelopes.ts"
import { newFolder } from "./folder.ts"

const SEED = { seed: 7, numRuns: 30 }

const RULES = Array.from(
  { length: 40 },
  (_, at) => `- Rule ${at}: the keeper of lamp ${at * 37} writes every hour into book ${at % 5}.`,
)
const INSTRUCTIONS = `# How we keep the light\n\n${RULES.slice(0, 20).join("\n")}\n\n## At night\n\n${RULES.slice(20).join("\n")}\n`
const SKILL =
  "---\nname: trim-wick\ndescription: >-\n  Trims the wick; use it if the flame is < 2 cm & smokes,\n  or before midnight.\n---\nCut it.\n"

/** Letters that belong to a kind of owner, or to one path. */
function letters(
  parts: readonly OwnedPart[],
  isOwn: (owner: OwnedPart["spans"][number]["owner"]) => boolean,
): number {
  return parts
    .flatMap(({ spans }) => spans)
    .reduce((sum, { owner, tokens }) => sum + (isOwn(owner) ? tokens : 0), 0)
}

function expectCovered(parts: readonly OwnedPart[]): void {
  for (const { part, spans } of parts) {
    const ends = [0, ...spans.map(({ end }) => end)]
    expect(spans.map(({ start }) => start)).toEqual(ends.slice(0, -1))
    expect(ends.at(-1)).toBe(part.text.length)
    expect(spans.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(part.tokens)
  }
}

describe.each(ENVELOPES)("$client", ({ client, format, instructions, request }) => {
  test("a file, a skill's description, and the rest", async () => {
    const { project, home } = newFolder()
    writeTree(project, {
      [instructions]: INSTRUCTIONS,
      ".agents/skills/trim-wick/SKILL.md": SKILL,
      ".claude/skills/trim-wick/SKILL.md": SKILL,
    })
    const skill = "- trim-wick: Trims the wick; use it if the flame is < 2 cm & smokes, or before midnight."
    const body = request([{ path: join(project, instructions), text: INSTRUCTIONS }], skill)
    const [parts = []] = await ownersOf([body], { client, format, project, home })
    expectCovered(parts)
    await expect(`${shown(parts, project)}\n`).toMatchFileSnapshot(
      `../../golden/capture/owners-${client}.txt`,
    )
  })

  test("a file that has changed since: the same lines are its own, and those between them are inferred", async () => {
    const { project, home } = newFolder()
    const before = INSTRUCTIONS.replace("lamp 185 ", "lamp ONE ")
    writeTree(project, { [instructions]: INSTRUCTIONS })
    const body = request([{ path: join(project, instructions), text: before }])
    const [parts = []] = await ownersOf([body], { client, format, project, home })
    const spans = parts.flatMap(({ part, spans }) =>
      spans.map((span) => ({ ...span, text: part.text.slice(span.start, span.end) })),
    )
    expect(
      spans.filter(({ owner }) => owner.match === "inferred").map(({ owner, text }) => [owner.lines, text]),
    ).toEqual([[[8, 8], `${before.split("\n")[7]}\n`]])
    // Known from the client itself, it is exact.
    const files = [{ path: join(project, instructions), text: before }]
    const [seen = []] = await ownersOf([body], { client, format, project, home, files })
    expect(letters(seen, ({ match }) => match === "inferred")).toBe(0)
    expect(letters(seen, ({ kind }) => kind === "file")).toBeGreaterThanOrEqual(before.trim().length)
  })

  test("nothing is put down to a file of another tree", async () => {
    const { project, home } = newFolder()
    writeTree(project, {
      [instructions]: INSTRUCTIONS.replaceAll("lamp", "bell"),
      "docs/x.md": "What is this?\n",
    })
    const body = request([{ path: join("/elsewhere", instructions), text: INSTRUCTIONS }])
    const [parts = []] = await ownersOf([body], { client, format, project, home })
    // "## At night" has too few letters, and the heading stands in both files alone.
    expect(letters(parts, ({ kind }) => kind === "file" || kind === "field")).toBe(0)
  })

  test("any file: nearly all of it is its own, and nothing else is", async () => {
    const line = fc.oneof(
      fc.constantFrom("", "", "---", "```", "}", "  - ", "Yes.", "# Heading"),
      fc.string({ minLength: 1, maxLength: 90 }).map((text) => text.replaceAll(/[\r\n]/g, " ")),
      fc
        .string({ unit: "grapheme", maxLength: 60 })
        .map((text) => text.replaceAll(/[\r\n\u2028\u2029\u0085\v\f]/g, " ")),
      fc.integer({ min: 0, max: 50 }).map((at) => `${RULES[at % 40]} ${at}`),
    )
    const long = fc
      .array(line, { minLength: 10, maxLength: 60 })
      .filter((lines) => lines.join("").replaceAll(/[^a-zA-Z]/g, "").length > 200)
    await fc.assert(
      fc.asyncProperty(long, fc.boolean(), fc.boolean(), async (lines, hasReturns, isIndented) => {
        const { project, home } = newFolder()
        const text = `${lines.join("\n")}\nThe last line of this file, with some words that nothing else has.\n`
        writeTree(project, { [instructions]: hasReturns ? text.replaceAll("\n", "\r\n") : text })
        const quoted = isIndented ? text.replaceAll(/^(?=\S)/gm, "  ") : text
        const body = request([{ path: join(project, instructions), text: quoted }])
        const [parts = []] = await ownersOf([body], { client, format, project, home })
        expectCovered(parts)
        const own = letters(
          parts,
          ({ kind, path }) => kind === "file" && path === join(project, instructions),
        )
        expect(own).toBeGreaterThanOrEqual(quoted.trim().length * 0.99)
        expect(own).toBeLessThanOrEqual(quoted.length + 1)
        const [wrong = []] = await ownersOf([body], { client, format, project: join(home, "none"), home })
        expect(letters(wrong, ({ kind }) => kind === "file")).toBe(0)
      }),
      { ...SEED, numRuns: 12 },
    )
  })
})

const CLAUDE = { client: "claude-code", format: "anthropic" } as const

function asked(): Asked {
  return { ...CLAUDE, ...newFolder() }
}

function said(text: string, role = "user"): JsonObject {
  return { messages: [{ role, content: text }] }
}

test("a short file counts only where its path is named", async () => {
  const ask = asked()
  writeTree(ask.project, { "CLAUDE.md": "Be kind.\n" })
  const path = join(ask.project, "CLAUDE.md")
  const isFile = async (text: string) => {
    const [parts = []] = await ownersOf([said(`<system-reminder>\n${text}\n</system-reminder>`)], ask)
    return letters(parts, ({ kind }) => kind === "file") > 0
  }
  expect(await isFile(`Contents of ${path}:\n\nBe kind.`)).toBe(true)
  expect(await isFile("Be kind.")).toBe(false)
  expect(await isFile(`Contents of /x${path}:\n\nBe kind.`)).toBe(false)
})

test("of two files with the same text, the one that is named, else the one that the client reads", async () => {
  const ask = asked()
  writeTree(ask.project, {
    "CLAUDE.md": INSTRUCTIONS,
    "docs/CLAUDE.md": INSTRUCTIONS,
    "AGENTS.md": INSTRUCTIONS,
  })
  const paths = async (text: string) => {
    const [parts = []] = await ownersOf([said(`<system-reminder>\n${text}\n</system-reminder>`)], ask)
    return [
      ...new Set(
        parts.flatMap(({ spans }) =>
          spans.flatMap(({ owner }) => (owner.kind === "file" ? [owner.path] : [])),
        ),
      ),
    ]
  }
  const nested = join(ask.project, "docs", "CLAUDE.md")
  expect(await paths(`Contents of ${nested}:\n\n${INSTRUCTIONS}`)).toEqual([nested])
  expect(await paths(`What people want:\n\n${INSTRUCTIONS}`)).toEqual([join(ask.project, "CLAUDE.md")])
})

test("a file that was cut in the middle of a line", async () => {
  const ask = asked()
  writeTree(ask.project, { "CLAUDE.md": INSTRUCTIONS })
  const cut = INSTRUCTIONS.slice(0, 1030)
  const text = `<system-reminder>\nContents of ${join(ask.project, "CLAUDE.md")}:\n\n${cut}\n</system-reminder>`
  const [parts = []] = await ownersOf([said(text)], ask)
  expect(letters(parts, ({ kind, match }) => kind === "file" && match === "exact")).toBe(cut.length + 1)
})

test("what a tool read is the tool's result, with the file and its lines, however it numbers them", async () => {
  const ask = asked()
  writeTree(ask.project, { "src/book.md": INSTRUCTIONS })
  const lines = INSTRUCTIONS.trimEnd().split("\n").slice(2, 12)
  const forms = [
    (line: string, at: number) => `${at}\t${line}`,
    (line: string, at: number) => `${String(at).padStart(6)}→${line}`,
    (line: string, at: number) => `${at}: ${line}`,
    (line: string, at: number) => `${String(at).padStart(5, "0")}| ${line}`,
    (line: string) => line,
  ]
  const messages = forms.flatMap((form, at) => [
    {
      role: "assistant",
      content: [
        {
          type: "tool_use",
          id: `t${at}`,
          name: "Read",
          input: { file_path: join(ask.project, "src/book.md") },
        },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: `t${at}`,
          content: lines.map((line, index) => form(line, index + 3)).join("\n"),
        },
      ],
    },
  ])
  const command = [
    {
      role: "assistant",
      content: [
        { type: "tool_use", id: "c", name: "Bash", input: { command: "sed -n 3,12p 'src/book.md' | cat" } },
      ],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "c", content: `start\n${lines.join("\n")}\nend` }],
    },
  ]
  const [parts = []] = await ownersOf([{ messages: [...messages, ...command] }], ask)
  const results = parts
    .filter(({ part }) => part.kind === "tool-result")
    .map(({ spans }) => spans.map(({ owner }) => [owner.kind, owner.name, owner.lines]))
  expect(results.slice(0, -1)).toEqual(forms.map(() => [["tool-result", "Read", [3, 12]]]))
  expect(results.at(-1)).toEqual([
    ["tool-result", "Bash", undefined],
    ["tool-result", "Bash", [3, 12]],
    ["tool-result", "Bash", undefined],
  ])
})

test("who speaks: a person, the model, tools, servers, hooks and the client", async () => {
  const ask = asked()
  const request = {
    tools: [
      { name: "Bash", description: "Runs it.", input_schema: {} },
      { name: "mcp__linear__search", description: "Finds issues.", input_schema: {} },
    ],
    system: "You help.",
    messages: [
      {
        role: "user",
        content: "Hello <b>you</b>.\n<system-reminder>\nIt is late.\n</system-reminder>\nAnd now?",
      },
      {
        role: "user",
        content: "<system-reminder>\nUserPromptSubmit hook success: the branch is main\n</system-reminder>",
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "s" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "a", name: "mcp__linear__search", input: { query: "lamp" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "a",
            content: "Nothing.\n<system-reminder>\nBe brief.\n</system-reminder>",
          },
        ],
      },
    ],
  }
  const [parts = []] = await ownersOf([request], ask)
  expectCovered(parts)
  expect(shown(parts, ask.project)).toMatchInlineSnapshot(`
    "tool Bash: "Bash\\nRuns it.\\n{\\"input_schema\\":{}}"
    mcp-tool linear search: "mcp__linear__search\\nFinds issues.\\n{\\"input_schema\\":{}}"
    client system: "You help."
    conversation user: "Hello <b>you</b>.\\n"
    client messages: "<system-reminder>\\nIt is late.\\n</system-reminder>\\n"
    conversation user: "And now?"
    hook UserPromptSubmit: "<system-reminder>\\nUserPromptSubmit hoo…/system-reminder>"
    conversation assistant: "Hm."
    conversation assistant: "I look."
    conversation assistant: "mcp__linear__search {\\"query\\":\\"lamp\\"}"
    tool-result linear search: "Nothing.\\n"
    client messages: "<system-reminder>\\nBe brief.\\n</system-reminder>""
  `)
})

/** Commits everything in a folder. */
function commit(folder: string): void {
  const name = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...name, "commit", "-qm", "x"],
  ])
    execFileSync("git", args, { cwd: folder, stdio: "ignore" })
}

test("what a file said in an earlier commit is its own", async () => {
  const ask = asked()
  const before = INSTRUCTIONS.replace("lamp 185 ", "lamp ONE ").replace("lamp 925 ", "")
  writeTree(ask.project, { "CLAUDE.md": before })
  commit(ask.project)
  writeTree(ask.project, { "CLAUDE.md": INSTRUCTIONS })
  const text = `<system-reminder>\nContents of ${join(ask.project, "CLAUDE.md")}:\n\n${before}\n</system-reminder>`
  const [parts = []] = await ownersOf([said(text)], ask)
  const files = parts.flatMap(({ spans }) => spans).filter(({ owner }) => owner.kind === "file")
  expect(files.map(({ owner }) => [owner.lines, owner.match])).toEqual([[[1, 45], "exact"]])
})

test("a file that the client is not known to read is found if the repository tracks it", async () => {
  const ask = asked()
  writeTree(ask.project, {
    "docs/manual.md": INSTRUCTIONS,
    "docs/copy.md": INSTRUCTIONS.slice(0, 700),
    "notes.md": "x\n",
  })
  const owned = async (text: string, role = "system") => {
    const [parts = []] = await ownersOf([said(text, role)], ask)
    return parts.flatMap(({ spans }) =>
      spans.flatMap(({ owner }) =>
        owner.kind === "file" ? [`${owner.path?.slice(ask.project.length)} ${owner.match}`] : [],
      ),
    )
  }
  expect(await owned(`You help.\n${INSTRUCTIONS}`)).toEqual([])
  commit(ask.project)
  expect(await owned(`You help.\n${INSTRUCTIONS}`)).toEqual(["/docs/manual.md exact"])
  // Two files have these lines.
  expect(await owned(`You help.\n${INSTRUCTIONS.split("\n").slice(2, 8).join("\n")}`)).toEqual([
    "/docs/copy.md one-of",
  ])
  // What a person pastes is what that person says.
  expect(await owned(INSTRUCTIONS, "user")).toEqual([])
})

test("a client that leaves out empty lines", async () => {
  const ask = asked()
  writeTree(ask.project, { "CLAUDE.md": INSTRUCTIONS.replaceAll("\n\n", "\n\n\n") })
  const text = `<system-reminder>\nContents of ${join(ask.project, "CLAUDE.md")}:\n\n${INSTRUCTIONS}\n</system-reminder>`
  const [parts = []] = await ownersOf([said(text)], ask)
  const files = parts.flatMap(({ spans }) => spans).filter(({ owner }) => owner.kind === "file")
  expect(files.every(({ owner }) => owner.match === "exact")).toBe(true)
  expect(files.at(-1)?.owner.lines?.[1]).toBe(48)
})

test("without an envelope: a short end behind empty lines, and a line that has changed, are the file's", async () => {
  const ask = asked()
  writeTree(ask.project, { "CLAUDE.md": `${INSTRUCTIONS}\n\n\nEnd.\n` })
  const text = `You help.\n${INSTRUCTIONS.replace("lamp 185 ", "lamp ONE ")}\nEnd.\nGo.`
  const [parts = []] = await ownersOf([said(text, "system")], ask)
  const spans = parts.flatMap(({ part, spans: all }) =>
    all.map(({ start, end, owner }) => ({ owner, text: part.text.slice(start, end) })),
  )
  expect(spans.filter(({ owner }) => owner.match === "inferred").map(({ text: one }) => one)).toEqual([
    `${RULES[5]?.replace("lamp 185 ", "lamp ONE ")}\n`,
  ])
  expect(spans.filter(({ owner }) => owner.kind === "client").map(({ text: one }) => one)).toEqual([
    "You help.\n",
    "Go.",
  ])
})

test("a description of the client's own that only mentions a command is not that command's", async () => {
  const ask = asked()
  writeTree(ask.project, {
    ".claude/commands/look-round.md": "Look round the lamp room.\n",
    ".claude/agents/keeper.md": "---\ndescription: Keeps the lamp.\n---\n",
  })
  const list = [
    "- look-round: Made by the client, and it says: Look round the lamp room.",
    "- keeper: Keeps the lamp and much else.",
    `- keeper: Keeps the lamp. ${"And more. ".repeat(40)}`,
    "- look-round: Look round the lamp room.",
    "- keeper: Keeps the lamp. (Tools: All tools)",
  ]
  const [parts = []] = await ownersOf([said(`These are listed:\n${list.join("\n")}`, "system")], ask)
  const fields = parts.flatMap(({ part, spans }) =>
    spans
      .filter(({ owner }) => owner.kind === "field")
      .map(({ start, end }) => part.text.slice(start, end).trim()),
  )
  expect(fields).toEqual(list.slice(3))
})

test("of skills with one name, the one that the client lists: by its path, else by its words", async () => {
  const ask = asked()
  const says = (folder: string) => `Trims the wick of the lamp when the flame smokes (kept in ${folder}).`
  const folders = [".agents", ".claude", ".opencode"]
  const pathIn = (folder: string) => `${folder}/skills/trim-wick/SKILL.md`
  writeTree(
    ask.project,
    Object.fromEntries(
      folders.map((folder) => [
        pathIn(folder),
        `---\nname: trim-wick\ndescription: ${says(folder)}\n---\nCut it.\n`,
      ]),
    ),
  )
  const listed = folders.flatMap((folder) => [
    `<name>trim-wick</name>\n<description>${says(folder)}</description>`,
    // As it was before the last edit.
    `<name>trim-wick</name>\n<description>${says("a box")}</description>\n<location>${join(ask.project, pathIn(folder))}</location>`,
  ])
  const owners: (string | undefined)[] = []
  for (const text of listed) {
    const [parts = []] = await ownersOf([said(text, "system")], { ...ask, client: "opencode" })
    owners.push(parts.flatMap(({ spans }) => spans).find(({ owner }) => owner.kind === "field")?.owner.path)
  }
  expect(owners).toEqual(folders.flatMap((folder) => Array(2).fill(join(ask.project, pathIn(folder)))))
})

test("tools of servers, by the names that each client gives them", async () => {
  const { project, home } = newFolder()
  writeTree(project, { "opencode.json": '{"mcp":{"sea":{},"sea-bell":{}}}' })
  const owners = async (client: Asked["client"], names: readonly string[]) => {
    const [parts = []] = await ownersOf([{ tools: names.map((name) => ({ name })) }], {
      client,
      format: "anthropic",
      project,
      home,
    })
    return parts.map(({ spans: [span] }) =>
      [span?.owner.kind, span?.owner.server, span?.owner.name].join(" "),
    )
  }
  expect(await owners("claude-code", ["mcp__sea__ring_it", "sea_ring", "Read"])).toEqual([
    "mcp-tool sea ring_it",
    "tool  sea_ring",
    "tool  Read",
  ])
  expect(await owners("opencode", ["sea-bell_ring", "sea_ring", "read", "seal_x"])).toEqual([
    "mcp-tool sea-bell ring",
    "mcp-tool sea ring",
    "tool  read",
    "tool  seal_x",
  ])
  expect(await owners("gemini-cli", ["mcp_sea_ring_it", "read_file"])).toEqual([
    "mcp-tool sea ring_it",
    "tool  read_file",
  ])
  expect(await owners("codex", ["mcp__sea", "mcp__sea.ring"])).toEqual(["mcp-tool sea ", "mcp-tool sea ring"])
})

test("a part is looked at once: a later version of a file changes nothing that was sent before", async () => {
  const ask = asked()
  const path = join(ask.project, "CLAUDE.md")
  writeFileSync(path, INSTRUCTIONS)
  const text = `<system-reminder>\nContents of ${path}:\n\n${INSTRUCTIONS}\n</system-reminder>`
  const requests = [
    said(text),
    {
      messages: [
        { role: "user", content: text },
        { role: "assistant", content: "Yes." },
      ],
    },
  ]
  const [first, second] = await ownersOf(requests, ask)
  expect(second?.[0]?.spans).toBe(first?.[0]?.spans)
})

test("hostile files and texts", async () => {
  const ask = asked()
  writeTree(ask.project, {
    "CLAUDE.md": "x".repeat(2 << 20),
    ".claude/skills/a/SKILL.md": "---\nname: [1\ndescription: {}\n---\n",
    ".claude/agents/b.md": "---\nname: __proto__\ndescription: constructor\n---\n",
  })
  rmSync(join(ask.project, "none"), { force: true })
  const texts = [
    "<system-reminder>",
    "</system-reminder>",
    "Contents of /etc/passwd:\n\nroot:x:0:0:root:/root:/bin/bash",
    "- __proto__: constructor",
    "\n\n\n",
    "",
    "a".repeat(100_000),
    "Contents of ".repeat(1000),
  ]
  for (const role of ["user", "system", "assistant"]) {
    const [parts = []] = await ownersOf([{ messages: texts.map((content) => ({ role, content })) }], ask)
    expectCovered(parts)
    expect(letters(parts, ({ kind }) => kind === "file")).toBe(0)
  }
})

test("long files and long conversations take time in proportion", { timeout: 20_000 }, async () => {
  const ask = asked()
  const lines = Array.from({ length: 20_000 }, (_, at) =>
    at % 3 === 0 ? "  same: line" : `entry ${at % 9000} has a value ${at % 7}`,
  )
  writeTree(ask.project, { "CLAUDE.md": lines.join("\n") })
  const text = `<system-reminder>\nContents of ${join(ask.project, "CLAUDE.md")}:\n\n${lines.join("\n")}\n</system-reminder>`
  const messages: JsonObject[] = [{ role: "user", content: text }]
  const requests = Array.from({ length: 200 }, (_, at) => {
    messages.push({
      role: at % 2 === 0 ? "assistant" : "user",
      content: `Message ${at} of this conversation.`,
    })
    return { messages: [...messages] }
  })
  const all = await ownersOf(requests, ask)
  expect(letters(all.at(-1) ?? [], ({ kind }) => kind === "file")).toBeGreaterThan(
    lines.join("\n").length * 0.99,
  )
})
