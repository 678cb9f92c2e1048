// The packed table of tokens, for the command line: read as data, because a megabyte of text takes Node several
// milliseconds to load as a module.
import type { Plugin } from "rolldown"

/** A megabyte of table is not worth a second copy: it stays a file beside the bundles. */
export const RANKS = /o200k-ranks\.js$/

/** Each line of the file after the first is an `export const` of one JSON string. */
export const ranksAsData: Plugin = {
  name: "ranks-as-data",
  resolveId: (id) => (RANKS.test(id) ? "\0ranks" : undefined),
  load: (id) => (id === "\0ranks" ? SOURCE : undefined),
}

const SOURCE = `import { readFileSync } from "node:fs"
const lines = readFileSync(new URL("../tokens/o200k-ranks.js", import.meta.url), "latin1").split("\\n")
const valueOf = (name) => {
  const start = "export const " + name + " = "
  return JSON.parse(lines.find((line) => line.startsWith(start)).slice(start.length))
}
export const singles = valueOf("singles")
export const pairs = valueOf("pairs")
export const classes = valueOf("classes")
`
