// The certificate of a server: read when it starts, and again when its files change, so that a renewed one is used
// without a restart.
import type { Server as SecureServer } from "node:https"
import { IncipitError } from "../../base/error.ts"

/** PEM texts. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

export interface CertificateWatch {
  readonly read: () => Certificate
  readonly everyMs: number
  readonly warn: (line: string) => void
}

/** Looks again and again until the returned function is called. A pair that doesn't fit keeps the earlier one in use. */
export function watchCertificate(
  server: Pick<SecureServer, "setSecureContext">,
  first: Certificate,
  { read, everyMs, warn }: CertificateWatch,
): () => void {
  let last = JSON.stringify(first)
  let problem = ""
  const look = () => {
    try {
      const now = read()
      const text = JSON.stringify(now)
      if (text === last) return
      // While a renewal writes the two files, they don't fit; the next look finds both.
      server.setSecureContext({ ...now })
      last = text
      problem = ""
    } catch (error) {
      const reason = reasonOf(error)
      if (reason !== problem) warn(`the certificate was not replaced: ${reason}`)
      problem = reason
    }
  }
  const timer = setInterval(look, everyMs).unref()
  return () => clearInterval(timer)
}

export function badCertificate(error: unknown): IncipitError {
  return new IncipitError(
    "bad-configuration",
    `incipit.yaml: serve.tls: this certificate and key cannot be used: ${reasonOf(error)}`,
    { cause: error },
  )
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
