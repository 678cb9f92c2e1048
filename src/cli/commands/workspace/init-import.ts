// What `init` can take over from the files of other agents: the MCP servers that they name. Starts and approves nothing,
// and copies no secret: its place is a variable.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { isRecord } from "../../../base/is-record.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../../base/json-depth.ts"
import { systemReason } from "../../../base/system-error.ts"
import { MAX_TEXT_BYTES, readBounded } from "../../../files/read-bounded.ts"
import { secretsAmong, secretsInHeaders } from "../../../record/redact/secret-variables.ts"

export interface FoundServer {
  readonly name: string
  /** The file that names it. */
  readonly from: string
  /** As incipit.yaml has it. */
  readonly entry: Readonly<Record<string, unknown>>
  /** The variables that hold what was a secret in the file. */
  readonly variables: readonly string[]
}

export interface Importable {
  readonly servers: readonly FoundServer[]
  /** What is not taken over, and why. */
  readonly leftOut: readonly string[]
}

const FILES = [".mcp.json", ".claude/settings.json"] as const
const MOST_SERVERS = 50

export function importableIn(folder: string): Importable {
  const read = FILES.map((from) => ({ from, value: readSettings(folder, from) }))
  const leftOut = read.flatMap(({ value }) => (typeof value === "string" ? [value] : []))
  const disabled = read.flatMap(({ value }) => (isRecord(value) ? textsIn(value.disabledMcpjsonServers) : []))
  const servers: FoundServer[] = []
  for (const { from, value } of read) {
    const named = isRecord(value) && isRecord(value.mcpServers) ? Object.entries(value.mcpServers) : []
    for (const [name, given] of named.slice(0, MOST_SERVERS)) {
      const found = disabled.includes(name) ? "it is disabled" : serverIn(name, from, given)
      if (typeof found === "string") leftOut.push(`the MCP server ${name} of ${from}: ${found}`)
      else if (!servers.some((one) => one.name === name)) servers.push(found)
    }
    if (named.length > MOST_SERVERS)
      leftOut.push(`the other MCP servers of ${from}: there are ${named.length}`)
    if (
      from === ".claude/settings.json" &&
      isRecord(value) &&
      (isRecord(value.permissions) || isRecord(value.hooks))
    )
      leftOut.push(`the permissions and hooks of ${from}: they are Claude Code's own`)
  }
  return { servers, leftOut }
}

/** Undefined if there is none; why it cannot be read, as text. */
function readSettings(folder: string, from: string): unknown {
  const path = join(folder, from)
  if (!existsSync(path)) return undefined
  try {
    const value: unknown = JSON.parse(readBounded(path, MAX_TEXT_BYTES, { staysInFolder: true }))
    if (isDeeperThan(value, MAX_JSON_DEPTH)) return `${from}: it is nested too deep`
    return isRecord(value) ? value : `${from}: it is not a JSON object`
  } catch (error) {
    return `${from}: ${error instanceof SyntaxError ? "it is not valid JSON" : systemReason(error)}`
  }
}

/** Returns why it cannot be taken over, as text. */
function serverIn(name: string, from: string, given: unknown): FoundServer | string {
  if (!isRecord(given)) return "it is not an object"
  const { command, url, type } = given
  if (/\$\{[^}]*:-/.test(JSON.stringify(given)))
    return "it has a variable with a default, which incipit.yaml does not have"
  if (typeof command === "string" && command !== "") {
    const { entry: env, variables } = withoutSecrets(given.env, isSecretVariable)
    const args = textsIn(given.args)
    return {
      name,
      from,
      variables,
      entry: { command, ...(args.length > 0 && { args }), ...(env && { env }) },
    }
  }
  if (type === "sse") return "it speaks the older SSE transport, which is not supported"
  if (typeof url !== "string" || !/^https?:\/\//.test(url)) return "it has neither a command nor an http URL"
  const { entry: headers, variables } = withoutSecrets(given.headers, isSecretHeader, `${name}_`)
  return { name, from, variables, entry: { url, ...(headers && { headers }) } }
}

function isSecretVariable(name: string, value: string): boolean {
  return secretsAmong({ [name]: value }).length > 0
}

function isSecretHeader(name: string, value: string): boolean {
  return secretsInHeaders({ [name]: value }).length > 0
}

/** A secret that is written out becomes a variable of its name. */
function withoutSecrets(
  given: unknown,
  isSecret: (name: string, value: string) => boolean,
  prefix = "",
): { readonly entry: Readonly<Record<string, string>> | undefined; readonly variables: readonly string[] } {
  const values = isRecord(given)
    ? Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === "string")
    : []
  const variables: string[] = []
  const entry = values.map(([name, value]) => {
    if (value.includes("$") || !isSecret(name, value)) return [name, value]
    const variable = `${prefix}${name}`
      .toUpperCase()
      .replaceAll(/\W/g, "_")
      .replace(/^(?=\d)/, "_")
    variables.push(variable)
    return [name, `\${${variable}}`]
  })
  return { entry: values.length === 0 ? undefined : Object.fromEntries(entry), variables }
}

function textsIn(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.filter((one) => typeof one === "string") : []
}
