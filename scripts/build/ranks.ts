// The packed table of tokens, for the command line: what was made of it is kept between runs, and the table is read only
// where nothing is kept. It is read as data, because a megabyte of text takes Node several milliseconds to load as a
// module.
import { readFileSync } from "node:fs"
import { crc32 } from "node:zlib"
import type { Plugin } from "rolldown"

/** A megabyte of table is not worth a second copy: it stays a file beside the bundles. */
export const RANKS = /o200k-ranks\.js$/
const FILLED = /tokens[\\/]fill-tables\.js$/

const PACKED = "src/tokens/o200k-ranks.js"
const UNPACKS = "src/tokens/ranks.ts"

/** `bin/bundles.js` gives the bundles `$kept`. */
export const ranksAsData: Plugin = {
  name: "ranks-as-data",
  resolveId: (id) => (RANKS.test(id) ? "\0ranks" : undefined),
  load(id) {
    if (id === "\0ranks") return packedModule()
    return FILLED.test(id) ? filledModule() : undefined
  },
}

/** All but the long line, of which it has only the place. */
function packedModule(): string {
  const small = readFileSync(PACKED, "latin1")
    .split("\n")
    .filter((line) => !line.startsWith(PAIRS))
  return [...small, READ_PAIRS].join("\n")
}

const PAIRS = "export const pairs = () => "

const READ_PAIRS = `import { readFileSync } from "node:fs"
export const pairs = () => {
  const lines = readFileSync(new URL("../tokens/o200k-ranks.js", import.meta.url), "latin1").split("\\n")
  const start = ${JSON.stringify(PAIRS)}
  return JSON.parse(lines.find((line) => line.startsWith(start)).slice(start.length))
}
`

/** What an earlier run has kept is of use as long as neither the packed table nor what is made of it has changed. */
function filledModule(): string {
  const sum = crc32(readFileSync(UNPACKS), crc32(readFileSync(PACKED)))
  return `export const fillTables = (tables, compute) => $kept({ name: "o200k", sum: ${sum}, bytes: tables, compute })\n`
}
