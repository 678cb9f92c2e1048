// Builds the page into dist/page: one HTML file and hashed assets, all from this server.
import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"
import { leftOutOfPage } from "../scripts/build/left-out-of-page.ts"

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
    // A view needs no script beside its own that is not there already.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, found, { hostType }) => (hostType === "html" ? found : []),
    },
    // In one file, styles compress better, and their order is not that in which views are opened.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 4_000,
    rolldownOptions: {
      // What several views need, in one file: it compresses better than twenty.
      output: { codeSplitting: { groups: [{ name: "parts", minShareCount: 2 }] } },
    },
  },
  plugins: [leftOutOfPage],
  worker: {
    format: "es",
    plugins: () => [leftOutOfPage],
    rolldownOptions: {
      // Otherwise a part of the table would be in the compiler as well.
      optimization: { inlineConst: false },
      output: {
        codeSplitting: {
          groups: [
            // The table stays the same from version to version, so that browsers keep it.
            { name: "token-table", test: /o200k-ranks/ },
            // What every profile needs. The profiles themselves are loaded one by one.
            {
              name: "compiler",
              test: /[\\/](?:page[\\/](?:parts|views)|src[\\/](?:base|core|render|tokens|signal[\\/]keywords|profiles(?=[\\/][^\\/]+$))|@noble)/,
            },
            { name: "osa", test: /[\\/]profiles[\\/]osa[\\/]/ },
          ],
        },
      },
    },
  },
})
