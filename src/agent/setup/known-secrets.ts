// The agent's secrets by value: those of its environment, those that its configuration names, and those that it sends
// to MCP servers.
import process from "node:process"
import { passwordsIn, secretsAmong, secretsInHeaders } from "../../record/redact/secret-variables.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { filledWith } from "../mcp/config.ts"

type Env = Readonly<Record<string, string | undefined>>

/** An agent may get other variables than the process has; both count. */
export function knownSecrets(config: Config, env: Env): readonly string[] {
  const { mcp = {}, providers = {}, record } = config
  const keys = Object.values(providers).flatMap(({ key }) => (key === undefined ? [] : [key]))
  const named = [...keys, ...channelVariables(config)]
  const servers = Object.values(mcp).flatMap((server) => [
    ...secretsAmong(filledWith(server.env, env)),
    ...secretsInHeaders(filledWith(server.headers, env)),
    ...Object.values(filledWith(server.oauth?.secret ? { secret: server.oauth.secret } : {}, env)),
    ...passwordsIn(server.url ?? ""),
  ])
  const addresses = [record?.otlp?.endpoint ?? "", ...Object.values(providers).map(({ url }) => url)]
  return [
    ...secretsAmong(process.env, named),
    ...secretsAmong(env, named),
    ...servers,
    ...addresses.flatMap(passwordsIn),
  ]
}

function channelVariables({ serve }: Config): readonly string[] {
  const { telegram, webhook } = serve?.channels ?? {}
  const names = [telegram?.token, webhook?.secret, webhook?.previous_secret]
  return names.filter((name) => name !== undefined)
}
