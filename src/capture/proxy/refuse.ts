// An answer of the proxy itself, in the form that clients of every provider read a message from.
import type { ServerResponse } from "node:http"

export function refuse(outgoing: ServerResponse, status: number, message: string): void {
  const type = status === 502 ? "api_error" : "invalid_request_error"
  const body = JSON.stringify({ type: "error", error: { type, message, code: status } })
  outgoing.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-incipit-proxy": "refused",
  })
  outgoing.end(body)
}
