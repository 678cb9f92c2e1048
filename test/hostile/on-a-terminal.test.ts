// A hostile folder in front of a person: the question comes before anything acts, a no ends it, and a yes to the folder
// is none to what it brings.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { spawn } from "@lydell/node-pty"
import { afterAll, expect, test } from "vitest"
import { CALM } from "./folders.ts"
import { troubles } from "./judged.ts"
import { makePlace, type Place } from "./place.ts"
import { readTrace } from "./strace.ts"
import { database } from "./tricks/code.ts"
import { COMPILED, commandLine, environment, NOT_TRACED, removeCompiled } from "./watched.ts"

afterAll(removeCompiled)

/** Answers each question once it is there; what is left at the end is how it ended, and what was wrong. */
async function conversation(
  place: Place,
  args: readonly string[],
  answers: ReadonlyArray<readonly [string, string]>,
) {
  const scratch = mkdtempSync(join(tmpdir(), "incipit-watched-"))
  const state = join(scratch, "state")
  const trace = join(scratch, "trace")
  const [program = "", ...rest] = commandLine(args, trace)
  const env = { ...environment({ place, state }), TERM: "xterm-256color" }
  const waiting = [...answers]
  let written = ""
  let from = 0
  try {
    const terminal = spawn(program, rest, { cwd: place.start, env, cols: 100, rows: 40 })
    terminal.onData((data) => {
      written += data
      const text = stripVTControlCharacters(written)
      const [next] = waiting
      const at = next === undefined ? -1 : text.indexOf(next[0], from)
      if (next === undefined || at < 0) return
      from = at + next[0].length
      waiting.shift()
      terminal.write(next[1])
    })
    const status = await new Promise<number>((done) => terminal.onExit(({ exitCode }) => done(exitCode)))
    const events = NOT_TRACED === undefined ? readTrace(trace, place.start) : []
    const ran = {
      args,
      status,
      hung: false,
      stdout: "",
      stderr: "",
      peakMegabytes: 0,
      events,
      own: [state, COMPILED, ...OWN],
    }
    const wrong = troubles(ran, place, [join(place.home, ".incipit")])
    return {
      status,
      unasked: waiting.map(([question]) => question),
      wrong,
      text: stripVTControlCharacters(written),
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The terminal itself. */
const OWN = ["/dev/pts", "/dev/tty"]

const NO = ["Approve this folder?", "n\r"] as const

test.each([
  ["chat", [NO]],
  ["run hello", [NO]],
  ["run --schedule", [NO]],
  ["tour --workspace .", [["Continue?", "y\r"], NO]],
] as const)("incipit %s, and a no", async (line, answers) => {
  const place = await makePlace(CALM)
  try {
    const { text, ...ended } = await conversation(place, line.split(" "), answers)
    expect({ ...ended, text }).toEqual({
      status: 2,
      unasked: [],
      wrong: [],
      text: expect.stringContaining("was not approved"),
    })
  } finally {
    await place.close()
  }
})

test("incipit chat, and a yes to the folder alone", async () => {
  const place = await makePlace(CALM.filter((trick) => trick !== database))
  try {
    const answers = [
      ["Approve this folder?", "y\r"],
      ["simulated", "/quit\r"],
    ] as const
    const { text: _text, ...ended } = await conversation(place, ["chat"], answers)
    expect(ended).toEqual({ status: 0, unasked: [], wrong: [] })
  } finally {
    await place.close()
  }
})

test("incipit chat, and a yes to a folder whose database was not approved", async () => {
  const place = await makePlace([database])
  try {
    const { text, ...ended } = await conversation(place, ["chat"], [["Approve this folder?", "y\r"]])
    expect({ ...ended, text }).toEqual({
      ...{ status: 2, unasked: [], wrong: [] },
      text: expect.stringMatching(/incipit\.yaml names the database .* which you have not approved/),
    })
  } finally {
    await place.close()
  }
})
