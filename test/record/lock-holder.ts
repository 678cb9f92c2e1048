// A process of its own that locks a database for writing until it is told to let go.
import { DatabaseSync } from "node:sqlite"

const driver = new DatabaseSync(process.argv[2] ?? "")
driver.exec("BEGIN IMMEDIATE")
process.on("message", () => {
  driver.exec("COMMIT")
  process.disconnect()
})
process.send?.("locked")
