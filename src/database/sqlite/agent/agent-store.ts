// All parts of the agent's store on one open SQLite file.
import type { AgentStore } from "../../contract/agent-store.ts"
import { NO_WAKE_UPS } from "../../contract/wake.ts"
import type { Database } from "../database.ts"
import { inboxIn, outboxIn } from "./inbox.ts"
import { noticesIn } from "./notices.ts"
import { bulletinsIn, workflowsIn, writingHabitsIn } from "./people.ts"
import { upkeepIn } from "./retention.ts"
import { resultsIn, runsIn } from "./runs.ts"
import { scheduleIn } from "./schedule.ts"
import { channelsIn } from "./serve/channels.ts"
import { deliveriesIn } from "./serve/deliveries.ts"
import { pairingsIn } from "./serve/pairings.ts"
import { placesIn } from "./serve/places.ts"
import { questionsIn } from "./serve/questions.ts"
import { requestsIn } from "./serve/requests.ts"
import { spendingIn } from "./serve/spending.ts"
import { tokensIn } from "./serve/tokens.ts"
import { sessionsIn } from "./sessions.ts"
import { steeringIn } from "./steering-input.ts"
import { storeFile } from "./store-file.ts"
import { tasksIn } from "./tasks.ts"
import { transcriptsIn } from "./transcripts.ts"
import { waitsIn } from "./waits.ts"

export function agentStoreIn(database: Database, now: () => number): AgentStore {
  const file = storeFile(database, now)
  return {
    sessions: sessionsIn(file),
    inbox: inboxIn(file),
    waits: waitsIn(file),
    steering: steeringIn(file),
    transcripts: transcriptsIn(file),
    runs: runsIn(file),
    results: resultsIn(file),
    outbox: outboxIn(file),
    schedule: scheduleIn(file),
    tasks: tasksIn(file),
    workflows: workflowsIn(file),
    writingHabits: writingHabitsIn(file),
    bulletins: bulletinsIn(file),
    notices: noticesIn(file),
    tokens: tokensIn(file),
    pairings: pairingsIn(file),
    channels: channelsIn(file),
    deliveries: deliveriesIn(file),
    places: placesIn(file),
    questions: questionsIn(file),
    requests: requestsIn(file),
    spending: spendingIn(file),
    upkeep: upkeepIn(file),
    wakeUps: NO_WAKE_UPS,
    isGone: async () => database.isGone(),
    close: file.close,
  }
}
