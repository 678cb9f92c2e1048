// Runs the built command line on a pseudo-terminal: what is written comes back without colours and movements of the
// cursor, and one waits for a text before one types.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { spawn } from "@lydell/node-pty"

export interface Session {
  type(text: string): void
  /** Resolves when what was written since the last wait has this text; fails if the program ends before. */
  shows(text: string): Promise<void>
  /** All that was written, as plain text. */
  written(): string
  readonly ended: Promise<number>
  kill(signal: string): void
}

export interface SessionOptions {
  readonly bin?: string
  readonly cwd?: string
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
}

export function incipitOnTerminal(args: readonly string[], options: SessionOptions = {}): Session {
  const home = mkdtempSync(join(tmpdir(), "incipit-home-"))
  const program = spawn("node", [options.bin ?? resolve("bin/incipit.js"), ...args], {
    cols: options.columns ?? 80,
    rows: 50,
    cwd: options.cwd ?? process.cwd(),
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TZ: "UTC",
      TERM: "xterm-256color",
      INCIPIT_GIT_LIMIT: "10m",
      ...options.env,
    },
  })
  let all = ""
  let seen = 0
  let isOver = false
  let look = () => {}
  const plain = () => stripVTControlCharacters(all).replaceAll("\r", "")
  program.onData((data) => {
    all += data
    look()
  })
  const ended = new Promise<number>((done) =>
    program.onExit(({ exitCode }) => {
      isOver = true
      rmSync(home, { recursive: true, force: true })
      look()
      done(exitCode)
    }),
  )
  return {
    type: (text) => program.write(text),
    shows: (text) =>
      new Promise((done, fail) => {
        look = () => {
          const at = plain().indexOf(text, seen)
          if (at >= 0) {
            seen = at + text.length
            look = () => {}
            done()
          } else if (isOver) fail(new Error(`"${text}" was never shown:\n${plain()}`))
        }
        look()
      }),
    written: plain,
    ended,
    kill: (signal) => program.kill(signal),
  }
}
