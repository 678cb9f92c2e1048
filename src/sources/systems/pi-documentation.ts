// Finds the documentation of an installed pi. Looks for the program as a shell does; reads and runs nothing.
import { existsSync } from "node:fs"
import { delimiter, dirname, isAbsolute, join } from "node:path"
import { existingPathOf } from "../../files/real-path.ts"
import { upward } from "../git/worktree.ts"

/** What a package of pi has beside its program. */
const PLACES = { main: "README.md", additional: "docs", examples: "examples" } as const

export type PiDocumentation = Readonly<Record<keyof typeof PLACES, string>>

/** PI_PACKAGE_DIR takes precedence over the program on PATH, as in pi itself. */
export function piDocumentation(
  env: Readonly<Record<string, string | undefined>> = {},
  home: string | undefined = undefined,
): PiDocumentation | undefined {
  const folder = namedPackage(env.PI_PACKAGE_DIR, home) ?? installedPackage(env.PATH)
  if (folder === undefined) return undefined
  const { main, additional, examples } = PLACES
  return {
    main: join(folder, main),
    additional: join(folder, additional),
    examples: join(folder, examples),
  }
}

function namedPackage(name: string | undefined, home: string | undefined): string | undefined {
  if (name === undefined || name === "") return undefined
  if (!/^~(?:\/|$)/.test(name)) return name
  return home === undefined ? undefined : join(home, name.slice(1))
}

function installedPackage(path = ""): string | undefined {
  const programs = path.split(delimiter).filter(isAbsolute)
  const program = programs
    .map((folder) => existingPathOf(join(folder, "pi")))
    .find((real) => real !== undefined)
  if (program === undefined) return undefined
  const folder = upward(dirname(program)).find((at) => existsSync(join(at, "package.json")))
  // Another program may have the same name.
  const isPi = folder !== undefined && Object.values(PLACES).every((place) => existsSync(join(folder, place)))
  return isPi ? folder : undefined
}
