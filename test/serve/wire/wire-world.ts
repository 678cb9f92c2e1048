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
  /** Bo looks at everything that the page shows him; it is what his own conversation over HTTP has heard then, too. */
  look(): Promise<void>
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
  const shown: string[] = []
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
        people: [...ways[PLACES[place].by].heard(place), ...(place === "bohttp" ? shown : [])].map(hide),
      }
    },
    async look() {
      const fetched = (path: string) =>
        fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${tokens.bo}` } })
      shown.push(
        ...(await pageAnswers(
          fetched,
          FILES.map(({ path }) => path),
        )),
      )
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

/** Times, and what depends on the name of the folder, which is in the prompt. */
const BY_CHANCE = /"(?:at|firstAt|lastAt|used|limit|conversation)":\d+|sha256:[\da-f]{64}/g

/** What the page's routes answer one person. */
async function pageAnswers(
  get: (path: string) => Promise<Response>,
  files: readonly string[],
): Promise<readonly string[]> {
  const answers: string[] = []
  const ask = async (path: string) => {
    const response = await get(path)
    const text = await response.text()
    answers.push(`${response.status} ${text.replaceAll(BY_CHANCE, "<n>")}`)
    return JSON.parse(text)
  }
  await ask("/api/page")
  const { sessions } = await ask("/api/page/sessions")
  for (const { id } of sessions) {
    const { calls } = await ask(`/api/calls?session=${id}`)
    for (const one of calls) await ask(`/api/calls/${one.id}`)
    for (const path of files) await ask(`/api/carried?path=${path}&from=1&to=9&session=${id}`)
  }
  return answers
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
