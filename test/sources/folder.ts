// A temporary folder with a workspace and a home in it, and short ways to fill them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export interface Folder {
  readonly path: string
  readonly root: string
  readonly home: string
  /** Writes a file, from the folder on, and gives its path. */
  write(path: string, text: string | Uint8Array): string
  remove(): void
}

export function makeFolder(): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "incipit-folder-")))
  const [root, home] = [join(path, "workspace"), join(path, "home")]
  mkdirSync(root)
  mkdirSync(home)
  const write = (name: string, text: string | Uint8Array) => {
    const full = join(path, name)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
    return full
  }
  return { path, root, home, write, remove: () => rmSync(path, { recursive: true, force: true }) }
}
