// The profiles that the browser has: those that come with Incipit. Each is loaded when it is needed.
import type { Profile } from "../../../../src/core/model/profile.ts"
import { PROFILE_NAMES, type ProfileName } from "./profile-names.ts"

const LOADERS: Readonly<Record<ProfileName, () => Promise<Profile>>> = {
  incipit: async () => (await import("../../../../src/profiles/incipit/incipit.ts")).incipit,
  coop: async () => (await import("../../../../src/profiles/coop/coop.ts")).coop,
  moltis: async () => (await import("../../../../src/profiles/moltis/moltis.ts")).moltis,
  nova: async () => (await import("../../../../src/profiles/nova/nova.ts")).nova,
  osa: async () => (await import("../../../../src/profiles/osa/osa.ts")).osa,
  "osa-before": async () => (await import("../../../../src/profiles/osa/before.ts")).osaBefore,
  pi: async () => (await import("../../../../src/profiles/pi/pi.ts")).pi,
}

/** Undefined if the browser has none of that name. */
export function bundledProfile(name: string): Promise<Profile> | undefined {
  const known = PROFILE_NAMES.find((one) => one === name)
  return known && LOADERS[known]()
}
