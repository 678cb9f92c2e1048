// A local server for each protocol, so that one conversation can go from provider to provider. Each refuses what the real
// one refuses.
import { onTestFinished } from "vitest"
import { PROTOCOL_NAMES } from "./ask-model.ts"
import type { Json } from "./servers/refusals.ts"
import type { Part, Script } from "./servers/script.ts"
import { type ProtocolName, type ProviderServer, startServer } from "./servers/server.ts"

export interface AskedOf {
  readonly protocol: ProtocolName
  readonly body: Json
}

export interface AllServers {
  /** For an agent that may ask any of them. */
  readonly env: Readonly<Record<string, string>>
  readonly refusals: () => readonly string[]
  /** What was accepted, byte for byte. */
  readonly bodies: (protocol: ProtocolName) => readonly string[]
  readonly close: () => Promise<void>
}

export async function allServers(answer: (asked: AskedOf) => readonly Part[] | Script): Promise<AllServers> {
  const servers = new Map<ProtocolName, ProviderServer>()
  for (const protocol of PROTOCOL_NAMES) {
    const server: ProviderServer = await startServer({
      protocol,
      answer: (): Script => {
        const script = answer({ protocol, body: JSON.parse(server.sent.at(-1) ?? "") })
        return "kind" in script ? script : { kind: "reply", parts: script }
      },
    })
    servers.set(protocol, server)
  }
  const close = async () => {
    await Promise.all([...servers.values()].map((server) => server.close()))
  }
  onTestFinished(close)
  return {
    close,
    env: Object.assign({}, ...[...servers.values()].map(({ env }) => env)),
    refusals: () => [...servers].flatMap(([name, { refusals }]) => refusals.map((why) => `${name}: ${why}`)),
    bodies: (protocol) => servers.get(protocol)?.bodies ?? [],
  }
}
