// The workflow that somebody is in, across sessions: which one, and at which step. A file that was changed meanwhile
// keeps the place by the text of its step. One at a time for each person or room.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { atLeast, type Trust } from "../../base/trust.ts"
import type { Database } from "../../database/sqlite/database.ts"
import type { WorkflowFile } from "../../sources/workflow-files.ts"
import type { Gathered } from "../../sources/workspace.ts"
import type { WorkflowBoard, WorkflowPlace } from "../../tools/host.ts"
import type { Keeping } from "./who.ts"

/** What the section of a workflow is made from. */
export interface ToldWorkflow {
  readonly name: string
  readonly steps: readonly string[]
  readonly current: number
  /** Of the current step. */
  readonly notes: readonly string[]
}

export interface Workflows extends WorkflowBoard {
  /** Those that this trust may see, with what is wrong with files. */
  list(): Gathered<readonly WorkflowFile[]>
  /** From its first step, in place of what was under way; nothing if there is no such workflow. */
  start(name: string): WorkflowPlace | undefined
  /** One step back; the first stays. */
  back(): WorkflowPlace | undefined
  /** False if nothing was under way. */
  stop(): boolean
  /** For the turn. */
  told(): ToldWorkflow | undefined
}

export interface WorkflowOptions extends Keeping {
  readonly trust: Trust
  /** Reads the files as they are now. */
  readonly read: () => Gathered<readonly WorkflowFile[]>
}

interface KeptPlace {
  readonly name: string
  readonly current: number
  readonly step: string
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
    const { value, diagnostics } = this.#seen()
    return { value, diagnostics: [...diagnostics, ...missing(this.#kept(), value)] }
  }

  start(name: string): WorkflowPlace | undefined {
    const file = this.#seen().value.find((one) => one.name === name)
    return file && this.#goTo(file, 1)
  }

  current(): WorkflowPlace | undefined {
    const at = this.#place()
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
    const at = this.#place()
    return at && toldOf(at)
  }

  #seen(): Gathered<readonly WorkflowFile[]> {
    const { read, trust } = this.#options
    return seenBy(read(), trust)
  }

  #kept(): KeptPlace | undefined {
    const { agent, who } = this.#options
    const row = this.#database.get("SELECT * FROM workflows WHERE agent = ? AND who = ?", agent, who)
    return row && { name: String(row.name), current: Number(row.current), step: String(row.step) }
  }

  #place(): At | undefined {
    const kept = this.#kept()
    // Files are read only for somebody who is in a workflow.
    const file = kept && this.#seen().value.find(({ name }) => name === kept.name)
    return file && placeOf(file, kept)
  }

  #move(by: 1 | -1): WorkflowPlace | undefined {
    return this.#database.transaction(() => {
      const at = this.#place()
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

/** Where the step stands now: where it stood, else the nearest with the same text, else as near as can be. */
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

/** What the trust may see; of two with one name the first of these counts. Findings are as hidden as their files. */
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
