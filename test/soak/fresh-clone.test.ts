// A fresh clone, in which nothing was built, builds itself and shows around with one command, with nobody at the terminal.
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import process from "node:process"
import { afterAll, expect, test } from "vitest"
import { TOUR_STEPS } from "../../src/cli/tour/steps.ts"

const folder = mkdtempSync(join(tmpdir(), "incipit-clone-"))
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 5 }))

/** What a clone would have: nothing that was built or installed. The packages are there, as after `npm ci`. */
function cloned(): string {
  const clone = join(folder, "clone")
  const left = new Set(["node_modules", "dist", ".git", "coverage"])
  cpSync(process.cwd(), clone, {
    recursive: true,
    filter: (path) => path === process.cwd() || !left.has(relative(process.cwd(), path)),
  })
  symlinkSync(resolve("node_modules"), join(clone, "node_modules"))
  return clone
}

test("npm start builds a clone, with a line for each step, and shows around", () => {
  mkdirSync(join(folder, "home"))
  const { stdout, stderr, status } = spawnSync("npm", ["start", "--silent"], {
    cwd: cloned(),
    env: { PATH: process.env.PATH, HOME: join(folder, "home"), TZ: "UTC", COLUMNS: "80" },
    encoding: "utf8",
  })
  expect([stderr.replaceAll(/(?<=: )[\d.]+ s$/gm, "…"), status]).toEqual([
    ["table of tokens", "types", "packages of others", "library", "command line", "page"]
      .map((step, at) => `build ${at + 1}/6, ${step}: …\n`)
      .join(""),
    0,
  ])
  expect(stdout.match(/^.+(?= \(\d of \d\)$)/gm)).toEqual(TOUR_STEPS.map(({ title }) => title))
})
