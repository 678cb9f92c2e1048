// A self-signed certificate for 127.0.0.1, written byte by byte: Node can sign and read certificates, but not make them.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto"

/** One value in DER: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const hex = (tag: number, bytes: string) => der(tag, Buffer.from(bytes, "hex"))
const text = (tag: number, value: string) => der(tag, Buffer.from(value, "ascii"))

const ECDSA_SHA256 = sequence(hex(0x06, "2a8648ce3d040302"))
const COMMON_NAME = hex(0x06, "550403")
const SUBJECT_ALT_NAME = hex(0x06, "551d11")
const LOOPBACK = hex(0x87, "7f000001")

export function selfSigned(name: string): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const who = sequence(der(0x31, sequence(COMMON_NAME, text(0x0c, name))))
  const facts = sequence(
    der(0xa0, hex(0x02, "02")),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ...[ECDSA_SHA256, who],
    sequence(text(0x17, "200101000000Z"), text(0x17, "491231235959Z")),
    who,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, sequence(LOOPBACK))))),
  )
  const signature = der(0x03, Buffer.from([0]), sign("sha256", facts, privateKey))
  const base64 = sequence(facts, ECDSA_SHA256, signature).toString("base64").replaceAll(/.{64}/g, "$&\n")
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}
