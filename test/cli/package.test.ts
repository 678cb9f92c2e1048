// What somebody who installs the package gets: how much it is, and that it needs nothing else.
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { expect, test } from "vitest"
import packageJson from "../../package.json" with { type: "json" }

/** About a tenth above what it was in November 2026. docs/decisions/0051-no-packages-to-install.md */
const MOST_PACKED = 5_200_000
const MOST_UNPACKED = 14_500_000

interface Packed {
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

test("the package stays as small as it is", () => {
  // `dist/` is there already, and a second build beside other tests would take it away from them.
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"]
  const printed: unknown = JSON.parse(execFileSync("npm", args, { encoding: "utf8" }))
  // npm prints a list, or an object by name, depending on its version.
  const [packed] = Object.values(printed as Readonly<Record<string, Packed>>)
  const { size, unpackedSize, files } = packed as Packed
  expect(files.map(({ path }) => path)).toContain("dist/THIRD_PARTY.txt")
  expect(files.filter(({ path }) => /\.map$|node_modules|\.db$/.test(path))).toEqual([])
  expect(size).toBeLessThan(MOST_PACKED)
  expect(unpackedSize).toBeLessThan(MOST_UNPACKED)
})

test("it needs no other package", () => {
  const { peerDependencies, peerDependenciesMeta, ...rest } = packageJson
  expect(Object.keys(rest).filter((key) => /dependencies$/i.test(key))).toEqual(["devDependencies"])
  expect(Object.keys(peerDependencies)).toEqual(
    Object.entries(peerDependenciesMeta).flatMap(([name, { optional }]) => (optional ? [name] : [])),
  )
  // In code that was bundled without white space, too; a text that looks like an import would be found as well.
  const wanted = bundles().flatMap(({ path, text }) =>
    [...text.matchAll(/(?:^|[;}\n])import[\s\w$*{},]*?(?:from)?\s*"([^"]+)"/g), ...text.matchAll(LATE)]
      .map(([, name = ""]) => name)
      .filter((name) => !name.startsWith(".") && !isBuiltin(name))
      .map((name) => `${path}: ${name}`),
  )
  // Loaded only by the adapter of LangChain, and for the URL of a PostgreSQL database.
  expect([...new Set(wanted.map((found) => found.replace(/^.*: /, "")))].sort()).toEqual(["langchain", "pg"])
  expect(wanted.length).toBe(3)
})

/** Scripts import by a function that they are given, and name what they require. */
const LATE = /(?:\bimport|\$import|\brequire)\(["'`]([^"'`]+)["'`]\)/g

function bundles() {
  return ["lib", "bin", "vendor"].flatMap((folder) =>
    readdirSync(join("dist", folder))
      .filter((name) => /\.c?js$/.test(name))
      .map((name) => ({
        path: join(folder, name),
        text: readFileSync(join("dist", folder, name), "utf8"),
      })),
  )
}
