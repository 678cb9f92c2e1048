// A whole gateway with everything around it: people over HTTP, Telegram and a webhook, and a provider on loopback with
// the worst of models. Keeps all bytes that left the gateway, by the place that they were for.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { MODEL, masked } from "../../agent/world/agent-world.ts"
import { startServer } from "../../agent/world/servers/server.ts"
import { fakeTelegram } from "../channels/fake-telegram.ts"
import { openWholeGateway } from "../whole-gateway.ts"
import { parrot, placeOf } from "./parrot.ts"
import { FILES, PLACES, type PlaceName, wordOf } from "./places.ts"
import { overHttp, overTelegram, overWebhook, type Said, WEBHOOK_SECRET } from "./ways.ts"

const NOW = Date.UTC(2026, 5, 15, 7)

/** Everything that left the gateway for one place. */
export interface Heard {
  readonly provider: readonly string[]
  readonly people: readonly string[]
}

export interface WireWorld {
  /** Says it in its place, and waits for the answer. */
  say(said: Said): Promise<void>
  heard(place: PlaceName): Heard
  close(): Promise<void>
}

/** `text`: what a file holds besides its word. */
export async function openWireWorld(text: (path: string) => string): Promise<WireWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-wire-")))
  const workspace = join(folder, "workspace")
  // Time passes, so that it is known which conversation was the last; prompts have minutes.
  const start = performance.now()
  const now = () => NOW + Math.floor(performance.now() - start)
  const provider = await startServer({ protocol: "anthropic", answer: parrot, now })
  const telegram = await fakeTelegram()
  const webhook = await overWebhook(() => gateway.url, now)
  write(workspace, "incipit.yaml", configFor(telegram.url, webhook.receiver))
  for (const { path, head = "" } of FILES) write(workspace, path, `${head}${wordOf(path)} ${text(path)}\n`)
  const gateway = await openWholeGateway({
    ...{ folder, now, model: MODEL, timeZone: "UTC", random: () => 0 },
    env: { ...provider.env, BOT_TOKEN: telegram.token, WEBHOOK_SECRET },
  })
  const tokens = { ada: await gateway.token("ada"), bo: await gateway.token("bo") }
  const ways = { http: overHttp(() => gateway.url, tokens), telegram: overTelegram(telegram), webhook }
  return {
    say: (said) => ways[PLACES[said.place].by].say(said),
    heard(place) {
      const hide = (bytes: string) =>
        masked(bytes.replaceAll(folder, "FOLDER"))
          .replaceAll(UUID, "UUID")
          .replaceAll(/(?<="created":)\d+/g, "0")
      return {
        provider: provider.sent.filter((request) => placeOf(request) === place).map(hide),
        people: ways[PLACES[place].by].heard(place).map(hide),
      }
    },
    async close() {
      await gateway.close()
      await telegram.close()
      await webhook.close?.()
      await provider.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g

function configFor(bot: string, receiver: string): string {
  return `
users:
  ada: { trust: full, match: ["telegram:1", "webhook:ada"] }
  bo: { trust: familiar, match: ["telegram:2", "webhook:bo"] }
rooms: { "telegram:-100": { trust: familiar }, "webhook:room/deck": { trust: familiar } }
feeds: { bulletin: off }
serve:
  channels:
    telegram: { token: BOT_TOKEN, url: "${bot}", strangers: public }
    webhook: { secret: WEBHOOK_SECRET, url: "${receiver}", strangers: silent }
`
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
