// How large a page becomes with each entry that runs in a browser, bundled and minified as a consumer would do it. The
// docs show the same table. Needs `dist/`.
import { gzipSync } from "node:zlib"
import { build, type OutputChunk } from "rolldown"

/** What a page imports, and how the table calls it. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "everything of `incipit`": 'export * from "incipit"',
  "everything of `incipit/compiler`": 'export * from "incipit/compiler"',
  "everything of `incipit/render`": 'export * from "incipit/render"',
  "everything of `incipit/cache`": 'export * from "incipit/cache"',
  "everything of `incipit/profiles`": 'export * from "incipit/profiles"',
  "everything of `incipit/signal`": 'export * from "incipit/signal"',
  "everything of `incipit/tokens`": 'export * from "incipit/tokens"',
  "everything of `incipit/hooks`": 'export * from "incipit/hooks"',
  "`definePrompt` of `incipit`": 'export { definePrompt } from "incipit"',
  "`definePrompt` of `incipit/compiler`": 'export { definePrompt } from "incipit/compiler"',
  "`createCompiler` of `incipit`": 'export { createCompiler } from "incipit"',
  "`createCompiler` of `incipit/compiler`": 'export { createCompiler } from "incipit/compiler"',
  "`section`, `tags` and `visible` of `incipit`": 'export { section, tags, visible } from "incipit"',
  "`renderAnthropic` of `incipit/render`": 'export { renderAnthropic } from "incipit/render"',
  "`factorFor` of `incipit/tokens`": 'export { factorFor } from "incipit/tokens"',
}

export interface BundleRow {
  readonly name: string
  readonly minified: number
  readonly gzip: number
  /** Modules that a browser would have to find elsewhere; there must be none. */
  readonly imports: readonly string[]
}

export const BUNDLE_HEADS = ["a page that imports", "minified", "gzip"]

export async function bundleRows(): Promise<readonly BundleRow[]> {
  return Promise.all(Object.entries(PROGRAMS).map(([name, program]) => rowOf(name, program)))
}

export function bundleCells({ name, minified, gzip }: BundleRow): readonly string[] {
  return [name, kilobytes(minified), kilobytes(gzip)]
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1).replace(/\B(?=(\d{3})+\.)/g, ",")} kB`
}

async function rowOf(name: string, program: string): Promise<BundleRow> {
  const { output } = await build({
    input: "page",
    platform: "browser",
    write: false,
    logLevel: "silent",
    plugins: [
      {
        name: "page",
        // Inside the repository, so that the package finds itself by name.
        resolveId: (id) => (id === "page" ? `${process.cwd()}/page.js` : undefined),
        load: (id) => (id.endsWith("/page.js") ? program : undefined),
      },
    ],
    output: { format: "esm", minify: true, codeSplitting: false },
  })
  const chunks = output.filter((part): part is OutputChunk => part.type === "chunk")
  const code = chunks.map((chunk) => chunk.code).join("")
  const imports = chunks.flatMap((chunk) => chunk.imports)
  return { name, minified: Buffer.byteLength(code), gzip: gzipSync(code, { level: 9 }).length, imports }
}
