import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "./test/home-of-the-tests.ts",
    // The long runs: npm run soak.
    exclude: ["test/soak/**"],
    // Many tests wait for processes of their own, so no core is left out.
    maxWorkers: availableParallelism(),
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ["default", "./test/closing-line.ts"],
  },
})
