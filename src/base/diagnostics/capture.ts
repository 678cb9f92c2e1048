// About the files of other clients that calls are read from.
import { type At, hint, type In, warning } from "./kind.ts"

export const CAPTURE_DIAGNOSTICS = {
  "capture-unreadable": warning(
    (d: In & { readonly why: string }) => `This file cannot be read (${d.why}). Its calls are missing.`,
  ),
  "capture-too-many-files": warning(
    (d: In & { readonly limit: number }) =>
      `There are more than ${d.limit} files and folders here. The rest was not looked at, so calls may be missing.`,
  ),
  "capture-lines-skipped": warning(
    (d: In & { readonly count: number; readonly why: string }) =>
      `${d.count === 1 ? "1 line was" : `${d.count} lines were`} skipped: ${d.why}.`,
  ),
  "capture-bad-line": warning(
    (d: At & { readonly why: string }) => `This line is not a call (${d.why}), so it was skipped.`,
  ),
  "capture-bodies-unwritten": warning(
    (d: In & { readonly count: number }) =>
      `${d.count === 1 ? "1 response is" : `${d.count} responses are`} empty because the client ended before it wrote them. These calls are only in its transcripts.`,
  ),
  "capture-unknown-version": hint(
    (d: In & { readonly client: string; readonly version: string }) =>
      `${d.client} ${d.version} wrote this in a form that this version does not know. What it understood is counted.`,
  ),
  "capture-not-exact": hint(
    (d: In & { readonly count: number; readonly fix: string }) =>
      `${d.count === 1 ? "1 request" : `${d.count} requests`} could not be put together exactly, so ${d.count === 1 ? "its" : "their"} parts are estimated. ${d.fix}`,
  ),
} as const
