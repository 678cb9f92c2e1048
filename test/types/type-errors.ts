// What the type checker says about small programs, as a person reads it.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const FLAGS = [
  ...["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--pretty", "false"],
  ...["--allowImportingTsExtensions", "--skipLibCheck", "--ignoreConfig", "--types", "node"],
]

/** A program starts in a file beside `../../../src/public/`. */
const LINE = /^[^\s].*?\(\d+,\d+\): error (TS\d+: .*)$/

/** The errors of each program. All are checked in one run; a message keeps its indented lines. */
export function typeErrors<Name extends string>(
  programs: Readonly<Record<Name, string>>,
): Readonly<Record<Name, readonly string[]>> {
  const folder = mkdtempSync(join("test", "types", "tmp-"))
  try {
    const names = Object.keys(programs) as Name[]
    const files = names.map((name, at) => {
      const file = join(folder, `program-${at}.ts`)
      writeFileSync(file, `${programs[name]}\nexport {}\n`)
      return file
    })
    const { stdout, stderr } = spawnSync("node_modules/.bin/tsc", [...FLAGS, ...files], { encoding: "utf8" })
    if (stderr !== "") throw new Error(stderr)
    const errors = errorsByFile(stdout)
    const found = names.map((name, at) => [name, errors.get(`program-${at}.ts`) ?? []] as const)
    // One entry for each name was made above.
    return Object.fromEntries(found) as Record<Name, readonly string[]>
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function errorsByFile(output: string): ReadonlyMap<string, readonly string[]> {
  const errors = new Map<string, string[]>()
  let last: string[] = []
  for (const line of output.split("\n").filter((text) => text !== "")) {
    const message = LINE.exec(line)?.[1]
    const file = /program-\d+\.ts/.exec(line)?.[0]
    if (message !== undefined && file !== undefined) {
      last = errors.get(file) ?? []
      last.push(message)
      errors.set(file, last)
    } else last.push(`${last.pop() ?? ""}\n${line}`)
  }
  return errors
}
