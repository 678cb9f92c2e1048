// A temporary folder with files in it, and the project context that is gathered there. Paths are told
// from the folder on, and what lies above it on this machine is left out.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type Diagnostic, sentence } from "../../../src/base/diagnostic.ts"
import {
  type Context,
  type ContextOptions,
  contextFor,
  gatherContext,
} from "../../../src/sources/context/context.ts"

export interface Told {
  /** Each as `path: text`, or with why it cannot be read. */
  readonly files: readonly string[]
  /** Each as `code path: sentence`. */
  readonly findings: readonly string[]
}

export function openFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-context-")))
  const at = (path: string) => join(folder, path)
  const defaults = { policy: "first", known: new Set<string>(), trust: "familiar" } as const
  const options = (directory: string, more: Partial<ContextOptions> = {}): ContextOptions => ({
    ...{ ...defaults, directory: at(directory), home: at("home") },
    ...more,
  })
  return {
    at,
    options,
    write(path: string, text: string | Uint8Array = path): string {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), text)
      return at(path)
    },
    gather: (directory: string, more?: Partial<ContextOptions>) =>
      told(gatherContext(options(directory, more)), folder),
    touch: (path: string, directory: string, more?: Partial<ContextOptions>) =>
      told(contextFor(at(path), options(directory, more)), folder),
    git: (directory: string, ...words: readonly string[]) => git(at(directory), words),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function told({ files, diagnostics }: Context, folder: string): Told {
  const isHere = (path: string) => path.startsWith(folder) || path.startsWith("~/")
  return {
    files: files
      .filter(({ path }) => isHere(path))
      .map(({ path, text, unavailable }) => `${path}: ${unavailable ?? text}`.replaceAll(folder, "")),
    findings: diagnostics
      .filter((finding) => !("path" in finding) || isHere(finding.path))
      .map((finding: Diagnostic) => `${finding.code} ${sentence(finding)}`.replaceAll(folder, "")),
  }
}

function git(directory: string, words: readonly string[]): void {
  mkdirSync(directory, { recursive: true })
  const person = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  }
  const alone = {
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: tmpdir(),
  }
  const env = { PATH: process.env.PATH, ...person, ...alone }
  execFileSync("git", words, { cwd: directory, env, stdio: "pipe" })
}
