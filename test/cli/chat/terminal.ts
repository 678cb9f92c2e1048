// A real terminal for tests: a program on a pseudo-terminal, and a terminal emulator that draws what it writes. One types,
// waits until the screen shows something, and takes the screen as text.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type IPty, spawn } from "@lydell/node-pty"
import type * as Headless from "@xterm/headless"
import { bundled } from "../../bundled.ts"
import type { Script } from "./scripted-agent.ts"

// A CommonJS module whose exports Node does not find by name.
const { Terminal } = createRequire(import.meta.url)("@xterm/headless") as typeof Headless

/** Most of a short run is spent on reading our own code; the next one finds what was made of it. */
const COMPILED = join(tmpdir(), "incipit-compiled")

export interface Opened {
  readonly folder: string
  readonly emulator: InstanceType<typeof Terminal>
  type(text: string): void
  /** Resolves when the screen satisfies the condition; fails with the screen if the program ends before. */
  until(is: (screen: string) => boolean): Promise<void>
  /** Until the screen has this text. */
  shows(text: string): Promise<void>
  /** Everything since the start that is not cleared, with the place of the cursor. */
  screen(): string
  /** All bytes that the program wrote. */
  written(): string
  resize(columns: number, rows: number): void
  /** Ends a pause of the script, or lets an hour pass. */
  goOn(): void
  readonly ended: Promise<number>
  close(): void
}

export interface ScreenOptions {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
  /** Node if absent. */
  readonly program?: string
}

export interface TerminalOptions extends ScreenOptions {
  readonly script: Script
}

/** The chat on an agent that plays a script. */
export async function openTerminal({ script, ...options }: TerminalOptions): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "incipit-chat-"))
  const file = join(folder, "script.json")
  writeFileSync(file, JSON.stringify(script))
  const opened = openProgram([await bundled("test/cli/chat/scripted.ts"), file, folder], folder, options)
  return {
    ...opened,
    close() {
      opened.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A program, in a folder. */
export function openProgram(
  args: readonly string[],
  folder: string,
  { columns = 80, rows = 24, env = {}, program: name = "node" }: ScreenOptions = {},
): Opened {
  const emulator = new Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true })
  emulator.unicode.register(graphemeWidths)
  emulator.unicode.activeVersion = graphemeWidths.version
  const program: IPty = spawn(name, [...args], {
    cols: columns,
    rows,
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      TERM: "xterm-256color",
      NODE_NO_WARNINGS: "1",
      NODE_COMPILE_CACHE: COMPILED,
      ...env,
    },
  })
  let all = ""
  let isOver = false
  let watchers: (() => void)[] = []
  const look = () => {
    const waiting = watchers
    watchers = []
    for (const watch of waiting) watch()
  }
  program.onData((data) => {
    all += data
    emulator.write(data, look)
  })
  const ended = new Promise<number>((done) =>
    program.onExit(({ exitCode }) =>
      emulator.write("", () => {
        isOver = true
        look()
        done(exitCode)
      }),
    ),
  )
  const until = (is: (screen: string) => boolean) =>
    new Promise<void>((done, fail) => {
      const watch = () => {
        if (isWhole(all) && is(screenText(emulator))) done()
        else if (isOver) fail(new Error(`the program ended:\n${screenText(emulator)}`))
        else watchers.push(watch)
      }
      watch()
    })
  return {
    folder,
    emulator,
    type: (text) => program.write(text),
    until,
    shows: (text) => until((screen) => screen.includes(text)),
    screen: () => screenText(emulator),
    written: () => all,
    resize(nextColumns, nextRows) {
      emulator.resize(nextColumns, nextRows)
      program.resize(nextColumns, nextRows)
    },
    goOn: () => program.kill("SIGUSR2"),
    ended,
    close() {
      if (!isOver) program.kill("SIGKILL")
    },
  }
}

/** A frame is looked at only when all of it has come. */
function isWhole(written: string): boolean {
  return written.lastIndexOf("\u001b[?2026l") >= written.lastIndexOf("\u001b[?2026h")
}

function screenText({ buffer: { active }, modes }: InstanceType<typeof Terminal>): string {
  const lines = Array.from(
    { length: active.length },
    (_, at) => active.getLine(at)?.translateToString(true) ?? "",
  )
  const row = active.baseY + active.cursorY
  const place = `--- cursor ${row + 1}:${active.cursorX + 1}${modes.bracketedPasteMode ? "" : ", closed"} ---`
  return `${lines.join("\n").trimEnd()}\n${place}\n`
}

/** As terminals of today count: an emoji is two cells, whatever it is made of. The emulator itself knows only Unicode 6. */
const graphemeWidths: Headless.IUnicodeVersionProvider = {
  version: "graphemes",
  wcwidth: widthOf,
  charProperties(code, preceding) {
    const width = widthOf(code)
    const before = (preceding >> 1) & 3
    const last = preceding >> 3
    const joins =
      preceding !== 0 &&
      (width === 0 || code === 0xfe0f || last === 0x200d || (isFlag(code) && isFlag(last) && before === 1))
    const size = joins
      ? code === 0xfe0f || isFlag(code)
        ? 2
        : Math.max(before, last === 0x200d ? 2 : 0)
      : width
    // The form that the emulator packs these in.
    return ((code & 0xffffff) << 3) | ((size & 3) << 1) | (joins ? 1 : 0)
  },
}

function isFlag(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff
}

function widthOf(code: number): 0 | 1 | 2 {
  const char = String.fromCodePoint(code)
  if (/[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u.test(char)) return 0
  if (isFlag(code)) return 1
  const isWide =
    /[\p{sc=Han}\p{sc=Hiragana}\u3000-\u303e\u30a0-\u30ff\u1100-\u115f\uac00-\ud7a3\uff01-\uff60]/u.test(
      char,
    ) || /\p{Emoji_Presentation}/u.test(char)
  return isWide ? 2 : 1
}
