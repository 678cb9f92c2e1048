// The workflow that a person or room is in, across sessions: which one, and at which step. If the file has changed, the
// text of the step finds the place again. One workflow at a time for each person or room.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { atLeast, type Trust } from "../../base/trust.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { StoredPlace, Whose, WorkflowPlaces } from "../../database/contract/people.ts"
import type { WorkflowFile } from "../../sources/workflow-files.ts"
import type { Gathered } from "../../sources/workspace.ts"
import type { WorkflowBoard, WorkflowPlace } from "../../tools/host.ts"

/** The input of the workflow section. */
export interface CurrentWorkflow {
  readonly name: string
  readonly steps: readonly string[]
  readonly current: number
  /** Notes of the current step. */
  readonly notes: readonly string[]
}

export interface Workflows extends WorkflowBoard {
  /** The workflows that this trust may see, with diagnostics about their files. */
  list(): Promise<Gathered<readonly WorkflowFile[]>>
  /** Starts at the first step and replaces the current workflow. Returns undefined if there is no such workflow. */
  start(name: string): Promise<WorkflowPlace | undefined>
  /** Goes back one step, if there is one. */
  back(): Promise<WorkflowPlace | undefined>
  /** Returns false if there was no current workflow. */
  stop(): Promise<boolean>
  /** The input for the turn; undefined outside of a workflow. */
  forPrompt(): Promise<CurrentWorkflow | undefined>
}

export interface WorkflowOptions extends Whose {
  readonly trust: Trust
  /** Reads the current files. */
  readonly read: () => Gathered<readonly WorkflowFile[]>
}

/** The workflow for a prompt. Has no effects. */
export async function readWorkflow(
  places: Pick<WorkflowPlaces, "get">,
  options: WorkflowOptions,
): Promise<CurrentWorkflow | undefined> {
  const at = await placeIn(places, options)
  return at && currentWorkflow(at)
}

export function openWorkflows({ workflows: places }: Stored, options: WorkflowOptions): Workflows {
  return {
    async list() {
      const { value, diagnostics } = filesFor(options)
      return { value, diagnostics: [...diagnostics, ...missing(await places.get(options), value)] }
    },
    async start(name) {
      const file = filesFor(options).value.find((one) => one.name === name)
      if (file === undefined) return undefined
      const first = { file, current: 1 }
      await places.put(options, storedPlace(first))
      return publicPlace(first)
    },
    async current() {
      const at = await placeIn(places, options)
      return at && publicPlace(at)
    },
    advance: () => move(places, options, 1),
    back: () => move(places, options, -1),
    stop: () => places.remove(options),
    forPrompt: () => readWorkflow(places, options),
  }
}

type Stored = Pick<AgentStore, "workflows">

/** Another process may move at the same time: then the step is taken from where it left off. */
async function move(
  places: WorkflowPlaces,
  options: WorkflowOptions,
  by: 1 | -1,
): Promise<WorkflowPlace | undefined> {
  for (;;) {
    const kept = await places.get(options)
    const at = kept && placeFor(kept, options)
    if (kept === undefined || at === undefined) return undefined
    const next = { file: at.file, current: Math.max(1, at.current + by) }
    const isFinished = next.current > at.file.steps.length
    if (await places.move(options, kept, isFinished ? undefined : storedPlace(next)))
      return isFinished ? { ...publicPlace(at), isFinished } : publicPlace(next)
  }
}

interface At {
  readonly file: WorkflowFile
  readonly current: number
}

function filesFor({ read, trust }: WorkflowOptions): Gathered<readonly WorkflowFile[]> {
  return seenBy(read(), trust)
}

async function placeIn(
  places: Pick<WorkflowPlaces, "get">,
  options: WorkflowOptions,
): Promise<At | undefined> {
  const kept = await places.get(options)
  // Read files only for a person who is in a workflow.
  return kept && placeFor(kept, options)
}

/** Undefined if this trust sees no such workflow. */
function placeFor(kept: StoredPlace, options: WorkflowOptions): At | undefined {
  const file = filesFor(options).value.find(({ name }) => name === kept.name)
  return file && placeOf(file, kept)
}

function storedPlace(at: At): StoredPlace {
  return { name: at.file.name, current: at.current, step: publicPlace(at).step }
}

/** Finds the step: at its old place, else the nearest step with the same text, else the nearest place. */
function placeOf(file: WorkflowFile, { current, step }: StoredPlace): At {
  const same = file.steps.flatMap(({ title }, at) => (title === step ? [at + 1] : []))
  const nearest = same.toSorted((a, b) => Math.abs(a - current) - Math.abs(b - current))[0]
  return { file, current: nearest ?? Math.min(current, file.steps.length) }
}

function publicPlace({ file, current }: At): WorkflowPlace {
  const { title, notes } = file.steps[current - 1] ?? { title: "", notes: [] }
  return { title: file.title, current, of: file.steps.length, step: title, notes, isFinished: false }
}

function currentWorkflow({ file, current }: At): CurrentWorkflow {
  return {
    name: file.title,
    steps: file.steps.map(({ title }) => title),
    current,
    notes: file.steps[current - 1]?.notes ?? [],
  }
}

/**
 * Keeps what the trust may see; of two workflows with one name, the first visible one counts. Diagnostics are as hidden as
 * their files.
 */
function seenBy(
  { value, diagnostics }: Gathered<readonly WorkflowFile[]>,
  trust: Trust,
): Gathered<readonly WorkflowFile[]> {
  const seen = value.filter((file) => atLeast(trust, file.trust))
  const firstOf = (name: string) => seen.find((file) => file.name === name)
  const taken = seen.flatMap(({ name, path }): readonly Diagnostic[] => {
    const by = firstOf(name)?.path
    return by === undefined || by === path ? [] : [{ code: "workflow-name-taken", path, by }]
  })
  return {
    value: seen.filter((file) => firstOf(file.name) === file),
    diagnostics: [...diagnostics.filter(({ needs = "public" }) => atLeast(trust, needs)), ...taken],
  }
}

function missing(kept: StoredPlace | undefined, seen: readonly WorkflowFile[]): readonly Diagnostic[] {
  const isMissing = kept !== undefined && !seen.some(({ name }) => name === kept.name)
  return isMissing ? [{ code: "workflow-missing", path: kept.name }] : []
}
