// All parts of the agent's store in one PostgreSQL schema.
import type { AgentStore } from "../../contract/agent-store.ts"
import { WAKE_KINDS, type Wake, type WakeUps } from "../../contract/wake.ts"
import type { Postgres } from "../postgres.ts"
import { inboxIn } from "./inbox.ts"
import { outboxIn } from "./outbox.ts"
import { bulletinsIn, noticesIn, workflowsIn, writingHabitsIn } from "./people.ts"
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
import { storeConnection, wakeChannel } from "./store-connection.ts"
import { tasksIn } from "./tasks.ts"
import { transcriptsIn } from "./transcripts.ts"
import { waitsIn } from "./waits.ts"

export function agentStoreIn(postgres: Postgres): AgentStore {
  const connection = storeConnection(postgres)
  return {
    sessions: sessionsIn(connection),
    inbox: inboxIn(connection),
    waits: waitsIn(connection),
    steering: steeringIn(connection),
    transcripts: transcriptsIn(connection),
    runs: runsIn(connection),
    results: resultsIn(connection),
    outbox: outboxIn(connection),
    schedule: scheduleIn(connection),
    tasks: tasksIn(connection),
    workflows: workflowsIn(connection),
    writingHabits: writingHabitsIn(connection),
    bulletins: bulletinsIn(connection),
    notices: noticesIn(connection),
    tokens: tokensIn(connection),
    pairings: pairingsIn(connection),
    channels: channelsIn(connection),
    deliveries: deliveriesIn(connection),
    places: placesIn(connection),
    questions: questionsIn(connection),
    requests: requestsIn(connection),
    spending: spendingIn(connection),
    upkeep: upkeepIn(connection),
    wakeUps: wakeUpsIn(postgres),
    ownClock: async () => Number((await postgres.get("SELECT now_ms() AS now"))?.now),
    async isGone() {
      const row = await postgres.get("SELECT to_regclass('sessions') IS NULL AS gone")
      return row?.gone === true
    },
    close: () => postgres.close(),
  }
}

function wakeUpsIn(postgres: Postgres): WakeUps {
  return {
    areSent: postgres.listens,
    listen: (listener) =>
      postgres.listen(wakeChannel(postgres.schema), (payload) => {
        for (const wake of wakesIn(payload)) listener(wake)
      }),
  }
}

/** All kinds if some may have been missed. */
function wakesIn(payload: string | undefined): readonly Wake[] {
  if (payload === undefined) return WAKE_KINDS.map((kind) => ({ kind }))
  const [word, ...session] = payload.split(" ")
  const kind = WAKE_KINDS.find((one) => one === word)
  return kind === undefined ? [] : [{ kind, session: session.join(" ") || undefined }]
}
