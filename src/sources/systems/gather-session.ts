// Gathers what is fixed for one conversation: who is talking and where, the person's files, the situation's overlay,
// the channel's formatting, the working directory's context and skills, and facts about the machine.
import type { Session } from "../../core/model/inputs.ts"
import { namedDirectories } from "../config/directories.ts"
import { resolveAudience } from "../config/policy.ts"
import { detectEnvironment } from "../context/environment.ts"
import { unknownZone } from "../unknown-zone.ts"
import type { Gathered, Workspace } from "../workspace.ts"
import { incipitSystem } from "./incipit-system.ts"
import type { SessionFacts } from "./session-facts.ts"
import type { System } from "./system.ts"

/** Who is talking in a session, and where. */
export interface SessionOptions extends SessionFacts {
  /** Whose files to read. Default: Incipit's own. */
  readonly system?: System
}

/** Reads what a session adds: its audience, the context files of its directory, its skills. */
export function gatherSession(workspace: Workspace, options: SessionOptions = {}): Gathered<Session> {
  const { config } = workspace
  const resolved = resolveAudience(config, options, "incipit.yaml")
  const { value, diagnostics } = (options.system ?? incipitSystem).session(workspace, options, resolved)
  const model = options.model ?? config.model
  const { id = "main", directory, task, background, channel } = options
  const { audience, person, room, isOwner } = resolved
  const environment = environmentOf(workspace, options, model)
  const facts = {
    isOwner,
    person,
    room,
    channel,
    model,
    directory,
    directories: usableDirectories(workspace, options),
    responsibilities: config.responsibilities,
    task,
    background,
    inputs: inputsOf(value.inputs, options.inputs),
    ...environment,
  }
  const known = Object.fromEntries(Object.entries(facts).filter(([, item]) => item !== undefined))
  return {
    value: { id, audience, files: value.files, skills: value.skills, absent: value.absent ?? [], ...known },
    diagnostics: [
      ...resolved.diagnostics,
      ...unknownZone(environment.environment?.timezone, "incipit.yaml"),
      ...diagnostics,
    ],
  }
}

/** A configuration may come from elsewhere, so it cannot open a folder outside its own without approval. */
function usableDirectories(workspace: Workspace, { approved }: SessionOptions): Session["directories"] {
  if (workspace.config.directories === undefined) return undefined
  return namedDirectories(workspace)
    .filter(({ real, isOutside }) => !isOutside || approved?.has(real))
    .map(({ path }) => path)
}

/** The inputs found; given ones take precedence. */
function inputsOf(found: Session["inputs"], given: Session["inputs"]): Session["inputs"] {
  return found === undefined ? given : { ...found, ...given }
}

function environmentOf(
  { config }: Workspace,
  options: SessionOptions,
  model: string | undefined,
): Pick<Session, "environment"> {
  if (options.env === undefined) return {}
  const { id: session, timeZone, place = {}, env } = options
  return { environment: detectEnvironment({ model, session, timeZone, place, env }, config.environment) }
}
