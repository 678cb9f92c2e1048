// Preloaded into a process so that it seems to run on a machine of its own: with another name, and with a clock that is
// wrong. The time since the process started is not changed.
import { syncBuiltinESMExports } from "node:module"
import os from "node:os"
import process from "node:process"

const { MACHINE = os.hostname(), CLOCK_ERROR_MS = "0" } = process.env
os.hostname = () => MACHINE
syncBuiltinESMExports()

const RealDate = Date
const now = () => RealDate.now() + Number(CLOCK_ERROR_MS)
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  get: (target, name, self) => (name === "now" ? now : Reflect.get(target, name, self)),
})
