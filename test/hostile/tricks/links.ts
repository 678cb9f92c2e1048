// Tricks with links: hard ones, folders that lead out, up and around, and texts that import files from elsewhere.
import { linkSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Trick } from "../place.ts"
import { put, putLink } from "./plant.ts"

const hardLinks: Trick = {
  name: "files: hard links to the user's files",
  plant: (place) => {
    for (const path of ["SOUL.md", "rules/linked.md", "skills/hard/SKILL.md"]) {
      put(place, path, "")
      rmSync(join(place.folder, path))
      linkSync(join(place.folder, "USER.md"), join(place.folder, path))
    }
  },
}

const folderLinks: Trick = {
  name: "files: folders that lead out, up and around",
  plant: (place) => {
    for (const folder of [
      "rules",
      "skills",
      "workflows",
      "channels",
      "addendums",
      "agents",
      "users",
      "hooks",
      "memory",
      ".claude/commands",
      ".claude/rules",
      ".claude/skills",
    ]) {
      putLink(place, `${folder}/self`, ".")
      putLink(place, `${folder}/up`, "..")
      putLink(place, `${folder}/root`, "/")
      putLink(place, `${folder}/home`, place.home)
      putLink(place, `${folder}/outside`, place.outside)
      putLink(place, `${folder}/proc`, "/proc/self")
      putLink(place, `${folder}/dev`, "/dev")
      putLink(place, `${folder}/loop`, "loop")
    }
  },
}
const wholeFolders: Trick = {
  name: "files: known folders are links",
  plant: (place) => {
    for (const folder of [
      "rules",
      "skills",
      "workflows",
      "channels",
      "addendums",
      "agents",
      "users",
      ".claude",
      ".agents",
    ])
      putLink(place, folder, place.home)
    putLink(place, "memory/private", place.outside)
    putLink(place, "memory/social", "private")
    putLink(place, "memory/keys", join(place.home, ".ssh"))
  },
}
const imports: Trick = {
  name: "files: imports and texts that name files elsewhere",
  plant: (place) => {
    const paths = [
      "../home/.ssh/id_rsa",
      "~/.ssh/id_rsa",
      join(place.home, ".ssh/id_rsa"),
      "/etc/passwd",
      "/proc/self/environ",
      "/dev/zero",
      "AGENTS.md",
      "./linked-key",
      "../outside/secret.md",
    ]
    putLink(place, "linked-key", join(place.home, ".ssh", "id_rsa"))
    const text = paths.map((path) => `@${path}\n`).join("")
    for (const file of [
      "AGENTS.md",
      "rules/import.md",
      "skills/import/SKILL.md",
      "CLAUDE.md",
      "memory/private/AGENTS.md",
      ".incipit/SYSTEM.md",
    ])
      put(place, file, `${text}{{> ../home/.ssh/id_rsa}}\n{% include "/etc/passwd" %}\n`)
  },
}

export const LINK_TRICKS: readonly Trick[] = [imports, folderLinks, hardLinks]
export const LONE_LINK_TRICKS: readonly Trick[] = [wholeFolders]
