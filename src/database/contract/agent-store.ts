// What an agent needs to continue after a crash, as an interface that each database driver implements. One method is one
// transaction and one decision, so a process may die between any two of them and another one continues from there.
// Plain data goes in and out; times are those of the store's clock.

import type { Inbox } from "./inbox.ts"
import type { Outbox } from "./outbox.ts"
import type { Bulletins, Notices, WorkflowPlaces, WritingHabits } from "./people.ts"
import type { LongResults, ToolRuns } from "./runs.ts"
import type { StoredSchedule } from "./schedule.ts"
import type { Channels } from "./serve/channels.ts"
import type { Deliveries } from "./serve/deliveries.ts"
import type { Pairings } from "./serve/pairings.ts"
import type { Places } from "./serve/places.ts"
import type { Questions } from "./serve/questions.ts"
import type { Requests } from "./serve/requests.ts"
import type { Spending } from "./serve/spending.ts"
import type { Tokens } from "./serve/tokens.ts"
import type { Sessions } from "./sessions.ts"
import type { StoredTasks } from "./tasks.ts"
import type { Transcripts } from "./transcripts.ts"
import type { Upkeep } from "./upkeep.ts"
import type { Steering, Waits } from "./waits.ts"
import type { WakeUps } from "./wake.ts"

/**
 * Where an agent keeps what must survive a crash. Methods that take a lease throw `session-lost` if it is lost; all
 * throw `unusable-database` for a failure.
 */
export interface AgentStore {
  readonly sessions: Sessions
  readonly inbox: Inbox
  readonly waits: Waits
  readonly steering: Steering
  readonly transcripts: Transcripts
  readonly runs: ToolRuns
  readonly results: LongResults
  readonly outbox: Outbox
  readonly schedule: StoredSchedule
  readonly tasks: StoredTasks
  readonly workflows: WorkflowPlaces
  readonly writingHabits: WritingHabits
  readonly bulletins: Bulletins
  readonly notices: Notices
  readonly tokens: Tokens
  readonly pairings: Pairings
  readonly channels: Channels
  readonly deliveries: Deliveries
  readonly places: Places
  readonly questions: Questions
  readonly requests: Requests
  readonly spending: Spending
  readonly upkeep: Upkeep
  readonly wakeUps: WakeUps
  /** The time by the store's own clock; undefined if that is the clock that it was opened with. */
  readonly ownClock?: () => Promise<number>
  /** Whether what was stored is gone, and with it what is written from now on. */
  isGone(): Promise<boolean>
  close(): Promise<void>
}
