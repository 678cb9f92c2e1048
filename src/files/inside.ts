// Whether a path lies in a folder. Compares names only: real paths in, or the answer means nothing.
import { isAbsolute, relative, sep } from "node:path"

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
