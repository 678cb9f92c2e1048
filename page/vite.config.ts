// Builds the page into dist/page: one HTML file and hashed assets, all from this server.
import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  logLevel: "warn",
  publicDir: false,
  // Preact's own JSX: the page has no other compile step.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/page",
    assetsDir: "page",
    emptyOutDir: true,
    target: "es2023",
    // The policy allows no `data:` scripts or styles, and the token table is loaded only when it is needed.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4_000,
  },
  worker: {
    format: "es",
    // The table stays the same from version to version, so that browsers keep it.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "token-table", test: /o200k-ranks/ }] } },
    },
  },
})
