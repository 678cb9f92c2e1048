// The tutorial as one story: its commands run in order, in one folder that is empty at first, and what the page shows
// is compared with what comes out. In the page `…` stands for what differs from machine to machine, or was left out.
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"

interface Block {
  /** The step, and the first of its commands. */
  readonly name: string
  readonly commands: string
  /** Nothing if the page shows nothing. */
  readonly shown: string | undefined
}

const PAGE = readFileSync("docs/guide/tutorial.md", "utf8")

/** The blocks of a step. What stands before the first step sets up the repository, and has been done here. */
function blocksOf(page: string): readonly Block[] {
  const [, ...steps] = page.split(/^## /m)
  return steps.flatMap((text) => {
    const step = text.slice(0, text.indexOf("\n"))
    // What is printed may have fences itself; those around it are longer then.
    const found = text.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n(`{3,})text\n([\s\S]*?)^\2\n)?/gm)
    return [...found].map(([, commands = "", , shown]) => {
      const [first] = commands.split("\n")
      return { name: `${step}: ${first}`, commands, shown }
    })
  })
}

const world = realpathSync(mkdtempSync(join(tmpdir(), "incipit-tutorial-")))
/** Where the page's `cd` leads; a shell forgets it, a person does not. */
let folder = world

beforeAll(() => {
  for (const name of ["bin", "home", "node_modules"]) mkdirSync(join(world, name))
  const command = join(world, "bin", "incipit")
  writeFileSync(command, `#!/bin/sh\nexec node "${resolve("bin/incipit.js")}" "$@"\n`)
  chmodSync(command, 0o755)
  symlinkSync(resolve("."), join(world, "node_modules", "incipit"))
})

afterAll(() => rmSync(world, { recursive: true }))

/** Both streams into one file, which keeps their order. */
function typed(
  commands: string,
  ahead: number,
): { readonly printed: string; readonly status: number | null } {
  const path = join(world, "printed")
  const file = openSync(path, "w")
  const PATH = `${join(world, "bin")}:${resolve("node_modules/.bin")}:${process.env.PATH}`
  const { status } = spawnSync("sh", ["-ec", `${commands}\npwd > "${world}/folder"`], {
    cwd: folder,
    env: { PATH, HOME: join(world, "home"), TZ: "UTC", COLUMNS: "80", ...clock(ahead) },
    stdio: ["ignore", file, file],
  })
  closeSync(file)
  if (status === 0) folder = readFileSync(join(world, "folder"), "utf8").trim()
  return { printed: readFileSync(path, "utf8"), status }
}

/** A reader needs minutes for a step, and each command sees how many have passed. */
const STEP_MS = 10 * 60_000

function clock(ahead: number) {
  const later = pathToFileURL(resolve("test/docs/later.mjs"))
  return { NODE_OPTIONS: `--import=${later}`, TUTORIAL_AHEAD_MS: String(ahead) }
}

/** Without the line about the offline model, which the page shows once. */
function asShown(printed: string, shown: string): string {
  return shown.startsWith(OFFLINE) ? printed : printed.replaceAll(new RegExp(`^${OFFLINE}.*\n`, "gm"), "")
}

const OFFLINE = "No API key found, so the offline model is answering"

/** A line that is only `…` stands for any number of lines, `…` in a line for any text. */
function fits(printed: string, shown: string): boolean {
  const lines = shown.split("\n").map((line) => (line.trim() === "…" ? "(?:.*\n)*?" : `${patternOf(line)}\n`))
  return new RegExp(`^${lines.join("")}$`).test(`${printed}\n`)
}

/** With the real text where a line stands for it: what is left over is the difference. */
function filled(printed: string, shown: string): string {
  const lines = printed.split("\n")
  return shown
    .split("\n")
    .map((line) => (line.trim() === "…" ? line : (lines.find((real) => isLike(real, line)) ?? line)))
    .join("\n")
}

function isLike(real: string, line: string): boolean {
  return new RegExp(`^${patternOf(line)}$`).test(real)
}

function patternOf(line: string): string {
  return line.split("…").map(escaped).join(".*")
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
}

test("the page has steps", () => {
  expect(blocksOf(PAGE).filter(({ shown }) => shown !== undefined).length).toBeGreaterThan(15)
})

test.each(blocksOf(PAGE).map((block, at) => ({ ...block, ahead: at * STEP_MS })))("$name", (block) => {
  const { commands, shown, ahead } = block
  const { printed, status } = typed(commands, ahead)
  expect({ printed, status }).toEqual({ printed, status: 0 })
  if (shown === undefined) return
  const told = asShown(printed, shown)
  expect(told).toBe(fits(told, shown) ? told : filled(told, shown))
})
