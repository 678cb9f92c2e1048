import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { OWN_PACKAGE } from "./test/own-package.ts"

export default defineConfig({
  resolve: { alias: OWN_PACKAGE },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "./test/home-of-the-tests.ts",
    setupFiles: "./test/property-seed.ts",
    // The long runs: npm run soak. Hosts that are not installed: npm run hosts.
    exclude: ["test/soak/**", "test/hosts/**"],
    // A third of the time, a worker waits for processes of its own; the one more works meanwhile.
    maxWorkers: availableParallelism() + 1,
    // Files keep no state of their own in the modules they test, and a worker of its own for each took a third of the time.
    isolate: false,
    // Long enough for a machine with ten times the work; nothing here measures time.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Git may take as long as it needs on a busy machine.
    env: { INCIPIT_GIT_LIMIT: "10m" },
    expect: { poll: { timeout: 580_000 } },
    reporters: ["default", "./test/closing-line.ts"],
  },
})
