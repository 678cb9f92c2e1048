// The files of the message that is being written, and why others were not taken.
import { draftOf } from "../sending/drafts.ts"
import type { Attaching } from "./use-attaching.ts"

export interface FileChipsProps {
  readonly attaching: Attaching
  readonly session: string | undefined
}

export function FileChips({ attaching: { refused, remove }, session }: FileChipsProps) {
  const { files } = draftOf(session)
  return (
    <>
      {files.length > 0 && (
        <ul class="files" aria-label="Attached files">
          {files.map(({ name }, at) => (
            // Two files may have one name.
            <li key={at} class="file">
              <span class="cut">{name}</span>
              <button type="button" class="plain" aria-label={`Remove ${name}`} onClick={() => remove(at)}>
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <div class="bad small" role="alert">
          {refused.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
    </>
  )
}
