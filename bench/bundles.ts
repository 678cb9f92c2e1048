// Prints how large a page becomes with each entry that runs in a browser. Times nothing; exits with 1 if the compiler
// without its counter is too large. `npm run build` first.
import { BUNDLE_HEADS, bundleCells, bundleRows } from "./measure/bundle-table.ts"
import { checkTargets, printTable } from "./measure/measure.ts"

/** Compressed bytes: small beside any framework that a page has anyway. */
const LIMIT = 30_000
const SMALL = "`createCompiler` of `incipit/compiler`"

const rows = await bundleRows()
const missing = rows.flatMap(({ imports }) => imports)
if (missing.length > 0) throw new Error(`not found: ${missing.join(", ")}; run npm run build first`)
console.log("## Sizes in a browser\n")
printTable(BUNDLE_HEADS, rows.map(bundleCells))
const { gzip = Number.NaN } = rows.find(({ name }) => name === SMALL) ?? {}
checkTargets([
  {
    what: `${SMALL}, gzip`,
    bound: `below ${LIMIT / 1000} kB`,
    measured: `${(gzip / 1000).toFixed(1)} kB`,
    holds: gzip < LIMIT,
  },
])
