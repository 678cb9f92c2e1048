// Runs command lines one after the other, so that hundreds of tests don't each wait for a program to start. Reads one
// line of JSON for each from standard input, and answers with one on standard output.
import process from "node:process"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { runLine } from "../../src/cli/command-line/run-line.ts"
import { terminalOf, type World } from "../../src/cli/process-terminal.ts"
import type { Ran, WarmLine } from "./warm.ts"

const answer = process.stdout.write.bind(process.stdout)
const captured = { stdout: "", stderr: "" }
// Also what libraries print by themselves.
for (const name of ["stdout", "stderr"] as const)
  process[name].write = (text: string | Uint8Array) => {
    captured[name] += typeof text === "string" ? text : Buffer.from(text).toString("utf8")
    return true
  }

for await (const line of createInterface({ input: process.stdin })) {
  const ran = await run(JSON.parse(line) as WarmLine)
  // The stream waits for a pipe that is full.
  await new Promise((done) => answer(`${JSON.stringify(ran)}\n`, done))
}

async function run({ args, cwd, env, input }: WarmLine): Promise<Ran> {
  captured.stdout = ""
  captured.stderr = ""
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  const atExit: Array<() => void> = []
  const { kill, pid, platform, on, off } = process
  const world = {
    ...{ env: process.env, cwd: () => cwd, kill, pid, platform, on, off },
    ...{ stdout: { write: process.stdout.write }, stderr: { write: process.stderr.write } },
    stdin: Readable.from(input === "" ? [] : [Buffer.from(input)]),
    once: (_exit: string, work: () => void) => atExit.push(work),
  }
  // Pipes, of which only `write` is used, and one event.
  const terminal = terminalOf(world as unknown as World)
  const status = await runLine(args, { terminal, beforeAgent() {} })
  for (const work of atExit) work()
  return { ...captured, status }
}
