// The forms in which a value may appear: plain, in JSON, in a URL, in hexadecimal, and in base64, where it looks
// different at each of three positions.

/** No form of a value of eight or more characters is shorter than eight, so none matches ordinary text by chance. */
export function encodingsOf(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1)
  const inAddress = encodeURIComponent(value.toWellFormed())
  const bytes = Buffer.from(value)
  const hex = bytes.toString("hex")
  const forms = [
    ...[value, inJson, JSON.stringify(inJson).slice(1, -1)],
    ...[inAddress, inAddress.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
    ...[inAddress.replaceAll("%20", "+"), hex, hex.toUpperCase()],
    ...[bytes.toString("base64"), bytes.toString("base64url")],
    ...[0, 1, 2].flatMap((shift) => withinBase64(bytes, shift)),
  ]
  return [...new Set(forms)]
}

/** The part that is the same whatever comes before and after, if a longer text is encoded as a whole. */
function withinBase64(bytes: Buffer, shift: number): readonly string[] {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64url")
  const whole = Math.floor(((shift + bytes.length) * 8) / 6)
  const core = text.slice(Math.ceil((shift * 8) / 6), whole)
  return [core, core.replaceAll("-", "+").replaceAll("_", "/")]
}
