// The schema of a tool as our connection has received it. What a model gets is less: the name of its draft is left out.
import { setTimeout as sleep } from "node:timers/promises"
import { openConnection } from "../../../src/agent/mcp/connection.ts"
import { isRecord } from "../../../src/base/is-record.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"

export async function receivedSchema(url: string, tool: string): Promise<unknown> {
  const connection = openConnection(
    { kind: "http", url, headers: {}, oauth: {} },
    {
      ...{ server: "suite", announced: undefined, signIns: undefined, secrets: createSecrets() },
      ...{ detail: () => {}, declined: () => {}, listChanged: () => {}, lost: () => {} },
      wait: (ms, signal) => sleep(ms, undefined, { signal }),
    },
  )
  const { tools } = await connection.start()
  await connection.close()
  const found = tools.find((one) => isRecord(one) && one.name === tool)
  return isRecord(found) ? found.inputSchema : undefined
}
