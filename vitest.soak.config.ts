// Long runs that npm test has only in short form: sweeps of hostile text, hostile folders, fuzzing, kills.
import { defineConfig } from "vitest/config"
import { OWN_PACKAGE } from "./test/own-package.ts"

/** What is drawn is other in each run, and can be drawn again. */
const seed = process.env.SOAK_SEED ?? String(Math.floor(Math.random() * 1_000_000))

export default defineConfig({
  resolve: { alias: OWN_PACKAGE },
  test: {
    include: [
      ...["test/soak/**/*.test.ts", "test/fuzz/**/*.test.ts"],
      ...["test/serve/wire/non-interference.test.ts"],
      ...["test/gate/non-interference.test.ts", "test/record/many-processes.test.ts"],
      ...["test/database/move/interrupted-move.test.ts", "test/tokens/every-code-point.test.ts"],
      ...["test/agent/store/crash.test.ts", "test/agent/schedule/schedule-year.test.ts"],
      ...["test/sandbox/prompt-lines.test.ts", "test/page/hostile-chat.test.ts"],
      ...["test/agent/mcp/ask/server-asks.test.ts", "test/agent/mcp/calls/killed-server.test.ts"],
      "test/cli/command-line/hostile-output.test.ts",
    ],
    globalSetup: "./test/home-of-the-tests.ts",
    setupFiles: "./test/property-seed.ts",
    // How many inputs each parser gets, workspaces the gate, conversations the wire, and kills a move and the record.
    env: {
      SOAK_SEED: seed,
      FUZZ_RUNS: process.env.FUZZ_RUNS ?? "5000",
      GATE_RUNS: process.env.GATE_RUNS ?? "250",
      WIRE_RUNS: process.env.WIRE_RUNS ?? "100",
      MOVE_KILLS: process.env.MOVE_KILLS ?? "100",
      KILL_ROUNDS: process.env.KILL_ROUNDS ?? "200",
      LONG_TESTS: "true",
      // Git may take as long as it needs on a busy machine.
      INCIPIT_GIT_LIMIT: "10m",
    },
    // One at a time: these tests compare CPU times with each other.
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 580_000 } },
    // Each test as soon as it ends, so that a run that is stopped has told what it did.
    reporters: ["verbose", ["./test/soak/soak-report.ts", { seed }]],
    disableConsoleIntercept: true,
    passWithNoTests: true,
  },
})
