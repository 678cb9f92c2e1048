// Opens the real chat on an agent that plays a script: `node test/cli/chat/scripted.ts <script.json> <folder>`. SIGUSR2
// ends a pause of the script. With more words, they are flags of `incipit chat`.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { chatInLines } from "../../../src/cli/chat/plain.ts"
import { openHistory } from "../../../src/cli/chat/screen/history.ts"
import { chatInTerminal } from "../../../src/cli/chat/terminal-chat.ts"
import type { Terminal } from "../../../src/cli/terminal.ts"
import { openScripted, type Script } from "./scripted-agent.ts"

const [path = "", folder = ""] = process.argv.slice(2)
// A test wrote it.
const script = JSON.parse(readFileSync(path, "utf8")) as Script

let passed = 0
const now = () => Date.UTC(2026, 5, 15, 7) + passed * 100
const goneOn: (() => void)[] = []
process.on("SIGUSR2", () => goneOn.shift()?.())

const streams = { input: process.stdin, output: process.stdout }
const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  exact: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  drained: async () => {},
  columns: process.stdout.columns ?? 80,
  colour: process.stdout.isTTY === true && (process.env.NO_COLOR ?? "") === "",
  cwd: process.cwd(),
  home: folder,
  env: {},
  timeZone: "UTC",
  now,
  stopped: () => new Promise((done) => process.once("SIGTERM", () => done())),
  streams,
}
const options = {
  open: (given: Parameters<typeof openScripted>[1]) =>
    openScripted(script, given, {
      folder,
      now,
      pass: () => {
        passed += 1
      },
      goOn: () => new Promise<void>((done) => goneOn.push(done)),
    }),
  start: async () => ({ from: {}, session: undefined, isNew: false, isPlanning: false }),
  terminal,
  streams,
}
if (process.stdin.isTTY && process.stdout.isTTY) {
  const { session } = await chatInTerminal({
    ...options,
    history: openHistory(join(folder, "history")),
    isScheduled: false,
  })
  process.stdout.write(`left session ${session}\n`)
} else await chatInLines(options)
