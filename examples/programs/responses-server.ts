// A small local server that speaks OpenAI's Responses protocol: it keeps what it was sent and answers what it is told to.
// No model, no network: for trying things and for tests.
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import type { ResponsesRequest } from "incipit/render"

export interface ResponsesServer {
  /** The base URL of the API, for the SDK. */
  readonly url: string
  /** The body of every request, as it came in. */
  readonly bodies: readonly string[]
  close(): Promise<void>
}

/** What the model does with a request: call a tool, or say something. */
export type ResponsesAnswer = (
  request: ResponsesRequest,
  number: number,
) => { readonly call: string; readonly input: object } | { readonly text: string }

export async function startResponsesServer(answer: ResponsesAnswer): Promise<ResponsesServer> {
  const bodies: string[] = []
  const server = createServer(async (incoming, response) => {
    const body = await read(incoming)
    bodies.push(body)
    const request: ResponsesRequest = JSON.parse(body)
    const output = [itemOf(answer(request, bodies.length), bodies.length)]
    const reply = { id: `resp_${bodies.length}`, object: "response", status: "completed", output }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  // An address on a port is what `listen` with a port number gives.
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}/v1`, bodies, close }
}

function itemOf(answer: ReturnType<ResponsesAnswer>, number: number): object {
  if ("call" in answer)
    return {
      type: "function_call",
      id: `fc_${number}`,
      call_id: `call_${number}`,
      name: answer.call,
      arguments: JSON.stringify(answer.input),
      status: "completed",
    }
  const content = [{ type: "output_text", text: answer.text, annotations: [] }]
  return { type: "message", id: `msg_${number}`, role: "assistant", status: "completed", content }
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}
