// Prints how large a page becomes with each entry that runs in a browser. Times nothing; exits with 1 if the compiler
// without its counter is larger than its limit.
import { BUNDLE_HEADS, bundleCells, bundleRows } from "./bundle-table.ts"
import { checkTargets, printTable } from "./measure.ts"

/** Compressed: small beside any framework that a page has anyway. */
const LIMIT = 40_000

const rows = await bundleRows()
console.log("## Sizes in a browser\n")
printTable(BUNDLE_HEADS, rows.map(bundleCells))
const small = rows.find(({ name }) => name === "everything of `incipit/compiler`")
checkTargets([
  {
    what: "everything of `incipit/compiler`, gzip",
    bound: "below 40 kB",
    measured: `${((small?.gzip ?? Number.NaN) / 1000).toFixed(1)} kB`,
    holds: (small?.gzip ?? Number.NaN) < LIMIT,
  },
])
