// Files that come with the package. The only place that reckons from its own path: this file is two folders below the
// package's root, as source and in both bundles.
import { fileURLToPath } from "node:url"

/** The path of a file or folder of the package, such as `examples/lighthouse`. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}
