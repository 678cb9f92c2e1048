// Reads a response into memory, up to a limit.
import { ChannelFault } from "./channel.ts"

/** Throws a final `ChannelFault` once there is more. */
export async function readLimited(response: Response, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > mostBytes) throw new ChannelFault(`it has more than ${mostBytes} bytes`, { isFinal: true })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
