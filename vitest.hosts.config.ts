// The hosts that are too large to be installed with the project: npm run hosts.
import { defineConfig, mergeConfig } from "vitest/config"
import shared from "./vitest.config.ts"

export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [], exclude: [] } },
  defineConfig({ test: { include: ["test/hosts/**/*.test.ts"] } }),
)
