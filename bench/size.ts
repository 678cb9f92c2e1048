// Prints the size of the default prompt. Times nothing; exits with 1 if the profile's own stable text is not below its
// limit.
import { checkTargets, digits, machine, printTable } from "./measure/measure.ts"
import { SIZE_HEADS, sizeCells, sizeRows } from "./measure/size-table.ts"

const OWN_LIMIT = 2_500

const rows = sizeRows()
console.log(`## How large the default prompt is: ${machine()}\n`)
printTable(SIZE_HEADS, rows.map(sizeCells))
const most = Math.max(...rows.map(({ own }) => own))
checkTargets([
  {
    what: "the profile's own stable text",
    bound: `below ${OWN_LIMIT} tokens`,
    measured: digits(most),
    holds: most < OWN_LIMIT,
  },
])
