import { testRenderer } from "./contract.ts"
import { RENDERERS } from "./sample.ts"

for (const { name, render, ...capabilities } of RENDERERS) testRenderer(name, render, capabilities)
