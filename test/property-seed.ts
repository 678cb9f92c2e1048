// In continuous integration, properties are checked on the same inputs in every run, so that a run fails because of the
// change it is about. Everywhere else each run draws new ones; a failure prints its seed. `npm run soak` draws one seed
// for all that it does.
import process from "node:process"
import fc from "fast-check"

const { CI, SOAK_SEED } = process.env
const seed = SOAK_SEED ?? (CI === "true" ? 2026 : undefined)

if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) })
