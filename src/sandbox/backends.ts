// Which backend enforces the sandbox on this machine, found by trying: a program that is installed may still not work,
// because the kernel or a container around us does not allow it.
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { findProgram } from "../files/program.ts"
import { openBox } from "./bubblewrap/box.ts"
import { findSandboxPrograms, type SandboxPrograms } from "./bubblewrap/programs.ts"
import type { SandboxSettings } from "./settings.ts"

export type Backend =
  | { readonly kind: "bubblewrap"; readonly programs: SandboxPrograms }
  | { readonly kind: "docker" | "podman"; readonly program: string; readonly image: string }

export type FoundBackend = Backend | { readonly kind: "missing"; readonly why: string }

export interface BackendOptions {
  readonly settings: Pick<SandboxSettings, "backend" | "image" | "limits">
  /** The agent's folder, whose own programs do not count. */
  readonly notIn: string
  readonly path: string | undefined
}

const TRY_MS = 15_000
const ORDER = ["bubblewrap", "podman", "docker"] as const

export async function findBackend(options: BackendOptions): Promise<FoundBackend> {
  const { backend, image } = options.settings
  const wanted =
    backend === "auto" ? ORDER.filter((one) => one === "bubblewrap" || image !== undefined) : [backend]
  const problems: string[] = []
  for (const one of wanted) {
    const found = one === "bubblewrap" ? await tryBubblewrap(options) : await tryEngine(one, options)
    if (found.kind !== "missing") return found
    problems.push(found.why)
  }
  return { kind: "missing", why: problems.join("; ") }
}

async function tryBubblewrap({ settings, notIn }: BackendOptions): Promise<FoundBackend> {
  const programs = findSandboxPrograms(notIn)
  if ("missing" in programs) return { kind: "missing", why: programs.missing }
  try {
    const box = await openBox(programs, settings.limits)
    try {
      // As for a command: the namespaces, and that no further ones can be made.
      const tried = [
        "--unshare-user",
        "--unshare-all",
        "--disable-userns",
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
      ]
      const [program = "", ...args] = box.enter(tried).argv
      await promisify(execFile)(program, [...args, programs.sh, "-c", "exit 0"], {
        timeout: TRY_MS,
        env: {},
        cwd: "/",
      })
    } finally {
      await box.close()
    }
    return { kind: "bubblewrap", programs }
  } catch (error) {
    return { kind: "missing", why: `bubblewrap does not work here: ${firstLine(error)}` }
  }
}

async function tryEngine(
  kind: "docker" | "podman",
  { settings, notIn, path }: BackendOptions,
): Promise<FoundBackend> {
  const { image } = settings
  const program = findProgram(kind, { path, notIn })
  if (program === undefined) return { kind: "missing", why: `${kind} is not installed` }
  if (image === undefined) return { kind: "missing", why: `${kind} needs sandbox.image, approved by you` }
  try {
    await promisify(execFile)(program, ["image", "inspect", image], { timeout: TRY_MS })
    return { kind, program, image }
  } catch (error) {
    return { kind: "missing", why: `${kind} cannot use the image ${image}: ${firstLine(error)}` }
  }
}

/** What the program itself said, without the command line that Node puts before it. */
function firstLine(error: unknown): string {
  const said = error instanceof Error && "stderr" in error ? String(error.stderr) : ""
  const text = said.trim() || (error instanceof Error ? error.message : String(error))
  return (text.split("\n")[0] ?? "").slice(0, 300)
}
