// The boxes that are open, by scope. Those that nothing has used for longest are closed when there are many; the rest
// when their owner is. A box that ended by itself is opened again.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Box, openBox } from "./bubblewrap/box.ts"
import type { SandboxPrograms } from "./bubblewrap/programs.ts"
import { type AllowProxy, openAllowProxy } from "./network/proxy.ts"
import type { SandboxSettings } from "./settings.ts"

export interface BoxRequest {
  readonly programs: SandboxPrograms
  readonly settings: Pick<SandboxSettings, "scope" | "limits" | "network" | "allow">
  readonly session: string
  readonly agent: string
  /** Git's settings for commands, as text. */
  readonly gitConfig: string
}

export interface OpenBox {
  readonly box: Box
  /** The socket of the proxy, if there is an allow-list. */
  readonly socket: string | undefined
  readonly gitConfig: string
}

export interface Boxes {
  /** The box of a scope, kept open until `use` is done with it. */
  within<T>(request: BoxRequest, use: (box: OpenBox) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface Kept {
  readonly opening: Promise<OpenBox & { readonly proxy: AllowProxy | undefined }>
  users: number
}

/** Each has a process and up to the limit of its /tmp. */
const MOST_IDLE = 16

export function createBoxes(): Boxes {
  const kept = new Map<string, Kept>()
  const end = async (key: string, one: Kept) => {
    if (kept.get(key) === one) kept.delete(key)
    const opened = await one.opening.catch(() => undefined)
    await opened?.proxy?.close()
    await opened?.box.close()
  }
  const endIdle = () => {
    const idle = [...kept].filter(([, { users }]) => users === 0)
    return Promise.all(idle.slice(0, Math.max(0, idle.length - MOST_IDLE)).map(([key, one]) => end(key, one)))
  }
  return {
    async within(request, use) {
      const key = keyOf(request)
      const known = kept.get(key)
      const isUsable =
        known !== undefined &&
        (await known.opening.then(
          ({ box }) => box.isOpen(),
          () => false,
        ))
      if (known !== undefined && !isUsable) await end(key, known)
      const one = kept.get(key) ?? { opening: opened(request), users: 0 }
      // Last in the order of use.
      kept.delete(key)
      kept.set(key, one)
      one.users += 1
      try {
        return await use(await one.opening)
      } finally {
        one.users -= 1
        await endIdle()
      }
    },
    async close() {
      await Promise.all([...kept].map(([key, one]) => end(key, one)))
    },
  }
}

/** Another limit or allow-list needs another box. */
function keyOf({ settings, session, agent }: BoxRequest): string {
  const { scope, limits, network, allow } = settings
  const who = { session: `session ${session}`, agent: `agent ${agent}`, shared: "shared" }[scope]
  return JSON.stringify([who, limits, network === "allow-list" ? allow : []])
}

async function opened({ programs, settings, gitConfig }: BoxRequest) {
  const box = await openBox(programs, settings.limits)
  const settingsFile = join(box.folder, "gitconfig")
  writeFileSync(settingsFile, gitConfig)
  if (settings.network !== "allow-list")
    return { box, socket: undefined, gitConfig: settingsFile, proxy: undefined }
  const socket = join(box.folder, "proxy.sock")
  const proxy = await openAllowProxy({ path: socket, allow: settings.allow })
  return { box, socket, gitConfig: settingsFile, proxy }
}
