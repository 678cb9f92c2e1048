// A file as it is in a commit, read from the objects of a repository without running its configuration.
import { relative, sep } from "node:path"
import process from "node:process"
import { findProgram } from "../../files/program.ts"
import { existingPathOf } from "../../files/real-path.ts"
import { commitNamed, findRepository, type Repository } from "./repository.ts"
import { configuredLimit, git, NO_LIMIT } from "./run-git.ts"

/** `absent`: the commit has no such file. */
export type FileAt =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable"; readonly reason: string }

/** `folder` is in the repository, `name` in `folder`; `ref` is a branch, a tag or a digest, with `~1` or `^` after it. */
export async function fileAt(folder: string, name: string, ref: string): Promise<FileAt> {
  const repository = findRepository(folder)
  if (repository === undefined) return unavailable("this folder is not in a git repository")
  if (typeof repository === "string") return unavailable(`its repository is not used: ${repository}`)
  const [, base = "", steps = ""] = /^(.*?)((?:[~^]\d*)*)$/s.exec(ref) ?? []
  const commit = commitNamed(repository, base)
  if (commit === undefined) return unavailable(`there is no branch, tag or commit "${ref}" here`)
  const limitMs = configuredLimit()
  if (limitMs === undefined) return unavailable(NO_LIMIT)
  const program = findProgram("git", { path: process.env.PATH, notIn: repository.root })
  if (program === undefined) return unavailable("git is not installed")
  const ask = (args: readonly string[]) => git(program, args, { repository, limitMs })
  return read(ask, `${commit}${steps}`, pathIn(repository, folder, name))
}

/** The branch that a change is most likely meant for: the remote's own, else one of the usual names. */
export function likelyBase(folder: string, wanted: readonly string[]): string | undefined {
  const repository = findRepository(folder)
  if (repository === undefined || typeof repository === "string") return undefined
  return wanted.find((name) => commitNamed(repository, name) !== undefined)
}

async function read(
  ask: (args: readonly string[]) => Promise<string>,
  commit: string,
  path: string,
): Promise<FileAt> {
  try {
    // A shallow clone may not have the commit.
    const known = await ask(["rev-parse", "--verify", "--quiet", "--end-of-options", `${commit}^{tree}`])
    const listed = await ask(["ls-tree", "-z", known.trim(), "--", `:(literal)${path}`])
    const [, digest] = /^100\d+ blob ([0-9a-f]+)\t/.exec(listed) ?? []
    if (digest === undefined) return { kind: "absent" }
    return { kind: "read", text: await ask(["cat-file", "blob", digest]) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return unavailable(
      error.name === "AbortError" ? "git took too long" : "the commit is not in this clone; fetch it first",
    )
  }
}

function pathIn({ root }: Repository, folder: string, name: string): string {
  const inside = relative(root, existingPathOf(folder) ?? folder)
  return [...(inside === "" ? [] : inside.split(sep)), name].join("/")
}

function unavailable(reason: string): FileAt {
  return { kind: "unavailable", reason }
}
