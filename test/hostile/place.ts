// A world for one hostile folder: the folder itself, a home with secrets, and everything around it that must stay as it
// was. Code that gets to run leaves a file in `markers`; whoever connects is counted by a listener on `port`.
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stringify } from "yaml"
import { repositoryTemplate } from "./repository.ts"

export interface Place {
  /** The folder that came from elsewhere. */
  readonly folder: string
  readonly home: string
  /** What a command takes for the home folder. */
  readonly takenHome: string
  /** Where state is kept if the user's own variable does not count. */
  readonly usualState: string
  /** Somebody's other files, next to the folder. */
  readonly outside: string
  readonly markers: string
  readonly temporary: string
  readonly port: number
  /** Where commands are started: the folder, or a place in it. */
  readonly start: string
  /** How many connections the listener has seen. */
  connections(): number
  close(): Promise<void>
}

export type Settings = { readonly [key: string]: unknown }

/** One thing that a hostile folder may hold. Most go together; what excludes others stands alone. */
export interface Trick {
  readonly name: string
  /** Added to .git/config at the end. */
  readonly gitConfig?: (place: Place) => string
  /** Merged into incipit.yaml. */
  readonly settings?: (place: Place) => Settings
  /** Made after what all of them share, and so in place of it. */
  readonly plant?: (place: Place) => void
  /** Where in the folder commands are started. */
  readonly start?: string
  /** The folder is taken for the home folder. */
  readonly isHome?: boolean
  /** Variables of the user's own environment that the trick counts on. */
  readonly env?: (place: Place) => Readonly<Record<string, string>>
  /** Done with the folder when it is whole: how it got here. */
  readonly shipped?: (place: Place) => void
  /** Why it cannot be made here, if so. */
  readonly missing?: () => string | undefined
}

/** In files that no command may tell: each in the home folder, or next to the folder. */
export const CANARY = "canary-7f3e91"

export async function makePlace(tricks: readonly Trick[]): Promise<Place> {
  const base = mkdtempSync(join(tmpdir(), "incipit-clone-"))
  const at = (name: string) => join(base, name)
  for (const name of ["home", "outside", "markers", "temporary"]) mkdirSync(at(name))
  const listener = await listen()
  const start = tricks.find((trick) => trick.start !== undefined)?.start ?? "."
  const isHome = tricks.some((trick) => trick.isHome)
  const home = at("home")
  const place: Place = {
    folder: at("clone"),
    home,
    takenHome: isHome ? at("clone") : home,
    usualState: join(home, ".local/state/incipit"),
    outside: at("outside"),
    markers: at("markers"),
    temporary: at("temporary"),
    port: listener.port,
    start: join(at("clone"), start),
    connections: listener.connections,
    close: async () => {
      await listener.close()
      removeAll(base)
    },
  }
  try {
    fillHome(place)
    fillFolder(place)
    plantAll(place, tricks)
    return place
  } catch (error) {
    await place.close()
    throw error
  }
}

function fillHome({ home, outside }: Place): void {
  mkdirSync(join(home, ".ssh"), { mode: 0o700 })
  writeFileSync(join(home, ".ssh", "id_rsa"), `${CANARY} private key\n`, { mode: 0o600 })
  writeFileSync(join(home, ".bashrc"), `export TOKEN=${CANARY}\n`)
  writeFileSync(join(home, "AGENTS.md"), `${CANARY} of another project\n`)
  writeFileSync(join(outside, "secret.md"), `${CANARY} of somebody else\n`)
}

/** A workspace as others have it: the tricks hide in something that is worth opening. */
function fillFolder({ folder }: Place): void {
  cpSync(repositoryTemplate(), folder, { recursive: true })
  const file = (path: string, text: string) => {
    mkdirSync(join(folder, path, ".."), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  file("SOUL.md", "Kind and brief.\n")
  file("AGENTS.md", "# Rules\n\nSay please.\n")
  file("USER.md", "Ada likes tea.\n")
  file("MEMORY.md", "- The door code is HERRING.\n")
  file("memory/private/notes.md", "- Jonas mends the winch.\n")
  file("skills/tea/SKILL.md", "---\nname: tea\ndescription: Makes tea.\n---\nBoil water.\n")
  file("rules/one.md", "No shouting.\n")
  file("workflows/ship.md", "1. Pack\n2. Send\n")
}

function plantAll(place: Place, tricks: readonly Trick[]): void {
  const settings = tricks.reduce<Settings>((all, trick) => merged(all, trick.settings?.(place) ?? {}), {})
  if (Object.keys(settings).length > 0)
    writeFileSync(join(place.folder, "incipit.yaml"), stringify(settings, { aliasDuplicateObjects: false }))
  for (const trick of tricks) trick.plant?.(place)
  // Last, since some tricks are made with git.
  const lines = tricks.map((trick) => trick.gitConfig?.(place) ?? "").join("")
  if (lines !== "") writeFileSync(join(place.folder, ".git", "config"), lines, { flag: "a" })
  for (const trick of tricks) trick.shipped?.(place)
}

function merged(one: Settings, other: Settings): Settings {
  const both = Object.entries(other).map(([key, value]) => {
    const before = one[key]
    if (Array.isArray(before) && Array.isArray(value)) return [key, [...before, ...value]]
    return [key, isSettings(before) && isSettings(value) ? merged(before, value) : value]
  })
  return { ...one, ...Object.fromEntries(both) }
}

function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

async function listen(): Promise<{ port: number; connections: () => number; close: () => Promise<void> }> {
  let count = 0
  const server: Server = createServer((socket) => {
    count += 1
    socket.destroy()
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return {
    port: address.port,
    connections: () => count,
    close: () => new Promise((done) => server.close(() => done())),
  }
}

/** Folders without rights are among the tricks. */
function removeAll(base: string): void {
  for (const name of readdirSync(base)) {
    const path = join(base, name)
    if (lstatSync(path).isDirectory()) chmodSync(path, 0o755)
  }
  rmSync(base, { recursive: true, force: true, maxRetries: 3 })
}
