// Runs one command in a container of its own, by the command line of docker or podman.
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { runCommand } from "../../tools/agent/run-command.ts"
import type { PlacedCommand } from "../../tools/command-place.ts"
import type { Backend } from "../backends.ts"
import { innerEnv } from "../inner-env.ts"
import { keptOut, notedEnd } from "../kept-out.ts"
import type { InsideEnd, InsideLaunch, InsideProgram } from "../sandbox-state.ts"
import type { SandboxSettings } from "../settings.ts"
import { inTurn } from "../turns.ts"
import { type AgentFolders, changedBy, readingOnly, viewOf } from "../view.ts"
import { containerArguments, containerUser } from "./command-line.ts"

export interface InContainer {
  readonly backend: Exclude<Backend, { readonly kind: "bubblewrap" }>
  readonly settings: SandboxSettings
  readonly folders: AgentFolders
  readonly env: Readonly<Record<string, string | undefined>>
}

export async function runInContainer(place: InContainer, command: PlacedCommand): Promise<InsideEnd> {
  const { limits } = place.settings
  const argv = ["/bin/sh", "-c", `exec 2>&1; ${command.command}`]
  const turn = { folders: changedBy(place.folders, place.settings), signal: command.signal }
  return inTurn(turn, async () => {
    const { launch, watched, remove } = started(place, { argv, env: {} })
    const { outputBytes } = limits
    return notedEnd(watched, limits, async () => {
      try {
        return await runCommand({ ...command, directory: "/", env: {}, launch, outputBytes })
      } finally {
        await remove()
      }
    })
  })
}

export function launchContainer(place: InContainer, program: InsideProgram): InsideLaunch {
  const { argv, env, directory, hasTerminal = false } = program
  const settings = hasTerminal ? place.settings : readingOnly(place.settings)
  const folders = { ...place.folders, directory }
  const { launch, watched, remove } = started({ ...place, settings, folders }, { argv, env })
  return {
    ...launch,
    release: () => {
      void remove()
      return keptOut(watched)
    },
  }
}

function started(
  { backend, settings, folders, env }: InContainer,
  program: Pick<InsideProgram, "argv" | "env">,
) {
  const { view, watched } = viewOf(folders, settings)
  const name = `incipit-${randomBytes(8).toString("hex")}`
  // The image has its own programs, and no settings of the user.
  const {
    PATH: _path,
    SHELL: _shell,
    GIT_CONFIG_GLOBAL: _settings,
    ...usual
  } = innerEnv({
    ...{ env, named: settings.env, shown: [], proxyPort: undefined },
  })
  const args = containerArguments({
    ...{ engine: backend.kind, image: backend.image, name, user: containerUser(), view, argv: program.argv },
    ...{ network: settings.network === "on" ? "on" : "off", limits: settings.limits },
    env: { ...usual, ...program.env },
  })
  const { PATH = "", HOME = "" } = env
  return {
    ...{ launch: { program: backend.program, args, env: { PATH, HOME } }, watched },
    // Ending the command line does not end the container.
    remove: () =>
      new Promise<void>((resolve) => execFile(backend.program, ["rm", "--force", name], () => resolve())),
  }
}
