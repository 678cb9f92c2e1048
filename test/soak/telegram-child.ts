// A process that answers Telegram messages until it is killed: `node telegram-child.ts FOLDER URL TOKEN`.
import { join } from "node:path"
import process from "node:process"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import { openAgent } from "../../src/agent/setup/open.ts"
import { openStore } from "../../src/database/sqlite/agent/open-store.ts"
import { connectChannels } from "../../src/serve/channels/connect-channels.ts"
import { telegram } from "../../src/serve/channels/telegram/telegram.ts"

const [folder = "", url = "", token = ""] = process.argv.slice(2)
const state = join(folder, "state")
const store = await openStore(join(state, "agent.db"))
const connections = connectChannels({
  store,
  channels: [
    {
      channel: telegram({ token, url, pollSeconds: 5 }),
      policy: { strangers: "silent", rooms: "mentions" },
    },
  ],
  acquaintance: { isUser: (identity) => identity === "telegram:1", isRoom: () => false },
  random: () => 0,
  trouble: (channel, error) => console.error(channel, error),
})
const agent = await openAgent({
  ...{ workspace: folder, home: folder, env: {}, state, store, deliver: connections.deliver },
  ...{ model: offlineModel(), record: false, memory: false },
})
connections.start(() => agent)
// Answers what earlier processes have left; those of a process that died a moment ago may still look taken.
for (;;) {
  await agent.resume().catch((error: unknown) => console.error(error))
  await new Promise((resolve) => setTimeout(resolve, 500))
}
