// Long runs that npm test has only in short form: sweeps of hostile text, and fuzzing with many more inputs.
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/soak/**/*.test.ts", "test/fuzz/**/*.test.ts"],
    // The fuzz tests read this: how many inputs each parser gets.
    env: { FUZZ_RUNS: process.env.FUZZ_RUNS ?? "20000" },
    // One at a time: these tests compare CPU times with each other.
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
    reporters: ["default"],
    passWithNoTests: true,
  },
})
