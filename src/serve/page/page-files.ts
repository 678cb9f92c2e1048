// The files of the page, as the build left them in the package: read once, sent with a policy that allows no code, style
// or connection but this server's own.
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { brotliDecompressSync } from "node:zlib"
import { packageFile } from "../../files/package-file.ts"

/** Below this path are files whose names change with their content. */
export const ASSETS = "/page/"

export interface PageFiles {
  /** The page itself. */
  index(): Response
  /** A script, a style or a picture of it; undefined if there is none by that name. */
  asset(path: string, acceptEncoding: string | undefined): Response | undefined
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // Nothing makes markup of text, and one file makes the address of the worker.
  "trusted-types incipit",
].join("; ")

const HEADERS = {
  "content-security-policy": POLICY,
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
}

/** The page that the package brings; it is read when it is first asked for. */
export function pageOfPackage(): () => PageFiles {
  let page: PageFiles | undefined
  return () => {
    page ??= readPage(packageFile("dist/page"))
    return page
  }
}

function readPage(folder: string): PageFiles {
  const index = readFileSync(join(folder, "index.html"))
  const assets = new Map(
    readdirSync(join(folder, "page")).map((name) => {
      const asset = assetOf(name, readFileSync(join(folder, "page", name)))
      return [`${ASSETS}${asset.name}`, asset]
    }),
  )
  const etag = `"${createHash("sha256").update(index).digest("base64url")}"`
  return {
    index: () =>
      new Response(index, {
        headers: {
          ...HEADERS,
          "content-type": "text/html; charset=utf-8",
          "cache-control": "no-cache",
          etag,
        },
      }),
    asset(path, acceptEncoding) {
      const found = assets.get(path)
      if (found === undefined) return undefined
      const compressed = takesBrotli(acceptEncoding) ? found.compressed : undefined
      const headers = {
        ...HEADERS,
        "content-type": TYPES[extname(found.name)] ?? "application/octet-stream",
        "cache-control": "private, max-age=31536000, immutable",
        vary: "accept-encoding",
        ...(compressed && { "content-encoding": "br" }),
      }
      return new Response(compressed ?? found.plain(), { headers })
    },
  }
}

interface Asset {
  readonly name: string
  /** By Brotli, for those files that the build compressed. */
  readonly compressed: Buffer<ArrayBuffer> | undefined
  plain(): Buffer<ArrayBuffer>
}

function assetOf(name: string, bytes: Buffer<ArrayBuffer>): Asset {
  if (extname(name) !== COMPRESSED) return { name, compressed: undefined, plain: () => bytes }
  let plain: Buffer<ArrayBuffer> | undefined
  return {
    name: name.slice(0, -COMPRESSED.length),
    compressed: bytes,
    plain() {
      plain ??= brotliDecompressSync(bytes)
      return plain
    },
  }
}

const COMPRESSED = ".br"

/** Browsers ask for it on HTTPS and on this machine. A weight of zero refuses it. */
function takesBrotli(acceptEncoding = ""): boolean {
  return acceptEncoding
    .split(",")
    .some((coding) => /^\s*br\s*(?:;\s*q\s*=\s*(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(coding))
}
