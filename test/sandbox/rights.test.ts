// Commands own what they make, so they can take away the rights to look at it. Root has all rights anyway: there is
// nothing to try.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { afterEach, describe, expect, test } from "vitest"
import { openWorld, type World, whyNoBubblewrap } from "./sandbox-world.ts"

const WHY_NOT = (await whyNoBubblewrap()) ?? (process.getuid?.() === 0 ? "this is root" : undefined)
const open: World[] = []
const world = (): World => {
  const made = openWorld()
  open.push(made)
  return made
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

describe.skipIf(WHY_NOT !== undefined)("as an ordinary user", () => {
  test("nothing is hidden in a folder that may not be listed, entered or changed", async () => {
    for (const mode of ["000", "311", "400", "555"]) {
      const { root, run } = world()
      const answer = await run(`mkdir -p a/b && echo evil > a/b/CLAUDE.md && chmod ${mode} a/b a`)
      expect(answer).toContain("renamed a/b/CLAUDE.md to CLAUDE.md.from-sandbox")
      expect(readdirSync(join(root, "a/b"))).toEqual(["CLAUDE.md.from-sandbox"])
      // To be removed.
      for (const path of ["a", "a/b"]) chmodSync(join(root, path), 0o700)
    }
  })

  test("nor in the workspace itself, which the next command finds protected", async () => {
    const { root, run, write, read } = world()
    write("AGENTS.md", "Be kind.\n")
    expect(await run("echo evil > CLAUDE.md; chmod 311 .")).toContain("renamed CLAUDE.md")
    expect(statSync(root).mode & 0o700).toBe(0o700)
    expect(await run("echo evil > AGENTS.md")).toContain("Read-only file system")
    expect([read("AGENTS.md"), existsSync(join(root, "CLAUDE.md"))]).toEqual(["Be kind.\n", false])
  })

  test("git's settings stay protected in a repository that may not be read", async () => {
    const { root, run } = world()
    mkdirSync(join(root, ".git"))
    await run("true")
    expect(await run("echo x > .git/HEAD; chmod 000 .git")).toBe("exit 0")
    expect(await run("chmod 700 .git; echo evil > .git/hooks/pre-commit")).toContain("Read-only file system")
  })

  test("a folder that is the user's own secret stays so, and is read-only", async () => {
    const { root, run, write } = world()
    write("private/AGENTS.md", "Be kind.\n")
    chmodSync(join(root, "private"), 0o311)
    expect(await run("echo evil > private/AGENTS.md; chmod 700 private")).toMatch(/Read-only.*\n.*Read-only/)
    expect(statSync(join(root, "private")).mode & 0o777).toBe(0o311)
    expect(readFileSync(join(root, "private/AGENTS.md"), "utf8")).toBe("Be kind.\n")
    chmodSync(join(root, "private"), 0o700)
  })
})
