// Resolves a name through the `exports` and `imports` of a package.json, following Node's rules. Pure: reads no files.

import { isRecord } from "../base/is-record.ts"

/** The conditions for an ES module, including `default`. */
const CONDITIONS: readonly string[] = ["node", "import", "default"]

/**
 * The file of a package for `.` or `./sub`, as a path that begins with `./`. Returns undefined if it is not exported.
 */
export function exportedPath(exports: unknown, subpath: string, conditions = CONDITIONS): string | undefined {
  const map =
    isRecord(exports) && Object.keys(exports).some((key) => key.startsWith(".")) ? exports : { ".": exports }
  const target = mapped(map, subpath, conditions)
  return target?.startsWith("./") && isBelow(target) ? target : undefined
}

/** The target of a name such as `#words`: a path that begins with `./`, or the name of a package. */
export function importedName(imports: unknown, name: string, conditions = CONDITIONS): string | undefined {
  const target = isRecord(imports) ? mapped(imports, name, conditions) : undefined
  return target === undefined || (target.startsWith(".") && !isBelow(target)) ? undefined : target
}

type Map = Readonly<Record<string, unknown>>

function mapped(map: Map, name: string, conditions: readonly string[]): string | undefined {
  if (Object.hasOwn(map, name) && !name.includes("*")) return target(map[name], "", conditions)
  const fits = Object.keys(map).flatMap((key) => {
    const [before = "", after, ...more] = key.split("*")
    if (after === undefined || more.length > 0 || name.length < key.length) return []
    return name.startsWith(before) && name.endsWith(after) ? [{ key, before, after }] : []
  })
  const [best] = fits.toSorted((a, b) => b.before.length - a.before.length || b.key.length - a.key.length)
  if (best === undefined) return undefined
  const star = name.slice(best.before.length, name.length - best.after.length)
  return target(map[best.key], star, conditions)
}

function target(value: unknown, star: string, conditions: readonly string[]): string | undefined {
  if (typeof value === "string") return value.replaceAll("*", () => star)
  if (Array.isArray(value))
    return value.map((one) => target(one, star, conditions)).find((one) => one !== undefined)
  if (!isRecord(value)) return undefined
  for (const [condition, one] of Object.entries(value)) {
    const found = conditions.includes(condition) ? target(one, star, conditions) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Leads neither out of the package nor into another one. */
function isBelow(path: string): boolean {
  const names = path.slice(2).split(/[/\\]/)
  return (
    path.startsWith("./") && !names.some((name) => name === ".." || name === "." || name === "node_modules")
  )
}
