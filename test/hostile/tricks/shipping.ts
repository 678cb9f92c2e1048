// How a hostile folder gets here: unpacked from an archive, with its .git as it was, or by a plain `git clone`, which
// brings no configuration and no hooks, but attributes, links, bare repositories and everything with an ordinary name.
import { execFileSync } from "node:child_process"
import { mkdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Place, Trick } from "../place.ts"
import { git } from "../repository.ts"

export const ARCHIVED: Trick = {
  name: "shipped: unpacked from an archive",
  shipped: ({ folder, outside }) => {
    const archive = join(outside, "..", "archive.tar")
    execFileSync("tar", ["-cf", archive, "-C", folder, "."])
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    execFileSync("tar", ["-xf", archive, "-C", folder])
    rmSync(archive)
  },
}

export const CLONED: Trick = {
  name: "shipped: cloned with git",
  shipped: ({ folder }: Place) => {
    const origin = `${folder}-origin`
    renameSync(folder, origin)
    // The repository's own settings would run while it is made.
    rmSync(join(origin, ".git"), { recursive: true, force: true })
    rmSync(join(origin, "sub", ".git"), { recursive: true, force: true })
    git(origin, "init", "-q", "-b", "main")
    git(origin, "add", "--all", "--force", "--ignore-errors", "--", ".", ":!hooks/pipe.ts")
    git(origin, "commit", "-q", "-m", "as published")
    git(origin, "clone", "-q", "--no-local", origin, folder)
    rmSync(origin, { recursive: true })
  },
}
