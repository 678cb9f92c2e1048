// Saves the changes: as a patch to copy or download, and, where this server may write, in the workspace after a yes.
import { useEffect, useState } from "preact/hooks"
import type { WhatIfApplied, WhatIfPatch } from "../../../src/serve/page/what-if/what-if-shown.ts"
import { ask, problemText } from "../../data/ask.ts"
import { info } from "../../data/info.ts"
import { Dialog } from "../../parts/dialog.tsx"
import { visibleLine } from "../../parts/lines/text-diff.tsx"
import { ScrollBox } from "../../parts/scroll-box.tsx"
import { visibleName } from "../../parts/visible-text.ts"
import { place } from "../../shell/place.ts"
import { askedIn, changesIn, hasPatch, resetTexts, set } from "./settings.ts"

export function SavePatch({ onApplied }: { readonly onApplied: () => void }) {
  const { changes, patch, problem, done, make, apply } = usePatch(onApplied)
  const [isAsking, setAsking] = useState(false)
  const hasText = patch !== undefined && patch.patch !== ""
  return (
    <section class="wi-panel" aria-labelledby="wi-save-title">
      <h2 id="wi-save-title">Save as a patch</h2>
      <p class="small quiet">
        A patch has the edited texts, sections, budget and model. Person, situation, mode, time and message
        aren't in it.
      </p>
      <div class="wi-buttons">
        <button type="button" class="main" disabled={!hasPatch(changes)} onClick={() => void make()}>
          Make the patch
        </button>
        {hasText && <CopyButton text={patch.patch} />}
        {hasText && <DownloadLink text={patch.patch} />}
        {hasText && info.value?.mode === "serve" && (
          <button type="button" onClick={() => setAsking(true)}>
            Apply …
          </button>
        )}
      </div>
      <div aria-live="polite">
        {problem !== undefined && <p class="bad">{problem}</p>}
        {done !== undefined && <p>{done}</p>}
        {patch?.patch === "" && <p class="quiet">The workspace has all of this already.</p>}
      </div>
      {hasText && <PatchText text={patch.patch} />}
      {isAsking && patch !== undefined && (
        <ApplyDialog
          patch={patch}
          hasModel={changes.model !== undefined}
          onClose={() => setAsking(false)}
          onApply={() => {
            setAsking(false)
            void apply(patch.patch)
          }}
        />
      )}
    </section>
  )
}

/** The patch of the changes as they are now, once it was asked for. */
function usePatch(onApplied: () => void) {
  const changes = changesIn(place.value)
  const asked = askedIn(place.value)
  const key = JSON.stringify([asked, changes])
  const [made, setMade] = useState<{ readonly key: string; readonly patch: WhatIfPatch }>()
  const [problem, setProblem] = useState<string>()
  const [done, setDone] = useState<string>()
  // What is said about one change says nothing about the next one.
  useEffect(() => setProblem(undefined), [key])
  const tried = async (work: () => Promise<void>) => {
    setDone(undefined)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setMade(undefined)
      setProblem(problemText(error))
    }
  }
  const make = () =>
    tried(async () => {
      const patch = await ask<WhatIfPatch>("/api/what-if/patch", { body: { ...asked, changes } })
      setMade({ key, patch })
    })
  const apply = (shown: string) =>
    tried(async () => {
      const body = { ...asked, changes, patch: shown }
      const { written } = await ask<WhatIfApplied>("/api/what-if/apply", { body })
      setDone(`Written: ${written.join(", ")}.${changes.model === undefined ? "" : ` ${MODEL_LATER}`}`)
      resetTexts()
      set({ budget: null, model: null, off: null, on: null })
      onApplied()
    })
  return { changes, patch: made?.key === key ? made.patch : undefined, problem, done, make, apply }
}

function PatchText({ text }: { readonly text: string }) {
  return (
    <ScrollBox class="text-diff wi-patch" label="The patch">
      <pre>
        {text
          .replace(/\n$/, "")
          .split("\n")
          .map((line, at) => (
            // The lines of a patch have no other name than their place.
            <span key={String(at)} class={classOf(line)}>
              {visibleLine(line)}
              {"\n"}
            </span>
          ))}
      </pre>
    </ScrollBox>
  )
}

function classOf(line: string): string {
  if (/^(?:diff |--- |\+\+\+ |new file)/.test(line)) return "quiet"
  if (line.startsWith("+")) return "wi-patch-added"
  return line.startsWith("-") ? "wi-patch-removed" : ""
}

function CopyButton({ text }: { readonly text: string }) {
  const [state, setState] = useState<"Copy" | "Copied" | "Not copied">("Copy")
  useEffect(() => setState("Copy"), [text])
  return (
    <button
      type="button"
      onClick={() =>
        void navigator.clipboard.writeText(text).then(
          () => setState("Copied"),
          () => setState("Not copied"),
        )
      }
    >
      <span aria-live="polite">{state}</span>
    </button>
  )
}

function DownloadLink({ text }: { readonly text: string }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: "text/x-diff" }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [text])
  if (address === undefined) return null
  return (
    <a class="button" href={address} download="what-if.patch">
      Download
    </a>
  )
}

/** The model is opened once. */
const MODEL_LATER = "Another model takes effect when the server starts again."

interface ApplyDialogProps {
  readonly patch: WhatIfPatch
  readonly hasModel: boolean
  readonly onClose: () => void
  readonly onApply: () => void
}

function ApplyDialog({ patch, hasModel, onClose, onApply }: ApplyDialogProps) {
  const names = patch.files
    .map(({ path, isNew }) => `${visibleName(path)}${isNew ? " (new)" : ""}`)
    .join(", ")
  return (
    <Dialog title="Apply the patch" class="wi-apply" onClose={onClose}>
      <h2>Write this to the workspace?</h2>
      <p>
        {names}. The agent uses it from its next turn.{hasModel ? ` ${MODEL_LATER}` : ""}
      </p>
      <PatchText text={patch.patch} />
      <div class="wi-buttons">
        <button type="button" class="main" onClick={onApply}>
          Apply
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
