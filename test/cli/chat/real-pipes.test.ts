// The chat on the real agent without a terminal: from a pipe, with bad input, in an empty folder. And the program itself.
import { spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import type { FlagsOf } from "../../../src/cli/command-line/invocation.ts"
import { bundled } from "../../bundled.ts"
import { isIdle, say, shown, workspace } from "./real-chat.ts"
import { openProgram } from "./terminal.ts"

/** All that it wrote, and how it ended. */
async function piped(
  root: string,
  input: string | Buffer,
  flags: Partial<FlagsOf<"chat">> = {},
): Promise<string> {
  const given = JSON.stringify({ home: join(root, "no-home"), state: join(root, ".incipit"), ...flags })
  const program = spawn("node", [await bundled("test/cli/chat/real.ts"), given], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: "1", SHELL: "/bin/sh" },
  })
  const out = { stdout: "", stderr: "" }
  program.stdout.on("data", (data) => {
    out.stdout += String(data)
  })
  program.stderr.on("data", (data) => {
    out.stderr += String(data)
  })
  program.stdin.end(input)
  const status = await new Promise((done) => program.on("close", done))
  return `${out.stdout}--- stderr ---\n${out.stderr}--- exit ${status} ---\n`.replaceAll(root, "/island")
}

function golden(text: string, name: string) {
  return expect(text).toMatchFileSnapshot(`../../golden/chat/real/piped-${name}.txt`)
}

test("a message for each line or block; what would be asked about is refused", async () => {
  const root = workspace({ "notes.md": "The lamp was cleaned.\n" })
  const input = [
    "what does data/tides.csv say about Tuesday?",
    "```",
    "run `touch made.txt`",
    "```",
    "!echo of my own",
    "notify me: the kettle is on",
    "/plan",
    "change cleaned to polished in notes.md",
    "/plan change",
    "/plan list",
    "/nothing",
    "/model nothing",
    "/quit",
    "what time is it?",
  ]
  await golden(await piped(root, `${input.join("\n")}\n`), "messages")
})

test("bytes that are no text, a line without an end, and a very long one", async () => {
  const bad = Buffer.concat([
    Buffer.from([0xff, 0x00, 0x1b, 0x5b, 0x32, 0x4a, 0x0a]),
    Buffer.from(`${"who are you? ".repeat(20_000)}\n`),
    Buffer.from("what time is it?"),
  ])
  await golden(await piped(workspace(), bad), "bad-input")
})

test("nothing at all, and a session that is not there", async () => {
  const root = workspace()
  const both = [await piped(root, ""), await piped(root, "hello\n", { resume: "nothing" })]
  await golden(both.join(""), "nothing")
})

test("in an empty folder", async () => {
  const root = join(workspace(), "empty")
  mkdirSync(root)
  await golden(await piped(root, "what time is it?\n/tasks\n/workflow\n/skills\n"), "empty-folder")
})

test("the program itself", async () => {
  const root = workspace()
  const chat = openProgram([resolve("bin/incipit.js"), "chat", "--home", join(root, "no-home")], root)
  try {
    await chat.until((screen) => /^> *$/m.test(screen) && isIdle(screen))
    await say(chat, "who are you?", "Keeper")
    chat.type("\u0004")
    expect(await chat.ended).toBe(0)
    expect(/To continue this session: incipit chat --resume (\S+)\n/.exec(shown(chat))?.[1]?.length).toBe(20)
  } finally {
    chat.close()
  }
})

test("Ctrl-Z gives the terminal back to the shell, and fg takes the chat up where it was", async () => {
  const root = workspace()
  const command = `node ${resolve("bin/incipit.js")} chat --home ${join(root, "no-home")}`
  const script = `${command}; echo in the shell; read line; fg; echo over`
  const chat = openProgram(["-m", "-c", script], root, { program: "sh" })
  try {
    await chat.until((screen) => /^> *$/m.test(screen) && isIdle(screen))
    chat.type("half a mess")
    await chat.shows("> half a mess")
    chat.type("\u001a")
    await chat.until((screen) => screen.includes("in the shell") && screen.includes(", closed"))
    expect(chat.screen()).not.toContain("half a mess")
    chat.type("\r")
    await chat.shows("> half a mess")
    chat.type("age")
    await chat.shows("> half a message")
    chat.type("\u0015\u0004")
    await chat.shows("over")
    expect(await chat.ended).toBe(0)
  } finally {
    chat.close()
  }
})

test("a terminal that cannot move its cursor is written to line by line", async () => {
  const root = workspace()
  const args = [resolve("bin/incipit.js"), "chat", "--home", join(root, "no-home")]
  const chat = openProgram(args, root, { env: { TERM: "dumb" } })
  try {
    await chat.shows("\n>")
    chat.type("/skills\r")
    await chat.shows("no skills\n>")
    chat.type("\u0004")
    expect(await chat.ended).toBe(0)
    expect(chat.written()).toMatchInlineSnapshot(`
      "Keeper · offline/anthropic/claude-sonnet-5-5 · each line is a message, /help lists commands, Ctrl-D quits
      without a terminal, actions that need your approval are refused
      > /skills
      no skills
      > 
      "
    `)
  } finally {
    chat.close()
  }
})
