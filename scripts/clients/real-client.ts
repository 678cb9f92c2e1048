// What a real client is to these scripts: an npm package, how it is pointed at a local server, and how it is asked.
import type { Client } from "../../src/capture/call.ts"

/** Where a client runs: a tree to work in, a home of its own, and the fake provider. */
export interface Place {
  readonly tree: string
  readonly home: string
  readonly url: string
  /** The client's `node_modules`. */
  readonly modules: string
  /** Where clients that can do so write each request and response. */
  readonly bodies: string
}

/** An MCP server that a person adds between two turns. */
export interface McpServer {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

/** An MCP server over HTTP. */
export interface WebServer {
  readonly name: string
  readonly url: string
  /** Its bearer token. */
  readonly secret: string
}

export interface Ask {
  readonly text: string
  readonly isFirst: boolean
  readonly model: string
  readonly server?: McpServer | undefined
  /** Only for clients that can be told of one. */
  readonly webServer?: WebServer | undefined
}

export interface RealClient {
  /** For `--client`. */
  readonly name: string
  readonly client: Client
  readonly package: string
  readonly version: string
  /** In `node_modules/.bin`. */
  readonly bin: string
  /** The first is used unless the model is changed. */
  readonly models: readonly [string, string]
  /** The instruction file that it reads from the tree. */
  readonly instructions: string
  /** Where it looks for skills in the tree. */
  readonly skills: string
  /** Whether requests can be rebuilt as sent from the client's own files. */
  readonly exact: boolean
  /** Writes its settings; called again when a server has been added. */
  readonly setUp: (place: Place, ask: Omit<Ask, "text" | "isFirst">) => void
  readonly args: (ask: Ask, place: Place) => readonly string[]
  readonly variables: (place: Place) => Readonly<Record<string, string>>
}
