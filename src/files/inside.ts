// Whether a path is inside a folder. Compares names only, so both must be real paths.
import { isAbsolute, relative, sep } from "node:path"

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
