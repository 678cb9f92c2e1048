// A body as it was before it was compressed. What broke off is decoded as far as it came.
import { promisify } from "node:util"
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib"
import { headerOf, type RawHeaders } from "./headers.ts"

/** A small body can unpack to any size. */
const MOST_BYTES = 256 << 20

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants
const limits = { maxOutputLength: MOST_BYTES }
const zlib = { ...limits, finishFlush: Z_SYNC_FLUSH }

const DECODERS: ReadonlyMap<string, (body: Buffer) => Promise<Buffer>> = new Map(
  Object.entries({
    identity: async (body: Buffer) => body,
    gzip: (body: Buffer) => promisify(gunzip)(body, zlib),
    "x-gzip": (body: Buffer) => promisify(gunzip)(body, zlib),
    // Some servers leave out the header that the standard asks for.
    deflate: (body: Buffer) => promisify(((body[0] ?? 0) & 15) === 8 ? inflate : inflateRaw)(body, zlib),
    br: (body: Buffer) =>
      promisify(brotliDecompress)(body, { ...limits, finishFlush: BROTLI_OPERATION_FLUSH }),
    zstd: (body: Buffer) => promisify(zstdDecompress)(body, { ...limits, finishFlush: ZSTD_e_flush }),
  }),
)

/** Returns undefined if it cannot be decoded. */
export async function decoded(body: Buffer, headers: RawHeaders): Promise<Buffer | undefined> {
  const names = (headerOf(headers, "content-encoding") ?? "identity").split(",")
  let left: Buffer = body
  for (const name of names.toReversed()) {
    const decode = DECODERS.get(name.trim().toLowerCase())
    if (decode === undefined) return undefined
    try {
      left = await decode(left)
    } catch (error) {
      // Not in this encoding, or too large.
      if (error instanceof Error) return undefined
      throw error
    }
  }
  return left
}
