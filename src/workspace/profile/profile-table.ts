// The profiles that can be named on the command line, each with the places where its system keeps its files. Profiles
// of other systems are loaded on demand.
import { existsSync } from "node:fs"
import { isAbsolute, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { sentence } from "../../base/diagnostic.ts"
import { IncipitError } from "../../base/error.ts"
import { firstLine } from "../../base/first-line.ts"
import type { Profile } from "../../core/model/profile.ts"
import { incipit } from "../../profiles/incipit/incipit.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { DEFAULT_PROFILE } from "../../sources/config/defaults.ts"
import { incipitSystem } from "../../sources/systems/incipit-system.ts"
import type { System } from "../../sources/systems/system.ts"
import { profileIn, usableProfile } from "./module-profile.ts"

export interface NamedProfile {
  readonly profile: Profile
  readonly system: System
}

const BUNDLED: Readonly<Record<string, () => Promise<NamedProfile>>> = {
  incipit: async () => ({ profile: incipit, system: incipitSystem }),
  coop: async () => {
    const [{ coop }, { coopSystem }] = await Promise.all([
      import("../../profiles/coop/coop.ts"),
      import("../../sources/systems/coop.ts"),
    ])
    return { profile: coop, system: coopSystem }
  },
  moltis: async () => {
    const [{ moltis }, { moltisSystem }] = await Promise.all([
      import("../../profiles/moltis/moltis.ts"),
      import("../../sources/systems/moltis.ts"),
    ])
    return { profile: moltis, system: moltisSystem }
  },
  nova: async () => {
    const [{ nova }, { novaSystem }] = await Promise.all([
      import("../../profiles/nova/nova.ts"),
      import("../../sources/systems/nova.ts"),
    ])
    return { profile: nova, system: novaSystem }
  },
  osa: async () => {
    const [{ osa }, { osaSystem }] = await Promise.all([
      import("../../profiles/osa/osa.ts"),
      import("../../sources/systems/osa.ts"),
    ])
    return { profile: osa, system: osaSystem }
  },
  "osa-before": async () => {
    const [{ osaBefore }, { osaBeforeSystem }] = await Promise.all([
      import("../../profiles/osa/before.ts"),
      import("../../sources/systems/osa.ts"),
    ])
    return { profile: osaBefore, system: osaBeforeSystem }
  },
  pi: async () => {
    const [{ pi }, { piSystem }] = await Promise.all([
      import("../../profiles/pi/pi.ts"),
      import("../../sources/systems/pi.ts"),
    ])
    return { profile: pi, system: piSystem }
  },
}

/**
 * A bundled profile by name, or the default export (or `profile`) of a module. The user names it directly, so its code
 * is trusted.
 */
export async function profileNamed(name: string, cwd: string): Promise<NamedProfile> {
  return bundledProfile(name) ?? exportedBy(await importFile(existing(name, cwd), name), name)
}

/** A profile that a program passes in. A bundled one keeps the places of its system. */
export async function profileGiven(given: Profile): Promise<NamedProfile> {
  const profile = usableProfile(given)
  const named = Object.hasOwn(BUNDLED, profile.name) ? await BUNDLED[profile.name]?.() : undefined
  return named?.profile === profile ? named : { profile, system: incipitSystem }
}

/**
 * The same for a profile named in a configuration, which may come from elsewhere: its code runs only once it is
 * approved.
 */
export async function profileConfigured(
  name: string,
  { root, home }: { readonly root: string; readonly home: string | undefined },
): Promise<NamedProfile> {
  const bundled = bundledProfile(name)
  if (bundled !== undefined) return bundled
  existing(name, root)
  // Loaded on demand: few workspaces need them.
  const [{ findModule }, { importModule }, { approvedIn }] = await Promise.all([
    import("../../hooks/code-module.ts"),
    import("../../hooks/import-module.ts"),
    import("../../approval/approved-in.ts"),
  ])
  const found = findModule(modulePath(name), root)
  if ("code" in found) throw unusable(name, sentence(found))
  const { given, digest } = found.module
  if (!approvedIn(root, home)({ kind: "profile", name: given, digest }))
    throw new IncipitError(
      "not-approved",
      `the profile ${name} in incipit.yaml is code that you have not approved`,
    )
  const module = await importModule(found).catch((error: unknown) => {
    throw unusable(name, firstLine(error), error)
  })
  return exportedBy(module, name)
}

/** The configured profile, if it is a path that starts with a dot. */
export function profileModule({ profile = DEFAULT_PROFILE }: Config): string | undefined {
  return isPath(profile) ? modulePath(profile) : undefined
}

/** Whether it is the name of a profile that comes with Incipit. */
export function isBundled(name: string): boolean {
  return Object.hasOwn(BUNDLED, name)
}

function isPath(name: string): boolean {
  return !isBundled(name) && /[./\\]/.test(name)
}

function modulePath(name: string): string {
  return isAbsolute(name) || /^\.{1,2}[/\\]/.test(name) ? name : `./${name}`
}

/** Returns undefined if the name is the path of a module. */
function bundledProfile(name: string): Promise<NamedProfile> | undefined {
  const bundled = Object.hasOwn(BUNDLED, name) ? BUNDLED[name] : undefined
  if (bundled !== undefined) return bundled()
  if (isPath(name)) return undefined
  const known = Object.keys(BUNDLED).join(", ")
  throw new IncipitError("unknown-profile", `unknown profile "${name}" (known: ${known})`)
}

function existing(name: string, cwd: string): string {
  const path = resolve(cwd, name)
  if (!existsSync(path)) throw unusable(name, "no such file")
  return path
}

function exportedBy(module: Readonly<Record<string, unknown>>, name: string): NamedProfile {
  return { profile: profileIn(module, name), system: incipitSystem }
}

async function importFile(path: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    throw unusable(name, firstLine(error), error)
  }
}

function unusable(name: string, why: string, cause?: unknown): IncipitError {
  return new IncipitError("unknown-profile", `cannot load the profile ${name}: ${why}`, { cause })
}
