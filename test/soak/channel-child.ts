// A gateway that answers over channels until it is killed: `node channel-child.ts FOLDER`, with incipit.yaml in FOLDER
// and the channels' secrets in the environment. Prints its address once it can be reached.
import { join } from "node:path"
import process from "node:process"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import { openAgent } from "../../src/agent/setup/open.ts"
import { openStore } from "../../src/database/sqlite/agent/open-store.ts"
import { createLiveFeed } from "../../src/serve/api/live/live-feed.ts"
import { createApprovalDesk } from "../../src/serve/gateway/approval-desk.ts"
import { configuredChannels } from "../../src/serve/gateway/configured-channels.ts"
import { currentConfig } from "../../src/serve/gateway/current-config.ts"
import { openGateway } from "../../src/serve/gateway/gateway.ts"
import { serveSettings } from "../../src/serve/http/settings.ts"

const [workspace = ""] = process.argv.slice(2)
const state = join(workspace, "state")
const store = await openStore(join(state, "agent.db"))
const config = currentConfig(workspace)
const gateway = await openGateway({
  ...{ workspace, config, store, surfaces: [], now: Date.now, warn: () => {}, live: createLiveFeed() },
  settings: serveSettings(config(), { port: 0 }, () => ""),
  channels: configuredChannels(config(), { env: process.env, now: Date.now }),
  approvals: createApprovalDesk({ questions: store.questions, expiresInMs: 1_000 }),
  open: (_, ports) =>
    openAgent({
      ...{ workspace, home: workspace, env: {}, state, store, record: false, memory: false, ...ports },
      model: offlineModel({ script: ({ message }) => `Answer to ${/round-\d+/.exec(message)?.[0]}` }),
    }),
})
process.stdout.write(`${gateway.url}\n`)
