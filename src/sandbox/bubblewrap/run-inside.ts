// Runs one command by bubblewrap, and looks afterwards at what it made.
import { runCommand } from "../../tools/agent/run-command.ts"
import type { PlacedCommand } from "../../tools/command-place.ts"
import type { Boxes, OpenBox } from "../boxes.ts"
import { INNER_GIT_CONFIG, innerEnv } from "../inner-env.ts"
import { keptOut, notedEnd } from "../kept-out.ts"
import type { InsideEnd, InsideLaunch, InsideProgram } from "../sandbox-state.ts"
import type { SandboxSettings } from "../settings.ts"
import { inTurn } from "../turns.ts"
import { type AgentFolders, changedBy, readingOnly, type View, viewOf } from "../view.ts"
import { programFolders, type SystemPlaces, systemPlaces } from "../visible/system-places.ts"
import { bubblewrapArguments, launchArguments, type SandboxNetwork } from "./command-line.ts"
import type { SandboxPrograms } from "./programs.ts"

export interface Bubblewrap {
  readonly programs: SandboxPrograms
  readonly settings: SandboxSettings
  readonly boxes: Boxes
  readonly folders: AgentFolders
  readonly agent: string
  readonly session: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly gitConfig: string
}

const RELAY_PORT = 3128

export async function runInside(inside: Bubblewrap, command: PlacedCommand): Promise<InsideEnd> {
  const { settings, programs } = inside
  const argv = [programs.shell, "-c", `exec 2>&1; ${command.command}`]
  return inside.boxes.within(inside, (open) =>
    inTurn({ folders: changedBy(inside.folders, settings), signal: command.signal }, async () => {
      const { view, watched } = viewOf(inside.folders, settings)
      const { launch, release } = launchIn(inside, { open, view, argv, env: {}, hasTerminal: false })
      const { limits } = settings
      const placed = { ...command, directory: "/", env: {}, launch, outputBytes: limits.outputBytes }
      return notedEnd(watched, limits, () => runCommand(placed).finally(release))
    }),
  )
}

/** Holds the box until the program is released. */
export function launchInside(inside: Bubblewrap, program: InsideProgram): Promise<InsideLaunch> {
  const { argv, env, directory, hasTerminal = false } = program
  const launched = Promise.withResolvers<InsideLaunch>()
  const ended = Promise.withResolvers<void>()
  inside.boxes
    .within(inside, async (open) => {
      // The user's own shell is looked at when it has ended; a server may never end.
      const settings = hasTerminal ? inside.settings : readingOnly(inside.settings)
      const { view, watched } = viewOf({ ...inside.folders, directory }, settings)
      const { launch, release } = launchIn({ ...inside, settings }, { open, view, argv, env, hasTerminal })
      launched.resolve({
        ...launch,
        release: () => {
          release()
          ended.resolve()
          return keptOut(watched)
        },
      })
      await ended.promise
    })
    .catch(launched.reject)
  return launched.promise
}

interface Starting {
  readonly open: OpenBox
  readonly view: View
  readonly argv: readonly string[]
  /** In addition to the usual environment. */
  readonly env: Readonly<Record<string, string>>
  readonly hasTerminal: boolean
}

function launchIn(inside: Bubblewrap, { open, view, argv, env, hasTerminal }: Starting) {
  const { box, socket, gitConfig } = open
  const { settings, programs } = inside
  const { shell, prlimit, socat } = programs
  const system = systemPlaces({ network: settings.network === "on" })
  const shown = [...shownBy(system), ...view.folders.map(({ path }) => path)]
  const others = programFolders(inside.env.PATH, shown)
  const hasRelay = socket !== undefined && socat !== undefined
  const own = innerEnv({
    ...{ env: inside.env, named: settings.env, shown: [...shown, ...others] },
    proxyPort: hasRelay ? RELAY_PORT : undefined,
  })
  const args = bubblewrapArguments({
    ...{ view, system, programs: others, tmp: box.tmp, env: { ...own, ...env }, hasTerminal },
    network: networkOf(settings, socket),
    files: [{ path: gitConfig, inside: INNER_GIT_CONFIG }],
  })
  const relay = hasRelay ? { socat, port: RELAY_PORT } : undefined
  const limited = launchArguments({ shell, argv, prlimit, limits: settings.limits, ...(relay && { relay }) })
  const { argv: entering, release } = box.enter(args)
  const [program = "", ...before] = entering
  return { launch: { program, args: [...before, ...limited], env: {} }, release }
}

function networkOf({ network }: SandboxSettings, socket: string | undefined): SandboxNetwork {
  if (network === "on") return { kind: "host" }
  return socket === undefined ? { kind: "off" } : { kind: "relay", socket }
}

function shownBy({ folders, links }: SystemPlaces): readonly string[] {
  return [...folders, ...links.map(([path]) => path)]
}
