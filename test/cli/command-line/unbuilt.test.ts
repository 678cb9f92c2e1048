// Somebody who has cloned the repository and not built it is told so.
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"

test("a clone that is not built says how to build it", () => {
  const clone = mkdtempSync(join(tmpdir(), "incipit-clone-"))
  cpSync("bin", join(clone, "bin"), { recursive: true })
  cpSync("package.json", join(clone, "package.json"))
  const { status, stdout, stderr } = spawnSync("node", [join(clone, "bin", "incipit.js"), "bill"], {
    encoding: "utf8",
  })
  rmSync(clone, { recursive: true })
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: "",
    stderr: "incipit: this clone is not built yet. Run `npm ci && npm run build`.\n",
  })
})
