// An empty home folder for all tests: whatever a test forgets to name must not be looked for, or kept, in the home of
// whoever runs them. Workers and the programs that they start inherit it. Beside it is a folder for those programs.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundlesOfTheRun } from "./bundled.ts"
import { whyNoBubblewrap } from "./sandbox/sandbox-world.ts"

export default async function setup(): Promise<() => void> {
  const home = mkdtempSync(join(tmpdir(), "incipit-tests-home-"))
  process.env.HOME = home
  for (const name of ["XDG_STATE_HOME", "INCIPIT_STATE_DIR", "INCIPIT_HOME", "INCIPIT_DATABASE_URL"])
    delete process.env[name]
  const why = await whyNoBubblewrap()
  if (why !== undefined) console.log(`Skipped: the tests of real sandboxes in test/sandbox, because ${why}.`)
  const removeBundles = bundlesOfTheRun()
  return () => {
    removeBundles()
    rmSync(home, { recursive: true, force: true })
  }
}
