// Tricks with files: what is not a file in place of one, what is too big, too deep or too many, names that forge what is
// shown, and files of somebody else.
import { execFileSync } from "node:child_process"
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Place, Trick } from "../place.ts"
import { put, putFolder, putHole, putLink, putPipe } from "./plant.ts"

/** Files that some command reads by name. */
const KNOWN = [
  ...[
    "AGENTS.md",
    "CLAUDE.md",
    "AGENTS.override.md",
    "CLAUDE.local.md",
    "SOUL.md",
    "IDENTITY.md",
    "USER.md",
    "MEMORY.md",
  ],
  ...[
    "TOOLS.md",
    "HEARTBEAT.md",
    "rules/one.md",
    "rules/deep/two.md",
    ".claude/rules/x.md",
    "channels/cli.md",
  ],
  ...[
    "addendums/os/linux.md",
    "workflows/ship.md",
    "workflows/ship.yaml",
    "skills/tea/SKILL.md",
    "skills/odd/SKILL.md",
  ],
  ...[
    ".agents/skills/a/SKILL.md",
    ".claude/skills/c/SKILL.md",
    "memory/private/notes.md",
    "memory/social/x.md",
  ],
  ...[
    "users/owner/USER.md",
    "agents/second/SOUL.md",
    ".gitignore",
    ".ignore",
    ".fdignore",
    ".incipit/SYSTEM.md",
  ],
  ...[
    ".incipit/APPEND_SYSTEM.md",
    "incipit.lock",
    "package.json",
    "hooks/evil.ts",
    "tools.json",
    "trace.yaml",
    "calls.jsonl",
    "out.jsonl",
  ],
]

/** Files that some command writes, if the user names them. */
const OUTPUTS = ["calls.jsonl", "out.jsonl"]

const everywhere = (what: string, make: (place: Place, path: string) => void): Trick => ({
  name: `files: every known file is ${what}`,
  plant: (place) => {
    for (const path of KNOWN) make(place, path)
    // To wait for the reader of a pipe that the user names is what was asked for.
    if (what === "a pipe") for (const path of OUTPUTS) rmSync(join(place.folder, path))
  },
})
const settingsAre = (what: string, make: (place: Place, path: string) => void): Trick => ({
  name: `files: incipit.yaml is ${what}`,
  plant: (place) => make(place, "incipit.yaml"),
})

/** A socket stays after its listener has gone. */
function putSocket(place: Place, path: string): void {
  const whole = join(place.folder, path)
  put(place, path, "")
  const code = `require("node:fs").rmSync(process.argv[1]); process.chdir(require("node:path").dirname(process.argv[1])); require("node:net").createServer().listen(require("node:path").basename(process.argv[1]), () => process.kill(process.pid, "SIGKILL"))`
  try {
    execFileSync(process.execPath, ["-e", code, whole], { stdio: "ignore" })
  } catch {
    // It ends by a signal, so that the socket stays.
  }
}

const SPECIAL: ReadonlyArray<readonly [string, (place: Place, path: string) => void]> = [
  ["a pipe", putPipe],
  ["a folder", putFolder],
  ["a link to /dev/zero", (place, path) => putLink(place, path, "/dev/zero")],
  ["a link to /dev/stdin", (place, path) => putLink(place, path, "/dev/stdin")],
  ["a link to /proc/self/environ", (place, path) => putLink(place, path, "/proc/self/environ")],
  ["a link to /proc/self/mem", (place, path) => putLink(place, path, "/proc/self/mem")],
  ["a link to itself", (place, path) => putLink(place, path, join(place.folder, path))],
  [
    "a link to a new file outside",
    (place, path) => putLink(place, path, join(place.outside, `new-${path.replaceAll("/", "-")}`)),
  ],
  ["a link to the user's key", (place, path) => putLink(place, path, join(place.home, ".ssh", "id_rsa"))],
  // Older versions of git read a .gitignore whole, until they are stopped after a second.
  ["a file of 10 GB", (place, path) => path !== ".gitignore" && putHole(place, path, 10 * 1024 ** 3)],
]
const sockets: Trick = {
  name: "files: sockets in place of files",
  plant: (place) => {
    for (const path of ["incipit.yaml", "AGENTS.md", "incipit.lock", "skills/tea/SKILL.md", ".gitignore"])
      putSocket(place, path)
  },
}

const many: Trick = {
  name: "files: a hundred thousand files in a folder",
  plant: (place) => {
    for (const folder of ["skills", "memory/private"]) {
      mkdirSync(join(place.folder, folder, "many"), { recursive: true })
      for (let n = 0; n < 50_000; n++) writeFileSync(join(place.folder, folder, "many", `n${n}.txt`), "")
    }
  },
}
const manyRead: Trick = {
  name: "files: twenty thousand rules, memories and skills",
  plant: (place) => {
    for (let n = 0; n < 20_000; n++) {
      put(place, `rules/many/${n}.md`, "x\n")
      put(place, `memory/private/many/${n}.md`, `- entry ${n}\n`)
    }
    for (let n = 0; n < 5_000; n++)
      put(place, `skills/many/${n}/SKILL.md`, `---\nname: s${n}\ndescription: x\n---\n`)
  },
}
const deep: Trick = {
  name: "files: folders two thousand deep",
  plant: (place) => {
    for (const folder of ["rules", "skills", "memory/private", "workflows"])
      mkdirSync(join(place.folder, folder, ...Array.from({ length: 1_900 }, () => "d")), { recursive: true })
  },
}

const NAMES = [
  "tea\u001b[2J",
  "a\nb",
  "\u202eevil",
  "\u009b31m",
  "\r",
  "__proto__",
  "constructor",
  "-rf",
  "--help",
  "$(touch evil)",
  "`touch evil`",
  ";touch evil",
  "a\tb",
  "%s%n",
  " ",
  "\u{e0041}\u{e0042}",
  "CON",
  "\u200bzero",
  "é",
  "e\u0301",
]
const names: Trick = {
  name: "files: names that move the cursor, break lines or look like others",
  plant: (place) => {
    for (const name of NAMES) {
      put(
        place,
        `skills/${name}/SKILL.md`,
        `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(name)}\n---\nx\n`,
      )
      put(place, `skills/plain-${name}/SKILL.md`, "no frontmatter\n")
      put(place, `rules/${name}.md`, "---\ntrust: \u001b[2J\n---\nx\n")
      put(place, `memory/${name}/${name}.md`, "- winch\n")
      put(place, `workflows/${name}.md`, "1. x\n")
      put(place, `agents/${name}/SOUL.md`, "x\n")
    }
    const raw = (folder: string, end: string) =>
      Buffer.concat([
        Buffer.from(join(place.folder, folder, "bad-")),
        Buffer.from([0xff, 0xfe, 0xc3]),
        Buffer.from(end),
      ])
    for (const folder of ["rules", "workflows", "memory/private"])
      writeFileSync(raw(folder, ".md"), "- winch\n")
    mkdirSync(raw("skills", ""))
    writeFileSync(
      Buffer.concat([raw("skills", ""), Buffer.from("/SKILL.md")]),
      "---\nname: x\ndescription: y\n---\n",
    )
  },
}
const cases: Trick = {
  name: "files: names in another case",
  plant: (place) => {
    for (const path of [
      "agents.md",
      "Agents.md",
      "INCIPIT.YAML",
      ".Incipit/agent.db",
      "soul.MD",
      ".GIT/config",
      "Skills/x/skill.md",
    ])
      put(place, path, "x\n")
  },
}
const noRights: Trick = {
  name: "files: folders and files without rights",
  plant: (place) => {
    for (const path of ["rules/one.md", "SOUL.md", "skills/tea/SKILL.md"])
      chmodSync(join(place.folder, path), 0)
  },
}
const foreign: Trick = {
  name: "files: a parent that everybody writes to, with files of somebody else",
  missing: () => (process.getuid?.() === 0 ? undefined : "only root can give files away"),
  plant: (place) => {
    const parent = join(place.folder, "..")
    chmodSync(parent, 0o1777)
    for (const name of ["AGENTS.md", "CLAUDE.md", ".gitignore", "incipit.yaml", "package.json"]) {
      writeFileSync(join(parent, name), `planted-by-somebody-else ${name}\n`)
      chownSync(join(parent, name), 12_345, 12_345)
    }
    mkdirSync(join(parent, "node_modules", "yaml"), { recursive: true })
    chownSync(join(place.folder, "AGENTS.md"), 12_345, 12_345)
  },
}
const readOnly: Trick = {
  name: "files: the folder cannot be written",
  plant: ({ folder }) => chmodSync(folder, 0o555),
}

/** These go together, also with those of other files. */
export const FILE_TRICKS: readonly Trick[] = [names]
export const LONE_FILE_TRICKS: readonly Trick[] = [
  ...SPECIAL.flatMap(([what, make]) => [everywhere(what, make), settingsAre(what, make)]),
  ...[sockets, cases, noRights, foreign, readOnly, deep, many, manyRead],
]
