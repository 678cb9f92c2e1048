// HTTPS with certificates made here: the server's own, one that is renewed while it runs, and one that doesn't fit.
import { request } from "node:https"
import { expect, test, vi } from "vitest"
import { openTestGateway } from "../gateway.ts"
import { selfSigned } from "./certificate.ts"

/** The name in the certificate that the server shows; refused if it isn't signed by `ca`. */
function shownName(port: number, ca: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const call = request(
    { host: "127.0.0.1", port, path: "/healthz", ca: [...ca], agent: false },
    (response) => {
      // The socket of an HTTPS request has a certificate.
      const { CN } = (response.socket as import("node:tls").TLSSocket).getPeerCertificate().subject
      response.resume().on("end", () => resolve(`${response.statusCode} ${CN}`))
    },
  )
  call.on("error", reject).end()
  return promise
}

test("a renewed certificate is used without a restart, and one that doesn't fit is reported and left", async () => {
  const [first, second] = [selfSigned("first"), selfSigned("second")]
  let files = first
  const warnings: string[] = []
  const { port, url } = await openTestGateway({
    tls: () => files,
    limits: { certificateMs: 5 },
    warn: (line) => warnings.push(line),
  })
  expect(url).toBe(`https://127.0.0.1:${port}`)
  const shown = () => shownName(port, [first.cert, second.cert])
  expect(await shown()).toBe("200 first")
  await expect(shownName(port, [second.cert])).rejects.toThrow("self-signed certificate")
  files = { cert: second.cert, key: first.key }
  await vi.waitUntil(() => warnings.length > 0)
  expect(warnings[0]).toMatch(/^the certificate was not replaced: /)
  expect(await shown()).toBe("200 first")
  files = second
  await vi.waitUntil(async () => (await shown()) === "200 second", { timeout: 60_000 })
})

test("files that are no certificate stop the start", async () => {
  const broken = openTestGateway({ tls: () => ({ cert: "herring", key: "herring" }) })
  await expect(broken).rejects.toThrow("serve.tls: this certificate and key cannot be used")
})
