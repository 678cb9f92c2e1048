// Long runs that npm test has only in short form: sweeps of hostile text, hostile folders, fuzzing, kills.
import { defineConfig } from "vitest/config"
import { OWN_PACKAGE } from "./test/own-package.ts"

export default defineConfig({
  resolve: { alias: OWN_PACKAGE },
  test: {
    include: [
      ...["test/soak/**/*.test.ts", "test/fuzz/**/*.test.ts"],
      ...["test/serve/wire/non-interference.test.ts"],
      ...["test/gate/non-interference.test.ts", "test/record/many-processes.test.ts"],
      ...["test/database/move/interrupted-move.test.ts", "test/tokens/every-code-point.test.ts"],
      ...["test/agent/store/crash.test.ts", "test/agent/schedule/schedule-year.test.ts"],
    ],
    // How many inputs each parser gets, workspaces the gate, and kills the record and a move.
    env: {
      FUZZ_RUNS: process.env.FUZZ_RUNS ?? "2000",
      GATE_RUNS: process.env.GATE_RUNS ?? "250",
      MOVE_KILLS: process.env.MOVE_KILLS ?? "100",
      KILL_ROUNDS: process.env.KILL_ROUNDS ?? "200",
    },
    // One at a time: these tests compare CPU times with each other.
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 580_000 } },
    reporters: ["default"],
    passWithNoTests: true,
  },
})
