// The way out of the protocol: each message is one chunk, and no key of the environment is in any of them.
import { Writable } from "node:stream"

export function redactedOutput(output: Writable, redact: (text: string) => string): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      if (output.write(redact(String(chunk)))) done()
      else output.once("drain", () => done())
    },
  })
}
