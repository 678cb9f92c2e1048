// The programs behind the API reference run as they are, without a key and without a network.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"

const FOLDER = join("examples", "api")

test.each(readdirSync(FOLDER))("%s", (program) => {
  const home = mkdtempSync(join(tmpdir(), "incipit-home-"))
  try {
    // Without the keys of whoever runs the tests; what a program makes goes with the folder.
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, TZ: "UTC", INCIPIT_GIT_LIMIT: "10m" }
    const { stdout, stderr, status } = spawnSync("node", [join(FOLDER, program)], { encoding: "utf8", env })
    expect({ stdout: withoutPlace(stdout), stderr, status }).toMatchSnapshot()
  } finally {
    rmSync(home, { recursive: true })
  }
})

/** Two layouts name the working directory, whose tokens depend on where the repository is. */
function withoutPlace(output: string): string {
  return output.replaceAll(/^(pi|moltis) \d+ tokens$/gm, "$1 NN tokens")
}
