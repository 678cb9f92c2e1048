// An empty project and an empty home folder, removed after the test.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

export function newFolder(): { readonly project: string; readonly home: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-owners-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [project, home] = [join(folder, "project"), join(folder, "home")]
  for (const one of [project, home]) mkdirSync(one)
  return { project, home }
}
