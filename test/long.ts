// Whether a test that has a long form takes it: `npm run soak` does. `npm test` takes a part that meets every rule once.
import process from "node:process"

export const IS_LONG = process.env.LONG_TESTS === "true"
