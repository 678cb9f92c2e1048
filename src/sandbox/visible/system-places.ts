// What every command sees of the machine, read-only: its programs and libraries, and the few files of /etc that they
// need. The rest of /etc stays hidden, because a command of root could read the keys and passwords there.
import { lstatSync, readdirSync, readlinkSync, statSync } from "node:fs"
import { delimiter, dirname, isAbsolute, join } from "node:path"
import { errorCode } from "../../base/system-error.ts"
import { isInside } from "../../files/inside.ts"
import { existingPathOf } from "../../files/real-path.ts"

export interface SystemPlaces {
  /** Shown under the same path, read-only. */
  readonly folders: readonly string[]
  /** Links of the root folder, such as `/bin` to `usr/bin`. */
  readonly links: readonly (readonly [path: string, target: string])[]
  /** Files and folders of /etc, with where they really are. */
  readonly files: readonly (readonly [path: string, real: string])[]
  /**
   * What /proc has beside processes. A command of root owns the settings of the kernel there, and may write them without
   * any capability.
   */
  readonly kernel: readonly string[]
}

const FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"]

const ETC = [
  ...[
    "alternatives",
    "bash.bashrc",
    "ca-certificates",
    "ca-certificates.conf",
    "debian_version",
    "default/locale",
  ],
  ...[
    "fonts",
    "group",
    "hosts",
    "inputrc",
    "java",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "locale.alias",
  ],
  ...[
    "locale.conf",
    "localtime",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "passwd",
    "pki/ca-trust",
  ],
  ...[
    "pki/tls/certs",
    "perl",
    "php",
    "profile",
    "protocols",
    "python3",
    "python3.11",
    "python3.12",
    "python3.13",
  ],
  ...["services", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone"],
]

export function systemPlaces({ network }: { readonly network: boolean }): SystemPlaces {
  const found = FOLDERS.flatMap((path) => {
    const stat = lookAt(path)
    return stat === undefined ? [] : [{ path, isLink: stat.isSymbolicLink() }]
  })
  const etc = [...ETC, ...(network ? ["resolv.conf"] : [])].map((name) => join("/etc", name))
  return {
    folders: found.filter(({ isLink }) => !isLink).map(({ path }) => path),
    links: found.filter(({ isLink }) => isLink).map(({ path }) => [path, readlinkSync(path)] as const),
    files: etc.flatMap((path) => {
      const real = existingPathOf(path)
      return real === undefined ? [] : [[path, real] as const]
    }),
    kernel: kernelEntries(),
  }
}

function kernelEntries(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => !/^\d+$/.test(name))
    .map((name) => join("/proc", name))
    .filter((path) => {
      const stat = lookAt(path)
      return stat !== undefined && (stat.isDirectory() || (stat.isFile() && (stat.mode & 0o222) !== 0))
    })
}

/**
 * Folders on PATH that are elsewhere, such as those of a version manager, each with the libraries beside it. Nothing
 * else of the folder that they are in is shown: it may be the home folder.
 */
export function programFolders(path: string | undefined, shown: readonly string[]): readonly string[] {
  const named = (path ?? "").split(delimiter).filter((folder) => isAbsolute(folder))
  const real = named.flatMap((folder) => existingPathOf(folder) ?? []).filter(isFolder)
  const outside = real.filter((folder) => !shown.some((one) => isInside(folder, one)))
  // A folder that has everything in it, such as the home folder, is no folder of programs.
  const programs = outside.filter((folder) => /^s?bin$/.test(folder.split("/").at(-1) ?? ""))
  const libraries = programs.flatMap((folder) =>
    ["lib", "libexec"].map((name) => join(dirname(folder), name)),
  )
  return [...new Set([...programs, ...libraries.filter(isFolder)])]
}

function lookAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
