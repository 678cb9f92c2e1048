// Whether a path is inside a folder, and how it is shown from there. Compares names only: to decide what may be opened,
// pass real paths. A folder is inside itself.
import { isAbsolute, relative, sep } from "node:path"

export function isInside(path: string, folder: string): boolean {
  // The gate asks this of every file of a tree and each of its places, and comparing starts is much faster.
  if (isPlain(path) && isPlain(folder))
    return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === "/")
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Relative to the folder, with forward slashes; the whole path if it is elsewhere. */
export function shownFrom(path: string, folder: string): string {
  return isInside(path, folder) ? relative(folder, path).split(sep).join("/") : path
}

/** Whether a path has one spelling only: it is absolute, and none of its names is empty, `.` or `..`. */
function isPlain(path: string): boolean {
  return path.startsWith("/") && !path.includes("//") && !path.endsWith("/") && !hasDots(path)
}

function hasDots(path: string): boolean {
  return path.includes("/.") && /\/\.\.?(?:\/|$)/.test(path)
}
