// Test programs as bundles. Each start of one from its sources has hundreds of files to find and to strip of types, which
// takes most of its CPU time, and some tests start dozens.
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { build, type Plugin } from "rolldown"

/** For the workers of a run, which are told by a variable of the environment. */
const FOLDER = "INCIPIT_TEST_PROGRAMS"

/** Makes the folder for the bundles of a run, and returns what removes it. */
export function bundlesOfTheRun(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "incipit-programs-"))
  process.env[FOLDER] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** The bundle of a program such as "test/memory/worker.ts", made by the first who asks for it. */
export async function bundled(program: string): Promise<string> {
  const folder = process.env[FOLDER]
  if (folder === undefined) throw new Error(`bundlesOfTheRun() has to be called before any test runs`)
  const target = join(folder, program.replaceAll(/\W+/g, "-"))
  if (!existsSync(target)) await bundle(resolve(program), target)
  return join(target, `${basename(program, ".ts")}.js`)
}

async function bundle(input: string, target: string): Promise<void> {
  const made = mkdtempSync(`${target}-`)
  await build({
    ...{ input, platform: "node", logLevel: "silent", plugins: [asSources(input)] },
    output: { dir: made },
  })
  try {
    renameSync(made, target)
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(target)) throw error
    rmSync(made, { recursive: true })
  }
}

/** Each module still finds what lies beside it, and only the program itself is started. */
function asSources(program: string): Plugin {
  return {
    name: "as-sources",
    transform(code, id) {
      if (!code.includes("import.meta.") || id.includes("node_modules")) return undefined
      return code
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))
        .replaceAll("import.meta.main", String(id === program))
    },
  }
}
