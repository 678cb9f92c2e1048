import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { TOUR_STEPS } from "../../../src/cli/tour/steps.ts"
import { incipitOnTerminal } from "../pty.ts"
import { incipit } from "../run.ts"

const NOW = ["--now", "2026-06-15T09:00:00+02:00"]

/** Stands for the machine's folder of temporary files, so that what is left there is seen. */
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-test-"))
})

afterEach(() => rmSync(folder, { recursive: true }))

const copies = () => readdirSync(folder).filter((name) => name.startsWith("incipit-tour"))

/** Ids change with chance; one that is told takes more or fewer tokens, which shows in figures from then on. */
function masked(text: string): string {
  const [before = "", after = ""] = text.split(/(?=^What went wrong \(8 of 9\)$)/m)
  const figures = after
    .replace(/^(Behind the answer|Total cost)\n(?: .*\n)+/gm, (block) => block.replaceAll(/\d[\d,.]*/g, "#"))
    .replaceAll(/\b(cache_read|cache_write|output)=\d+/g, "$1=#")
  return `${before}${figures}`.replaceAll(/\b0[0-9a-z]{9,19}(?=[ .…])/g, "<id>")
}

test.each([80, 40])("nobody is at the terminal: it plays by itself, %i columns wide", async (columns) => {
  const { stdout, stderr, status } = incipit(["tour", ...NOW], { env: { COLUMNS: String(columns) } })
  expect([stderr, status]).toEqual(["", 0])
  expect(stdout.split("\n").filter((line) => line.length > columns)).toEqual([])
  await expect(masked(stdout)).toMatchFileSnapshot(`../../golden/cli/tour-${columns}.txt`)
})

test("the copy goes with the program, however it ends", async () => {
  const env = { TMPDIR: folder }
  expect(incipit(["tour", ...NOW], { env }).status).toBe(0)
  expect(copies()).toEqual([])
  for (const end of ["q\r", "\u0003", "\u0004"]) {
    const tour = incipitOnTerminal(["tour", ...NOW], { env })
    await tour.shows("Enter sends this, or type another message; s skips, q quits.")
    expect(copies().length).toBe(1)
    tour.type(end)
    expect(await tour.ended).toBe(0)
    expect(copies()).toEqual([])
  }
  const tour = incipitOnTerminal(["tour", ...NOW], { env })
  await tour.shows("s skips, q quits.")
  tour.kill("SIGTERM")
  expect([await tour.ended, copies()]).toEqual([0, []])
})

test("at a terminal one sends, types something else, skips, and leaves", async () => {
  const tour = incipitOnTerminal(["tour", ...NOW, "--no-color"])
  await tour.shows("s skips, q quits.\n> ")
  tour.type("\r")
  await tour.shows("I am Fresnel")
  await tour.shows("Something from memory (2 of 9)")
  await tour.shows("s skips, q quits.\n> ")
  tour.type("What time is it?\r")
  await tour.shows("It is Monday, 15 June 2026")
  await tour.shows("Behind the answer")
  await tour.shows("A file, read by a tool (3 of 9)")
  await tour.shows("s skips, q quits.\n> ")
  tour.type("s\r")
  await tour.shows("What a stranger gets instead (4 of 9)")
  await tour.shows("Enter shows it; s skips, q quits.\n> ")
  tour.type("q\r")
  await tour.shows("2 messages: ")
  await tour.shows("Next steps")
  expect(await tour.ended).toBe(0)
  expect(tour.written()).not.toContain("data/tides.csv …")
  // What is typed is echoed once, however many questions there were before.
  expect(tour.written().match(/^> .*\n+(?=What|Total cost|A file)/gm)).toEqual(["> s\n\n", "> q\n\n"])
})

test("in your own workspace nothing changes unless you agree", async () => {
  const own = { cwd: folder, env: { COLUMNS: "100" } }
  incipit(["init", "mine", "--yes"], own)
  const files = () => readdirSync(join(folder, "mine")).toSorted()
  const before = files()
  expect(incipit(["tour", "--workspace", "mine"], own)).toEqual({
    stdout: "",
    stderr:
      "incipit: the tour keeps a conversation for mine, and there is no terminal to ask on; to agree, add --yes. Run the command with --help to see its arguments and flags.\n",
    status: 2,
  })
  const refused = incipitOnTerminal(["tour", "--workspace", "mine"], own)
  await refused.shows("Continue?\n[y/N] ")
  refused.type("n\r")
  expect([await refused.ended, files()]).toEqual([0, before])
  const soul = readFileSync(join(folder, "mine", "SOUL.md"), "utf8")
  const played = incipit(["tour", "--workspace", "mine", "--yes", ...NOW], own)
  expect([played.stderr, played.status]).toEqual(["", 0])
  // The steps that need a yes are told and left out.
  expect(played.stdout.match(/^.+(?= \(\d of \d\)$)/gm)).toEqual(
    TOUR_STEPS.filter(({ needsChange }) => !needsChange).map(({ title }) => title),
  )
  expect(played.stdout).toContain("SOUL.md was not changed.")
  expect(readFileSync(join(folder, "mine", "SOUL.md"), "utf8")).toBe(soul)
  expect(files()).toEqual(before)
})

test("a line that was agreed to is taken out again, unless somebody has changed the file since", async () => {
  incipit(["init", "mine", "--yes"], { cwd: folder })
  const path = join(folder, "mine", "SOUL.md")
  const soul = readFileSync(path, "utf8")
  const upToTheChange = async () => {
    const tour = incipitOnTerminal(["tour", "--workspace", "mine", "--yes"], { cwd: folder })
    for (const _ of TOUR_STEPS.slice(0, 4)) {
      await tour.shows("s skips, q quits.\n> ")
      tour.type("s\r")
    }
    await tour.shows("s skips, q quits.\n> ")
    tour.type("\r")
    await tour.shows("It is removed again at the end.\n[y/N] ")
    tour.type("y\r")
    await tour.shows("Waiting changes")
    await tour.shows("s skips, q quits.\n> ")
    return tour
  }
  const first = await upToTheChange()
  expect(readFileSync(path, "utf8")).toBe(`Answer in one sentence, and say where you looked.\n\n${soul}`)
  first.type("q\r")
  expect([await first.ended, readFileSync(path, "utf8")]).toEqual([0, soul])
  const second = await upToTheChange()
  writeFileSync(path, "Mine.\n")
  second.type("q\r")
  expect([await second.ended, readFileSync(path, "utf8")]).toEqual([0, "Mine.\n"])
})

test("the sample is part of the package", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: readonly string[] }
  expect(files).toContain("examples")
  expect(existsSync(resolve("examples/lighthouse/SOUL.md"))).toBe(true)
})
