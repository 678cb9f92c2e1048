// Generates the pictures for the docs. Those of the chat: the real chat in a real terminal, on the sample workspace, with
// the offline model and a fixed clock. That of the bill: the command that the README names, on the recorded session.
// `node scripts/terminal-pictures.ts` writes them; a test compares them.
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { type Opened, openProgram } from "../test/cli/chat/terminal.ts"
import { terminalSvg } from "./terminal-svg.ts"

interface Picture {
  readonly name: string
  readonly title: string
  readonly message: string
  /** The last thing to appear on the screen. */
  readonly until: RegExp
  /** What is typed afterwards. */
  readonly afterwards?: string
}

const PICTURES: readonly Picture[] = [
  {
    name: "chat",
    title: "An answer in incipit chat, with a tool call above it and the status line below",
    message: "what does data/tides.csv say about high water?",
    until: /match best[\s\S]*\n> *$/m,
  },
  {
    name: "approval",
    title: "An edit in incipit chat that waits for approval, shown as a diff",
    message: "change 2026-06-16,08:20,high,0.50 to 2026-06-16,08:25,high,0.52 in data/tides.csv",
    until: /^y yes/m,
    afterwards: "n\r",
  },
  {
    name: "context",
    title: "What fills the context window: the sections of the prompt, what is cached, and the free space",
    message: "/context",
    until: /for this model\n/,
  },
]

/** The path and content of every picture. */
export async function terminalPictures(): Promise<ReadonlyMap<string, string>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-pictures-")))
  cpSync("examples/lighthouse", folder, { recursive: true })
  // The path differs each time, and what is new in memory depends on the file times.
  appendFileSync(
    join(folder, "incipit.yaml"),
    "\nprompt: { sections: { directory: off } }\nfeeds: { bulletin: off }\n",
  )
  const flags = JSON.stringify({ home: join(folder, "no-home") })
  const chat = openProgram([resolve("test/cli/chat/real.ts"), flags], folder, { rows: 60 })
  try {
    await chat.until((screen) => /^> *$/m.test(screen))
    // The first answer explains the offline model.
    await typed(chat, "who are you?", /Fresnel[\s\S]*\n> *$/m)
    const pictures = new Map<string, string>()
    for (const picture of PICTURES)
      pictures.set(`docs/guide/pictures/${picture.name}.svg`, await pictureOf(chat, picture))
    pictures.set("docs/guide/pictures/bill.svg", await billPicture(folder))
    return pictures
  } finally {
    chat.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function pictureOf(chat: Opened, { title, message, until, afterwards }: Picture): Promise<string> {
  await typed(chat, message, until)
  const { active } = chat.emulator.buffer
  const lines = Array.from(
    { length: active.length },
    (_, at) => active.getLine(at)?.translateToString(true) ?? "",
  )
  const from = lines.findLastIndex((line) => line.startsWith(`> ${message.slice(0, 60)}`))
  const to = 1 + lines.findLastIndex((line) => line !== "")
  const svg = terminalSvg(chat.emulator, { title, from, to })
  if (afterwards !== undefined) {
    chat.type(afterwards)
    await chat.until((screen) => !/^\S (working|stopping)|^y yes/m.test(afterLast(screen, message)))
  }
  return svg
}

/** Without the last lines, which say how long it took. */
async function billPicture(home: string): Promise<string> {
  const args = [resolve("bin/incipit.js"), "bill", "examples/bill"]
  const bill = openProgram(args, resolve("."), { rows: 60, env: { HOME: home, TZ: "UTC" } })
  await bill.ended
  const lines = bill.screen().split("\n")
  const to = lines.findIndex((line) => / calls exact, /.test(line)) - 1
  const title = "A bill of a session of pi: an edited line of AGENTS.md made it write 28,000 tokens again"
  return terminalSvg(bill.emulator, { title, from: 0, to })
}

async function typed(chat: Opened, message: string, until: RegExp): Promise<void> {
  chat.type(`${message}\r`)
  await chat.until((screen) => {
    const answer = afterLast(screen, message)
    return until.test(answer) && !/^\S (working|stopping)/m.test(answer)
  })
}

function afterLast(screen: string, message: string): string {
  const start = `> ${message.slice(0, 60)}`
  const at = screen.lastIndexOf(start)
  return at === -1 ? "" : screen.slice(at + start.length)
}

if (import.meta.main) {
  for (const [path, content] of await terminalPictures()) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}
