// What takes time to find out about the machine is found out when a command needs it.
import { expect, test } from "vitest"
import { runLine } from "../../../src/cli/command-line/run-line.ts"
import { terminalOf, type World } from "../../../src/cli/process-terminal.ts"

test.each([
  { args: ["--help"], asked: [] },
  { args: ["build", "--workspace", "examples/lighthouse", "--tools", "none"], asked: ["time zone"] },
])("$args asks for $asked", async ({ args, asked }) => {
  const asks = new Set<string>()
  const out = { write: () => true, columns: 80 }
  const { on, off, once, kill, pid, platform, env, cwd } = process
  const world = {
    ...{ on, off, once, kill, pid, platform, env, cwd, stdout: out, stderr: out },
    get stdin() {
      asks.add("input")
      return process.stdin
    },
  }
  // Streams of which only `write` is used.
  const terminal = terminalOf(world as unknown as World)
  const watched = Object.defineProperty(terminal, "timeZone", {
    get() {
      asks.add("time zone")
      return "UTC"
    },
  })
  expect(await runLine(args, { terminal: watched, beforeAgent() {} })).toBe(0)
  expect([...asks]).toEqual(asked)
})
