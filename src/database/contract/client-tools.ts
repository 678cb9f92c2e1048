// Tools that the sender of a message brings and runs, and what goes back and forth about them.

/** A tool that the sender of a message runs: the model is offered it beside the agent's own. */
export interface ClientTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A call of such a tool. The turn waits until it has a result. */
export interface ClientCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** The result of a call, as the sender reports it. */
export interface ClientResult {
  /** The id of the call. */
  readonly id: string
  readonly text: string
  readonly isError?: boolean
}
