// Finds files that ship with the package. The only file that resolves paths relative to itself: it is two folders below
// the package root, both as source and in the two bundles.
import { fileURLToPath } from "node:url"

/** The path of a file or folder in the package, such as `examples/lighthouse`. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}
