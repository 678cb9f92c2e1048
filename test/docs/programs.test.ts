// The programs of the examples run as they are, without a key and without a network.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"

/** Without keys of whoever runs the tests. Counts of tokens differ with the date and the machine's time zone. */
function output(program: string) {
  const home = mkdtempSync(join(tmpdir(), "incipit-home-"))
  const { stdout, stderr, status } = spawnSync("node", [join("examples", "programs", program)], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: home, TZ: "UTC" },
  })
  rmSync(home, { recursive: true })
  return { stdout: stdout.replaceAll(/of \d+ tokens/g, "of N tokens"), stderr, status }
}

test.each(["embed.ts", "two-people-and-a-group.ts"])("%s", (program) => {
  expect(output(program)).toMatchSnapshot()
})
