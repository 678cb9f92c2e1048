// The profiles that can be named on the command line, each with the places where its system keeps its files.
// Those of other systems are loaded only when they are asked for.
import { existsSync } from "node:fs"
import { isAbsolute, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { IncipitError } from "../core/error.ts"
import { PACES } from "../core/pace.ts"
import type { Profile } from "../core/profile.ts"
import { incipit } from "../profiles/incipit.ts"
import { incipitSystem, type System } from "../sources/system.ts"

export interface NamedProfile {
  readonly profile: Profile
  readonly system: System
}

const BUNDLED: Readonly<Record<string, () => Promise<NamedProfile>>> = {
  incipit: async () => ({ profile: incipit, system: incipitSystem }),
  coop: async () => {
    const [{ coop }, { coopSystem }] = await Promise.all([
      import("../profiles/coop.ts"),
      import("../sources/coop-system.ts"),
    ])
    return { profile: coop, system: coopSystem }
  },
  moltis: async () => {
    const [{ moltis }, { moltisSystem }] = await Promise.all([
      import("../profiles/moltis.ts"),
      import("../sources/moltis-system.ts"),
    ])
    return { profile: moltis, system: moltisSystem }
  },
  nova: async () => {
    const [{ nova }, { novaSystem }] = await Promise.all([
      import("../profiles/nova.ts"),
      import("../sources/nova-system.ts"),
    ])
    return { profile: nova, system: novaSystem }
  },
  osa: async () => {
    const [{ osa }, { osaSystem }] = await Promise.all([
      import("../profiles/osa.ts"),
      import("../sources/osa-system.ts"),
    ])
    return { profile: osa, system: osaSystem }
  },
  "osa-before": async () => {
    const [{ osaBefore }, { osaBeforeSystem }] = await Promise.all([
      import("../profiles/osa-before.ts"),
      import("../sources/osa-system.ts"),
    ])
    return { profile: osaBefore, system: osaBeforeSystem }
  },
  pi: async () => {
    const [{ pi }, { piSystem }] = await Promise.all([
      import("../profiles/pi.ts"),
      import("../sources/pi-system.ts"),
    ])
    return { profile: pi, system: piSystem }
  },
}

/** A bundled profile by name, or the default export (or `profile`) of a module. */
export async function profileNamed(name: string, cwd: string): Promise<NamedProfile> {
  const bundled = Object.hasOwn(BUNDLED, name) ? BUNDLED[name] : undefined
  if (bundled !== undefined) return bundled()
  const known = Object.keys(BUNDLED).join(", ")
  if (!/[./\\]/.test(name))
    throw new IncipitError("unknown-profile", `unknown profile "${name}" (there is ${known})`)
  const path = isAbsolute(name) ? name : resolve(cwd, name)
  if (!existsSync(path))
    throw new IncipitError("unknown-profile", `can not load the profile ${name}: there is no such file`)
  const module = await importModule(path, name)
  const profile = module.default ?? module.profile
  if (!isProfile(profile))
    throw new IncipitError("unknown-profile", `${name} exports no profile as default or as \`profile\``)
  return { profile, system: incipitSystem }
}

async function importModule(path: string, name: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n", 1)[0] : String(error)
    throw new IncipitError("unknown-profile", `can not load the profile ${name}: ${why}`, { cause: error })
  }
}

function isProfile(value: unknown): value is Profile {
  return (
    typeof value === "object" &&
    value !== null &&
    "sections" in value &&
    Array.isArray(value.sections) &&
    value.sections.every(isSectionSpec) &&
    "markup" in value
  )
}

function isSectionSpec(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  const { id, pace, build } = value as Readonly<Record<string, unknown>>
  return typeof id === "string" && PACES.some((known) => known === pace) && typeof build === "function"
}
