// The agents' own view of incipit.yaml, brought up to date before somebody is shown anything of theirs.
import type { ServedAgents } from "../http/surface.ts"

/** A comparison of stamps while nothing has changed. */
export async function refreshAgents({ names, named }: ServedAgents): Promise<void> {
  await Promise.all(names.map((name) => named(name)?.refresh()))
}
