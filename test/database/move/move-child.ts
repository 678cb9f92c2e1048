// Moves a state folder as a process of its own, which kills itself before the statement of the given number.
import process from "node:process"
import pg from "pg"
import { moveState } from "../../../src/database/move/move-state.ts"

const [store = "", record = "", url = "", last = "0"] = process.argv.slice(2)
let left = Number(last)
const { query } = pg.Client.prototype
// What the driver's method takes and returns is passed on as it is.
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  left -= 1
  if (left === 0) process.kill(process.pid, "SIGKILL")
  return Reflect.apply(query, this, given)
} as typeof query

const { kind, tables, continued } = await moveState({ files: { store, record }, url })
process.stdout.write(JSON.stringify({ kind, tables, continued, statements: Number(last) - left }))
