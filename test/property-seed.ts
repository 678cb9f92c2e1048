// In continuous integration, properties are checked on the same inputs in every run, so that a run fails because of the
// change it is about. Everywhere else, and in `npm run soak`, each run draws new ones; a failure prints its seed.
import process from "node:process"
import fc from "fast-check"

const SEED = 2026

if (process.env.CI === "true") fc.configureGlobal({ seed: SEED })
