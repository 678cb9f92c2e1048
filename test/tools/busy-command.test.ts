// On a machine so busy that this process gets no turn right after a command has ended, the command's output is complete,
// and nothing is reported as still running.
import { ChildProcess } from "node:child_process"
import type { EventEmitter } from "node:events"
import process from "node:process"
import { expect, onTestFinished, test } from "vitest"
import { runCommand } from "../../src/tools/agent/run-command.ts"

/** Longer than the pause in which more output is waited for. */
const BLOCKED_MS = 250

test("a command that has ended is not reported as still running", async () => {
  blockAfterExit()
  let text = ""
  const end = await runCommand({
    ...{ command: "echo one; echo two", directory: "/", env: { PATH: process.env.PATH ?? "" } },
    ...{ timeoutMs: 60_000, signal: new AbortController().signal },
    print: (more) => {
      text += more
    },
  })
  expect({ text, ...end }).toEqual({
    ...{ text: "one\ntwo\n", code: 0, signal: undefined, isLate: false, isTooLong: false, isRunning: false },
  })
})

/** Once the end of a process is known and waited upon, and before its pipes are read to their end. */
function blockAfterExit(): void {
  // Its overloads are one function for us.
  const emitter: Pick<EventEmitter, "emit"> = ChildProcess.prototype
  const { emit } = emitter
  const nothing = new Int32Array(new SharedArrayBuffer(4))
  const block = () => void Atomics.wait(nothing, 0, 0, BLOCKED_MS)
  const microtasks = (count: number): void => {
    if (count === 0) process.nextTick(block)
    else queueMicrotask(() => microtasks(count - 1))
  }
  emitter.emit = function (name, ...rest) {
    const isHeard = emit.call(this, name, ...rest)
    if (name === "exit") microtasks(3)
    return isHeard
  }
  onTestFinished(() => {
    emitter.emit = emit
  })
}
