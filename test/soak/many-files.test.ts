// A command that makes more files than are looked through takes most of a minute.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openWorld, whyNoBubblewrap } from "../sandbox/sandbox-world.ts"

test.skipIf((await whyNoBubblewrap()) !== undefined)(
  "more files than are looked through before a command hide nothing from the look afterwards",
  async () => {
    const world = openWorld()
    onTestFinished(() => world.close())
    const { root, run } = world
    writeFileSync(join(root, "many.py"), "import os\nfor one in range(300_001): os.mknod(f'many/{one}')\n")
    expect(await run("mkdir many && python3 many.py && echo evil > CLAUDE.md")).toContain("renamed CLAUDE.md")
    await expect(run("true")).rejects.toThrow("more than 300000 files and folders")
  },
)
