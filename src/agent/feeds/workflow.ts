// The workflow that a person or room is in, across sessions: which one, and at which step. If the file has changed, the
// text of the step finds the place again. One workflow at a time for each person or room.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { atLeast, type Trust } from "../../base/trust.ts"
import type { Database, DatabaseReader } from "../../database/sqlite/database.ts"
import type { WorkflowFile } from "../../sources/workflow-files.ts"
import type { Gathered } from "../../sources/workspace.ts"
import type { WorkflowBoard, WorkflowPlace } from "../../tools/host.ts"
import type { Keeping } from "./who.ts"

/** The input of the workflow section. */
export interface ToldWorkflow {
  readonly name: string
  readonly steps: readonly string[]
  readonly current: number
  /** Notes of the current step. */
  readonly notes: readonly string[]
}

export interface Workflows extends WorkflowBoard {
  /** The workflows that this trust may see, with diagnostics about their files. */
  list(): Gathered<readonly WorkflowFile[]>
  /** Starts at the first step and replaces the current workflow. Returns undefined if there is no such workflow. */
  start(name: string): WorkflowPlace | undefined
  /** Goes back one step, if there is one. */
  back(): WorkflowPlace | undefined
  /** Returns false if there was no current workflow. */
  stop(): boolean
  /** The input for the turn; undefined outside of a workflow. */
  told(): ToldWorkflow | undefined
}

export interface WorkflowOptions extends Keeping {
  readonly trust: Trust
  /** Reads the current files. */
  readonly read: () => Gathered<readonly WorkflowFile[]>
}

interface KeptPlace {
  readonly name: string
  readonly current: number
  readonly step: string
}

/** The workflow for a prompt. Has no effects. */
export function readWorkflow(database: DatabaseReader, options: WorkflowOptions): ToldWorkflow | undefined {
  const at = placeIn(database, options)
  return at && toldOf(at)
}

export function openWorkflows(database: Database, options: WorkflowOptions): Workflows {
  return new KeptWorkflows(database, options)
}

class KeptWorkflows implements Workflows {
  readonly #database: Database
  readonly #options: WorkflowOptions

  constructor(database: Database, options: WorkflowOptions) {
    this.#database = database
    this.#options = options
  }

  list(): Gathered<readonly WorkflowFile[]> {
    const { value, diagnostics } = filesFor(this.#options)
    const kept = keptPlace(this.#database, this.#options)
    return { value, diagnostics: [...diagnostics, ...missing(kept, value)] }
  }

  start(name: string): WorkflowPlace | undefined {
    const file = filesFor(this.#options).value.find((one) => one.name === name)
    return file && this.#goTo(file, 1)
  }

  current(): WorkflowPlace | undefined {
    const at = placeIn(this.#database, this.#options)
    return at && publicPlace(at)
  }

  advance(): WorkflowPlace | undefined {
    return this.#move(1)
  }

  back(): WorkflowPlace | undefined {
    return this.#move(-1)
  }

  stop(): boolean {
    const { agent, who } = this.#options
    const { changes } = this.#database.run("DELETE FROM workflows WHERE agent = ? AND who = ?", agent, who)
    return changes > 0
  }

  told(): ToldWorkflow | undefined {
    return readWorkflow(this.#database, this.#options)
  }

  #move(by: 1 | -1): WorkflowPlace | undefined {
    return this.#database.transaction(() => {
      const at = placeIn(this.#database, this.#options)
      if (at === undefined) return undefined
      const next = Math.max(1, at.current + by)
      if (next <= at.file.steps.length) return this.#goTo(at.file, next)
      this.stop()
      return { ...publicPlace(at), isFinished: true }
    })
  }

  #goTo(file: WorkflowFile, current: number): WorkflowPlace {
    const { agent, who, now } = this.#options
    const place = publicPlace({ file, current })
    this.#database.run(
      "INSERT OR REPLACE INTO workflows (agent, who, name, current, step, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
      ...[agent, who, file.name, current, place.step, now()],
    )
    return place
  }
}

interface At {
  readonly file: WorkflowFile
  readonly current: number
}

function filesFor({ read, trust }: WorkflowOptions): Gathered<readonly WorkflowFile[]> {
  return seenBy(read(), trust)
}

function keptPlace(database: DatabaseReader, { agent, who }: WorkflowOptions): KeptPlace | undefined {
  const row = database.get("SELECT * FROM workflows WHERE agent = ? AND who = ?", agent, who)
  return row && { name: String(row.name), current: Number(row.current), step: String(row.step) }
}

function placeIn(database: DatabaseReader, options: WorkflowOptions): At | undefined {
  const kept = keptPlace(database, options)
  // Read files only for a person who is in a workflow.
  const file = kept && filesFor(options).value.find(({ name }) => name === kept.name)
  return file && placeOf(file, kept)
}

/** Finds the step: at its old place, else the nearest step with the same text, else the nearest place. */
function placeOf(file: WorkflowFile, { current, step }: KeptPlace): At {
  const same = file.steps.flatMap(({ title }, at) => (title === step ? [at + 1] : []))
  const nearest = same.toSorted((a, b) => Math.abs(a - current) - Math.abs(b - current))[0]
  return { file, current: nearest ?? Math.min(current, file.steps.length) }
}

function publicPlace({ file, current }: At): WorkflowPlace {
  const { title, notes } = file.steps[current - 1] ?? { title: "", notes: [] }
  return { title: file.title, current, of: file.steps.length, step: title, notes, isFinished: false }
}

function toldOf({ file, current }: At): ToldWorkflow {
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

function missing(kept: KeptPlace | undefined, seen: readonly WorkflowFile[]): readonly Diagnostic[] {
  const isMissing = kept !== undefined && !seen.some(({ name }) => name === kept.name)
  return isMissing ? [{ code: "workflow-missing", path: kept.name }] : []
}
