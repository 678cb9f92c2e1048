// One line of input as a message, or as the error that answers it.
import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server"
import { isRecord } from "../../../base/is-record.ts"
import type { InputLine } from "./input-lines.ts"

export type ReadMessage =
  | { readonly message: JSONRPCMessage }
  | { readonly refusal: Omit<JSONRPCErrorResponse, "id"> & { readonly id: string | number | null } }

export function readMessage(line: InputLine, mostBytes: number): ReadMessage {
  const { ParseError, InvalidRequest } = ProtocolErrorCode
  if (line.kind === "too-long") return refused(InvalidRequest, `A message has at most ${mostBytes} bytes.`)
  if (line.kind === "not-utf-8") return refused(ParseError, "This line isn't UTF-8.")
  const json = jsonIn(line.text)
  if (json === undefined) return refused(ParseError, "This line isn't JSON. Each message is one line.")
  if (Array.isArray(json.value)) return refused(InvalidRequest, "Send each message as a line of its own.")
  try {
    return { message: parseJSONRPCMessage(json.value) }
  } catch {
    return refused(InvalidRequest, "This isn't a JSON-RPC message.", idIn(json.value))
  }
}

function refused(code: number, message: string, id: string | number | null = null): ReadMessage {
  return { refusal: { jsonrpc: "2.0", id, error: { code, message } } }
}

function jsonIn(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Of a request that is wrong in another way, so that whoever waits for it gets the answer. */
function idIn(value: unknown): string | number | null {
  const id = isRecord(value) ? value.id : undefined
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null
}
