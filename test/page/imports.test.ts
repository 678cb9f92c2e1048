// The page's own rules: what it may import, how large its files are, and that no text becomes markup.
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { parseAst } from "rolldown/parseAst"
import { expect, test } from "vitest"

/** Of `src`, what runs in a browser. Everything else only lends its types. */
const PURE = ["base", "core", "tokens", "signal", "profiles", "render", "prompt", "lint", "markdown"]
const PACKAGES = ["preact", "@preact/signals"]
const MAX_LINES = 400
const MAX_FILES_SIDE_BY_SIDE = 20

const files = readdirSync("page", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && name !== "vite.config.ts")
  .map((name) => join("page", name))

interface Found {
  readonly type: string
  readonly importKind?: string
  readonly source?: { readonly value?: unknown } | null
  readonly [field: string]: unknown
}

function importsOf(file: string): readonly { readonly target: string; readonly isType: boolean }[] {
  const found: { readonly target: string; readonly isType: boolean }[] = []
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    const { type, source, importKind } = value as Found
    if (typeof type === "string" && typeof source?.value === "string")
      found.push({ target: source.value, isType: importKind === "type" })
    for (const child of Object.values(value)) walk(child)
  }
  walk(parseAst(readFileSync(file, "utf8"), { lang: file.endsWith("x") ? "tsx" : "ts" }, file))
  return found
}

function problem(file: string, target: string, isType: boolean): string | undefined {
  const path = target.replace(/\?.*$/, "")
  if (!path.startsWith(".")) {
    const name = path
      .split("/")
      .slice(0, path.startsWith("@") ? 2 : 1)
      .join("/")
    return PACKAGES.includes(name) ? undefined : `${file} imports ${target}`
  }
  const [top = "", folder = ""] = relative(process.cwd(), resolve(dirname(file), path)).split(sep)
  if (top === "page" || (top === "src" && (isType || PURE.includes(folder)))) return undefined
  return `${file} imports ${target}`
}

test("the page runs only what is pure, and takes no more than types from the rest", () => {
  expect(files.length).toBeGreaterThan(10)
  expect(
    files.flatMap((file) =>
      importsOf(file).flatMap(({ target, isType }) => problem(file, target, isType) ?? []),
    ),
  ).toEqual([])
})

test("no file is long, and no folder is crowded", () => {
  expect(files.filter((file) => readFileSync(file, "utf8").split("\n").length - 1 > MAX_LINES)).toEqual([])
  const counts = Map.groupBy(files, dirname)
  expect([...counts].filter(([, inside]) => inside.length > MAX_FILES_SIDE_BY_SIDE)).toEqual([])
})

test("no text becomes markup", () => {
  const markup =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc/
  expect(files.filter((file) => markup.test(readFileSync(file, "utf8")))).toEqual([])
})
