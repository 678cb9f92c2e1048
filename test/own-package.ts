// Lets tests import the example programs, which name the package as its users do: here the name leads to the sources.
import { resolve } from "node:path"

export const OWN_PACKAGE = [
  { find: /^incipit$/, replacement: resolve("src/public/incipit.ts") },
  { find: /^incipit\/([a-z]+)$/, replacement: resolve("src/public/$1.ts") },
]
