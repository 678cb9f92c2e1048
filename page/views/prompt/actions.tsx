// What one can do with the chosen text: compare an edit, open its file, copy it, copy the request.
import { useState } from "preact/hooks"
import type { CallDetail } from "../../../src/serve/page/shown.ts"
import { info } from "../../data/info.ts"
import { linkTo } from "../../shell/place.ts"
import { firstLine, type Selection } from "./selection.ts"
import type { FileLine } from "./text-pane.tsx"
import type { Piece } from "./text-rows.ts"

export interface ActionsProps {
  readonly selection: Selection
  readonly detail: CallDetail
  readonly pieces: readonly Piece[]
  readonly line: FileLine | undefined
}

export function Actions({ selection, detail, pieces, line }: ActionsProps) {
  const [said, setSaid] = useState("")
  const copy = (what: string, text: string) =>
    navigator.clipboard.writeText(text).then(
      () => setSaid(`${what} copied.`),
      () => setSaid("This browser doesn't allow copying here."),
    )
  const file = line ?? firstLine(selection, detail)
  const section = selection.kind === "row" ? selection.row.section?.id : undefined
  return (
    <div class="actions">
      {info.value?.caller.isOperator && section !== undefined && (
        <a
          class="button"
          href={linkTo({
            view: "what-if",
            section,
            session: detail.call.session,
            call: detail.call.id,
            block: null,
            line: null,
          })}
        >
          Edit and compare
        </a>
      )}
      {file !== undefined && <FileActions file={file} copy={copy} />}
      {pieces.length > 0 && (
        <button type="button" onClick={() => copy("Text", textOf(pieces, detail))}>
          Copy text
        </button>
      )}
      <button type="button" onClick={() => copy("Request", JSON.stringify(detail.request, null, 2))}>
        Copy request as JSON
      </button>
      <span class="small quiet actions-exact">{exactWords(detail)}</span>
      <span class="small actions-said" role="status">
        {said}
      </span>
    </div>
  )
}

interface FileActionsProps {
  readonly file: FileLine
  readonly copy: (what: string, text: string) => void
}

function FileActions({ file: { path, line }, copy }: FileActionsProps) {
  // With two slashes it would name another machine.
  const isAbsolute = /^\/(?![/\\])/.test(path)
  return (
    <>
      {isAbsolute && isOnThisMachine() && (
        <a class="button" href={`vscode://file${path.split("/").map(encodeURIComponent).join("/")}:${line}`}>
          Open in editor
        </a>
      )}
      <button type="button" onClick={() => copy("Path", `${path}:${line}`)}>
        Copy path
      </button>
    </>
  )
}

/** The files are where the server is. */
function isOnThisMachine(): boolean {
  return info.value?.mode === "inspect" || ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)
}

function textOf(pieces: readonly Piece[], { parts }: CallDetail): string {
  return pieces.map(({ part, start, end }) => parts[part]?.text.slice(start, end) ?? "").join("\n")
}

/** Whether the request is what was sent. */
function exactWords({ isExact, incomplete, redacted, request }: CallDetail): string {
  if (incomplete !== undefined)
    return `Partial: ${incomplete.why}. To record the next calls whole: ${incomplete.fix}`
  if (request === null || request === undefined) return "The request itself is not known."
  if (isExact) return "Exact: this is what was sent, byte for byte."
  if (redacted.length > 0)
    return `Redacted: ${redacted.length === 1 ? "1 secret was" : `${redacted.length} secrets were`} left out when it was recorded.`
  return "Partial: not everything that was sent is shown."
}
