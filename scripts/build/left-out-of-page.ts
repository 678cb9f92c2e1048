// Sentences that the page never shows, so that it does not carry them: what to do about an error, of which it shows only
// what happened, and diagnostics that other programs make and that no prompt has.
import { basename } from "node:path"
import type { Plugin } from "vite"

/** Files of `src/base`, each with the table that is empty in the page. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "diagnostics/error-help.ts": "ERROR_HELP",
  "diagnostics/capture.ts": "CAPTURE_DIAGNOSTICS",
  "diagnostics/checks.ts": "CHECK_DIAGNOSTICS",
  "diagnostics/request.ts": "REQUEST_DIAGNOSTICS",
}

const EXPORTS = new Map(Object.entries(LEFT_OUT).map(([path, name]) => [basename(path), name]))

export const leftOutOfPage: Plugin = {
  name: "left-out-of-page",
  load: {
    filter: { id: /[\\/]src[\\/]base[\\/]diagnostics[\\/](?:error-help|capture|checks|request)\.ts$/ },
    handler: (id) => `export const ${EXPORTS.get(basename(id))} = {}`,
  },
}
