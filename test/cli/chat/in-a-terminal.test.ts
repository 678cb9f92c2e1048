// A chat as a person sees it: the real program on a real terminal, screens compared whole.
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import type { LiveEvent } from "../../../src/agent/turn/live-event.ts"
import { bundled } from "../../bundled.ts"
import { type Action, type Script, stepCost } from "./scripted-agent.ts"
import { type Opened, openTerminal, type TerminalOptions } from "./terminal.ts"

const opened: Opened[] = []
afterEach(({ task }) => {
  for (const terminal of opened.splice(0)) {
    // A test that waits for something says only that it waited; the screen says why.
    if (task.result?.state === "fail") console.error(terminal.screen())
    terminal.close()
  }
})

async function open(options: TerminalOptions): Promise<Opened> {
  const terminal = await openTerminal(options)
  opened.push(terminal)
  await terminal.until((screen) => /^> *$/m.test(screen))
  return terminal
}

function started(call: string, name: string, input: object): Action {
  return { event: { kind: "tool-started", call, name, input } }
}

function finished(call: string, text: string, { isError = false, durationMs = 120 } = {}): Action {
  return { event: { kind: "tool-finished", call, name: "", text, isError, durationMs } }
}

const told = (event: LiveEvent): Action => ({ event })
const PAUSE: Action = { pause: true }
const isIdle = (screen: string) => !/working|stopping/.test(screen)

function golden(terminal: Opened, name: string) {
  return expect(terminal.screen()).toMatchFileSnapshot(`../../golden/chat/${name}.txt`)
}

const ANSWER = `## High water

It is at **14:20** today, with *little* wind. Bring \`boots\`, and see [the table](https://example.org/tides).

| hour | height |
|---|---|
| 02:00 | 1.2 m |
| 14:20 | 3.4 m |

\`\`\`sh
tide --at skagen | head -n 3
\`\`\`

1. Leave at noon.
2. Be back by four, since the road to the lighthouse is under water after that.
`

const CONVERSATION: Script = {
  turns: [
    [
      started("1", "read", { path: "data/tides.csv" }),
      finished("1", "hour,height\n02:00,1.2\n14:20,3.4"),
      { text: ANSWER, by: 11 },
      { cost: stepCost(12_000, 9_000) },
    ],
  ],
}

describe("a conversation", () => {
  test.each([40, 80, 200])("at %d columns", async (columns) => {
    const terminal = await open({ script: CONVERSATION, columns, rows: 40 })
    terminal.type("When is high water at Skagen today, and how do I get there?\r")
    await terminal.until((screen) => screen.includes("that.") && isIdle(screen))
    await golden(terminal, `conversation-${columns}`)
  })

  test("without colours nothing is coloured, and the marks stay", async () => {
    const terminal = await open({ script: CONVERSATION, env: { NO_COLOR: "1" }, rows: 40 })
    terminal.type("When?\r")
    await terminal.until((screen) => screen.includes("that.") && isIdle(screen))
    expect(terminal.written().match(/\p{Cc}\[[\d;]*m/gu)).toBeNull()
    await golden(terminal, "conversation-plain")
  })

  test("while it is written, what is open is redrawn and what waits is seen", async () => {
    const turn: Action[] = [
      { text: "A first paragraph, which is complete.\n\n- one\n- two **th", by: 3 },
      PAUSE,
      { text: "ree**\n\nThe end.\n", by: 3 },
    ]
    const terminal = await open({ script: { turns: [turn, []] } })
    terminal.type("Go.\r")
    await terminal.shows("two")
    terminal.type("And then?\rand a dra")
    await terminal.until((screen) => screen.includes("queued") && screen.includes("> and a dra"))
    await golden(terminal, "streaming")
    terminal.goOn()
    await terminal.until((screen) => screen.includes("9 characters in 1 lines") && isIdle(screen))
    await golden(terminal, "streamed")
  })

  test("an answer that is longer than the screen", async () => {
    const code = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join("\n")
    const rows = Array.from({ length: 30 }, (_, at) => `| ${at + 1} | x |`).join("\n")
    const text = `\`\`\`\n${code}\n\`\`\`\n\n| n | what |\n|---|---|\n${rows}\n`
    const terminal = await open({ script: { turns: [[{ text, by: 50 }, PAUSE]] }, rows: 16 })
    terminal.type("Long.\r")
    await terminal.shows("30 │ x")
    await golden(terminal, "long-open")
    terminal.goOn()
    await terminal.until(isIdle)
    await golden(terminal, "long-done")
  })

  test("a window that gets narrower and wider while it is written", async () => {
    const turn: Action[] = [
      { text: "A paragraph that is complete and a little longer than forty columns are.\n\n" },
      { text: "And one that is open, which is broken anew whenever the window changes, as it should be." },
      PAUSE,
      { text: " Then it goes on.\n" },
    ]
    const terminal = await open({ script: { turns: [turn] }, rows: 20 })
    terminal.type("Go.\r")
    await terminal.shows("should be.")
    terminal.type("a draft that is not short")
    await terminal.shows("not short")
    terminal.resize(40, 20)
    await terminal.until((screen) => screen.includes("\nclaude-sonnet-5-5"))
    await golden(terminal, "resize-40")
    terminal.resize(100, 20)
    await terminal.until((screen) => screen.includes("\nanthropic/claude-sonnet-5-5"))
    terminal.goOn()
    await terminal.until((screen) => screen.includes("goes on.") && isIdle(screen))
    await golden(terminal, "resize-100")
  })

  test("a step that failed, a wait, a cache that missed, a message that has to wait, a notice", async () => {
    const turn: Action[] = [
      { text: "Half an ans" },
      told({ kind: "step-discarded", step: 1 }),
      { text: "Said for good.\n\nAnd half an ans" },
      told({ kind: "step-discarded", step: 1 }),
      told({ kind: "retrying", attempt: 2, waitMs: 2_000, why: "the provider is overloaded\u001b[2J" }),
      PAUSE,
      { notify: "The kettle is on.\nSecond line." },
      told({ kind: "cache-missed", reason: "soul changed", tokens: 12_345 }),
      told({ kind: "compacted", from: 150_000, to: 9_000, lost: ["git"] }),
      told({ kind: "queued", why: "overloaded", notBefore: Date.UTC(2026, 5, 16) }),
      { end: "queued", says: "The provider cannot be reached; your message waits." },
    ]
    const terminal = await open({ script: { turns: [turn] } })
    terminal.type("Hello?\r")
    await terminal.shows("attempt 2")
    await golden(terminal, "retrying")
    terminal.goOn()
    await terminal.shows("your message waits")
    await golden(terminal, "queued")
  })

  test("what an earlier time left undone is taken up at the start", async () => {
    const terminal = await open({ script: { resumes: [{ text: "This was still to be said." }], turns: [] } })
    await terminal.until((screen) => screen.includes("to be said") && isIdle(screen))
    await golden(terminal, "resumed")
  })
})

describe("tools", () => {
  const turn: Action[] = [
    { text: "Let me look." },
    started("1", "read", { path: "data/tides.csv" }),
    started("2", "shell", { command: "ls -la | head -n 20" }),
    started("3", "read", { path: "no/such/file" }),
    finished("2", "total 0\n\u001b[31mred\u001b[0m\n", { durationMs: 1_234 }),
    finished("3", "there is no such file: no/such/file\nlook elsewhere", { isError: true }),
    PAUSE,
    finished("1", "hour,height\n02:00,1.2"),
    { text: "Found it.\n" },
  ]

  test("fold into a line each, in the order of their calls, and unfold again", async () => {
    const terminal = await open({ script: { turns: [turn] }, rows: 40 })
    terminal.type("Look.\r")
    await terminal.shows("1.2 s")
    await golden(terminal, "tools-running")
    terminal.goOn()
    await terminal.until((screen) => screen.includes("Found it.") && isIdle(screen))
    terminal.type("\u000f")
    await terminal.shows("look elsewhere")
    await golden(terminal, "tools-unfolded")
  })
})

describe("questions", () => {
  const before = Array.from({ length: 12 }, (_, at) => `row ${at + 1}\n`).join("")
  const edit: Action = {
    approve: {
      kind: "edit",
      path: "data/list.txt",
      before,
      after: before.replace("row 3", "row three").replace("row 12\n", ""),
    },
  }
  const shell: Action = { approve: { kind: "shell", command: "rm -rf \u200bbuild", directory: "/home/ada" } }
  const long: Action = {
    approve: { kind: "edit", path: "new.txt", before: undefined, after: before.repeat(4) },
  }

  test("an edit, a command, and what was answered", async () => {
    const terminal = await open({ script: { turns: [[edit, shell]] }, rows: 30 })
    terminal.type("Do it.\r")
    await terminal.shows("Change data/list.txt?")
    await golden(terminal, "approval-edit")
    terminal.type("y\r")
    await terminal.shows("Run this in")
    await golden(terminal, "approval-shell")
    terminal.type("n\r")
    await terminal.until((screen) => screen.includes("The answer was no.") && isIdle(screen))
    await golden(terminal, "approval-answered")
  })

  test("a long one is folded, shown whole on a key, and Esc stops the turn", async () => {
    const terminal = await open({ script: { turns: [[long, { text: "not said" }]] }, rows: 16 })
    terminal.type("Write it.\r")
    await terminal.shows("more lines")
    await golden(terminal, "approval-folded")
    terminal.type("v\r")
    await terminal.shows("+row 5\n")
    terminal.type("\u001b")
    await terminal.shows("stopped")
    await golden(terminal, "approval-stopped")
  })

  test("an edit whose middle was not on the screen cannot be agreed to, one by one or for all", async () => {
    const terminal = await open({ script: { turns: [[long, { text: "Written." }]] }, rows: 16 })
    terminal.type("Write it.\r")
    await terminal.shows("v view all")
    terminal.type("a\r")
    // The answer shows all of it in place of a yes.
    await terminal.shows("+row 5\n")
    await terminal.shows("a all edits")
    terminal.type("y\r")
    await terminal.shows("allowed: create")
  })

  test("a command that does not fit has to be seen before it is allowed", async () => {
    const command = Array.from({ length: 20 }, (_, at) => `step ${at + 1}`).join("\n")
    const steps: Action = { approve: { kind: "shell", command, directory: "/home/ada" } }
    const terminal = await open({ script: { turns: [[steps]] }, rows: 16 })
    terminal.type("Do it.\r")
    await terminal.shows("v view all")
    await golden(terminal, "approval-unseen")
    terminal.type("y\r")
    await terminal.until((screen) => screen.includes("step 10\n") && screen.includes("\ny yes"))
    await golden(terminal, "approval-seen")
    terminal.type("y\r")
    await terminal.until((screen) => screen.includes("The answer was yes.") && isIdle(screen))
  })

  test("who is writing when it comes does not answer, whatever they send", async () => {
    const terminal = await open({ script: { turns: [[PAUSE, shell], []] } })
    terminal.type("Do it.\r")
    await terminal.shows("working")
    terminal.type("y")
    await terminal.shows("> y")
    terminal.goOn()
    await terminal.shows("Enter queues your message")
    await golden(terminal, "approval-writing")
    terminal.type("\r")
    await terminal.until((screen) => screen.includes("queued: y") && screen.includes("\ny yes"))
    await golden(terminal, "approval-written")
    terminal.type("a\r")
    await terminal.until((screen) => screen.includes("1 characters in 1 lines") && isIdle(screen))
    await golden(terminal, "approval-after-writing")
  })

  test("who begins to write as it comes does not answer with the first letter", async () => {
    const terminal = await open({ script: { turns: [[shell], []] } })
    terminal.type("Do it.\r")
    await terminal.shows("y yes")
    for (const letter of "yes, but") terminal.type(letter)
    await terminal.until((screen) => screen.includes("> yes, but") && screen.includes("Enter queues"))
    terminal.type("\u001b")
    await terminal.until((screen) => /^> *$/m.test(screen.split("y yes")[1] ?? ""))
    terminal.type("no\r")
    await terminal.until((screen) => screen.includes("The answer was no.") && isIdle(screen))
  })

  test("an answer too many is a message, and no answer to the next question", async () => {
    const terminal = await open({ script: { turns: [[edit, shell], []] }, rows: 40 })
    terminal.type("Do it.\r")
    await terminal.shows("Change data")
    terminal.type("yes\ryes\r")
    await terminal.until((screen) => screen.includes("queued: yes") && screen.includes("Run this in"))
    await golden(terminal, "approval-too-many")
  })
})

describe("leaving and stopping", () => {
  const endless: Script = {
    turns: [[{ text: "I begin" }, started("1", "shell", { command: "sleep 100" }), PAUSE]],
  }

  test("Ctrl-C stops the turn, and what waited can be written again", async () => {
    const terminal = await open({ script: endless })
    terminal.type("Count to a million.\r")
    await terminal.shows("I begin")
    terminal.type("and then\rmore")
    await terminal.until((screen) => screen.includes("queued") && screen.includes("> more"))
    terminal.type("\u0003")
    await terminal.shows("stopped")
    await golden(terminal, "stopped")
    terminal.type("\u0003")
    await terminal.until((screen) => /^> *$/m.test(screen.split("stopped")[1] ?? ""))
    terminal.type("\u0003")
    expect(await terminal.ended).toBe(0)
    await golden(terminal, "left")
  })

  test("Ctrl-C that comes too late for a turn leaves only when it comes again", async () => {
    const terminal = await open({ script: { turns: [] } })
    terminal.type("\u0003")
    await terminal.shows("Ctrl-C again quits")
    terminal.type("a\u007f")
    await terminal.until((screen) => /^> *$/m.test(screen) && !screen.includes("again leaves"))
    terminal.type("\u0003")
    await terminal.shows("Ctrl-C again quits")
    terminal.type("\u0003")
    expect(await terminal.ended).toBe(0)
  })

  test("twice in a turn leaves", async () => {
    const terminal = await open({ script: endless })
    terminal.type("Go.\r")
    await terminal.shows("I begin")
    terminal.type("\u0003\u0003")
    expect(await terminal.ended).toBe(0)
  })

  test("Ctrl-D leaves, if nothing is written", async () => {
    const terminal = await open({ script: { turns: [] } })
    terminal.type("ab\u0001\u0004")
    await terminal.shows("> b")
    terminal.type("\u0004\u0004")
    expect(await terminal.ended).toBe(0)
  })
})

describe("writing", () => {
  test("a paste of 10,000 lines is one word on the screen and whole in the message", async () => {
    const terminal = await open({ script: { turns: [] } })
    const pasted = Array.from({ length: 10_000 }, (_, at) => `line ${at}`).join("\r\n")
    terminal.type(`see \u001b[200~${pasted}\u001b[201~`)
    await terminal.shows("pasted]")
    terminal.type(" please\r")
    await terminal.shows("characters in")
    await golden(terminal, "paste")
  })

  test("wide and combined characters, and the cursor among them", async () => {
    const terminal = await open({
      script: { turns: [[{ text: "漢字 👨‍👩‍👧 is **é** 🇩🇪.\n\n| 漢 | b |\n|---|---|\n| 👍🏽 | ❤️ |\n" }]] },
      columns: 40,
    })
    terminal.type("漢字 👨‍👩‍👧 e\u0301 🇩🇪 ❤️ end\u001b[D\u001b[D\u001b[D\u001b[D\u001b[D")
    await terminal.until((screen) => screen.includes("end") && /cursor \d+:16 /.test(screen))
    await golden(terminal, "wide-written")
    terminal.type("\r")
    await terminal.until((screen) => screen.includes("│") && isIdle(screen))
    await golden(terminal, "wide-answered")
  })

  test("several lines, the history, and a file of it that nobody else can read", async () => {
    const terminal = await open({ script: { turns: [] } })
    terminal.type("one\u001b\rtwo\r")
    await terminal.shows("7 characters in 2 lines")
    terminal.type(" secret\r")
    await terminal.shows("7 characters in 1 lines")
    terminal.type("\u001b[A\u0001x")
    await terminal.until((screen) => screen.endsWith("> one\n  xtwo\n--- cursor 14:4 ---\n"))
    await golden(terminal, "history")
    expect(readFileSync(join(terminal.folder, "history"), "utf8")).toBe('"one\\ntwo"\n')
    expect(statSync(join(terminal.folder, "history")).mode & 0o777).toBe(0o600)
  })
})

describe("commands", () => {
  test("what they say", async () => {
    const terminal = await open({ script: { turns: [[], [], []] }, rows: 60, columns: 100 })
    for (const [at, message] of ["one", "two", "three"].entries()) {
      terminal.type(`${message}\r`)
      await terminal.until((screen) => screen.split("characters in").length === at + 2 && isIdle(screen))
    }
    const asked: readonly (readonly [string, string])[] = [
      ["/cost", "on average"],
      ["/cost week", "section or file"],
      ["/cost day", "on average"],
      ["/trace", "turn=t3"],
      ["/why", "t3.1 read"],
      ["/why soul", "costs"],
      ["/diff", "conversation:"],
      ["/model", "cache rule"],
      ["/model nothing", "is no provider/model"],
      ["/model openai/gpt-5.6", "from the next turn on"],
      ["/tools", "2 tools"],
      ["/tools last", "no tool was used"],
      ["/tools off", "switch tools on again"],
      ["/help why", "why a section"],
      ["/help nothing", "the keys"],
      ["/skills", "no skills"],
      ["/memory", "up to date"],
      ["/memory high water", "1 hit"],
      ["/sessions", "continues one"],
      ["/sessions ab", "now in session"],
      ["/notices", "no notices"],
      ["/plan", "plan mode is on"],
      ["/as bob", "now talking as bob"],
      ["/compact", "conversation compacted"],
      ["/reload", "workspace reloaded"],
      ["/new", "starts a new session"],
      ["/contxt", "did you mean"],
      ["!ls", "sees it"],
      ["!!ls", "does not see it"],
    ]
    for (const [command, answer] of asked) {
      terminal.type(`${command}\r`)
      await terminal.until(
        (screen) => (screen.split(`> ${command}\n`)[1] ?? "").includes(answer) && isIdle(screen),
      )
    }
    await golden(terminal, "commands")
    terminal.type("/co\t")
    await terminal.shows("/context  /cost  /compact")
    terminal.type("n\t")
    await terminal.shows("> /context")
    terminal.type("\u0015/quit\r")
    expect(await terminal.ended).toBe(0)
  })
})

test("without a terminal: a message for each line or block, answers on stdout, the rest on stderr", async () => {
  const folder = mkdtempSync(join(tmpdir(), "incipit-plain-"))
  const script: Script = {
    turns: [
      [
        started("1", "read", { path: "data/tides.csv" }),
        finished("1", "x"),
        { text: "**Bold** \u001b[2J answer.\n" },
      ],
      [],
      [{ end: "failed", says: "The provider refused." }],
      [{ approve: { kind: "shell", command: "ls", directory: "/" } }, { text: "Done." }],
    ],
  }
  writeFileSync(join(folder, "script.json"), JSON.stringify(script))
  const chat = await bundled("test/cli/chat/scripted.ts")
  const program = spawn("node", [chat, join(folder, "script.json"), folder], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: "1" },
  })
  const out = { stdout: "", stderr: "" }
  program.stdout.on("data", (data) => {
    out.stdout += String(data)
  })
  program.stderr.on("data", (data) => {
    out.stderr += String(data)
  })
  program.stdin.end("first\n\n```\ntwo\n\nlines\n```\nthird\n/plan\nfourth\n!ls\n")
  const status = await new Promise((done) => program.on("close", done))
  rmSync(folder, { recursive: true })
  await expect(`${out.stdout}--- stderr ---\n${out.stderr}--- exit ${status} ---\n`).toMatchFileSnapshot(
    "../../golden/chat/piped.txt",
  )
})

test("a command in the middle of an answer does not split it: its result comes below", async () => {
  const turns = [
    [{ text: "The lamp burns in " }, PAUSE, { text: "the tower by the sea." }, { end: "answered" as const }],
  ]
  const terminal = await open({ script: { turns } })
  terminal.type("Where?\r")
  await terminal.shows("The lamp burns in")
  terminal.type("/skills\r")
  await terminal.shows("queued: /skills")
  terminal.goOn()
  await terminal.until((screen) => isIdle(screen) && screen.includes("> /skills"))
  const lines = terminal.screen().split("\n")
  const answer = lines.indexOf("The lamp burns in the tower by the sea.")
  expect([answer > 0, lines.indexOf("> /skills") > answer]).toEqual([true, true])
})

test.each(["quit", " exit ", "/exit", "/q", "/quit"])(
  "%j leaves, also in the middle of an answer",
  async (word) => {
    const turns = [
      [{ text: "The lamp burns in " }, PAUSE, { text: "the tower." }, { end: "answered" as const }],
    ]
    const terminal = await open({ script: { turns } })
    terminal.type("Where?\r")
    await terminal.shows("The lamp burns in")
    terminal.type(`${word}\r`)
    expect(await terminal.ended).toBe(0)
  },
)
