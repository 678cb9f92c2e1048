// While a command runs, somebody exchanges a file of the folder for a link, again and again: whatever is opened is what
// was checked. A run that never meets the exchange proves nothing, so it is done many times; none may ever leak.
import { spawn } from "node:child_process"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { troubles } from "./judged.ts"
import { makePlace, type Place } from "./place.ts"
import { removeCompiled, watched } from "./watched.ts"

afterAll(removeCompiled)

/** Exchanges two names, as fast as it can. */
const EXCHANGE = `
const { renameSync } = require("node:fs")
const [one, other] = process.argv.slice(1)
const end = Date.now() + 60_000
while (Date.now() < end) {
  renameSync(one, one + ".aside")
  renameSync(other, one)
  renameSync(one + ".aside", other)
}`

async function whileSwapped(
  place: Place,
  one: string,
  other: string,
  work: () => Promise<void>,
): Promise<void> {
  const swapping = spawn(process.execPath, [
    "-e",
    EXCHANGE,
    join(place.folder, one),
    join(place.folder, other),
  ])
  try {
    await work()
  } finally {
    swapping.kill("SIGKILL")
  }
}

const TIMES = 4

test.each([
  ["SOUL.md", ["build", "--text"]],
  ["AGENTS.md", ["build", "--text"]],
  ["skills/tea/SKILL.md", ["skills", "--json"]],
  ["memory/private/notes.md", ["memory", "get", "private/notes.md"]],
  ["incipit.yaml", ["config"]],
])("%s is exchanged for a link to a key", async (path, args) => {
  const place = await makePlace([])
  try {
    if (path === "incipit.yaml") writeFileSync(join(place.folder, path), "profile: incipit\n")
    symlinkSync(join(place.home, ".ssh", "id_rsa"), join(place.folder, `${path}.link`))
    await whileSwapped(place, path, `${path}.link`, async () => {
      for (let time = 0; time < TIMES; time++) {
        const ran = await watched({ place, args })
        const told = troubles(ran, place).filter((text) => /tells|stack|control/.test(text))
        expect(told).toEqual([])
      }
    })
  } finally {
    await place.close()
  }
})
