// Edits what the prompt is made from: the text of a file, or that of a section, which incipit.yaml then holds.
import { useEffect, useState } from "preact/hooks"
import type { PlainFile, WhatIfInput } from "../../../src/serve/page/what-if/what-if-shown.ts"
import { visibleName } from "../../parts/visible-text.ts"
import { place } from "../../shell/place.ts"
import type { PageCompiler } from "./compiler.ts"
import type { LoadedInput } from "./inputs.ts"
import { edits, set, setEdit } from "./settings.ts"
import { TextEditor } from "./text-editor.tsx"
import type { SectionChange } from "./worker/protocol.ts"

export interface EditPanelProps {
  readonly changed: LoadedInput
  readonly compiler: PageCompiler
  readonly sections: readonly SectionChange[]
}

/** A section's files come first; its own text can be edited where it has none. */
export function editTarget({ id, before, after }: SectionChange, { files }: WhatIfInput): string {
  const paths = (after ?? before)?.paths ?? []
  const found = paths.find((path) => files.some((file) => file.path === path && file.kind === "editable"))
  return found === undefined ? `${SECTION}${id}` : `${FILE}${found}`
}

const [FILE, SECTION] = ["file ", "section "]

export function EditPanel({ changed, compiler, sections }: EditPanelProps) {
  const { edit = "" } = place.value
  const { files } = changed.input
  const open = sections.filter(
    ({ before, after }) => (after ?? before)?.isAdjustable && (after ?? before)?.pace !== "turn",
  )
  return (
    <section class="wi-panel" aria-labelledby="wi-edit-title">
      <h2 id="wi-edit-title">Edit</h2>
      <select
        id="wi-edit"
        aria-label="What to edit"
        value={edit}
        onChange={({ currentTarget: { value } }) => set({ edit: value })}
      >
        <option value="">Choose a file or a section</option>
        <optgroup label="Files">
          {files.map(({ path, kind }) => (
            <option key={path} value={`${FILE}${path}`}>
              {visibleName(path)}
              {kind === "fixed" ? " (cannot be edited here)" : ""}
              {edits.value.files[path] === undefined ? "" : " (edited)"}
            </option>
          ))}
        </optgroup>
        <optgroup label="Sections, in incipit.yaml">
          {open.map(({ id }) => (
            <option key={id} value={`${SECTION}${id}`}>
              {id}
              {edits.value.sections[id] === undefined ? "" : " (edited)"}
            </option>
          ))}
        </optgroup>
      </select>
      {edit.startsWith(FILE) && <FileEditor path={edit.slice(FILE.length)} input={changed.input} />}
      {edit.startsWith(SECTION) && (
        <SectionEditor
          key={edit}
          id={edit.slice(SECTION.length)}
          changed={changed}
          compiler={compiler}
          isOpen={open.some(({ id }) => id === edit.slice(SECTION.length))}
        />
      )}
    </section>
  )
}

function FileEditor({ path, input }: { readonly path: string; readonly input: WhatIfInput }) {
  const file = input.files.find((one) => one.path === path)
  const source: PlainFile | undefined = [...input.agent.files, ...input.session.files].find(
    (one) => one.path === path,
  )
  if (file === undefined || source === undefined)
    return (
      <p class="quiet">
        {visibleName(path)} is not a file of this prompt. Another person or situation may have it.
      </p>
    )
  if (file.kind === "fixed") return <p class="quiet">{visibleName(file.why)}</p>
  const text = edits.value.files[path] ?? source.text
  return (
    <>
      <p class="small quiet">
        {visibleName(path)}, from line {source.firstLine}
        {file.before === "" ? "" : ": what comes before is not sent and stays as it is"}
      </p>
      <TextEditor
        label={`Text of ${path}`}
        text={text}
        firstLine={source.firstLine}
        onChange={(next) => setEdit("files", path, next === source.text ? undefined : next)}
      />
      <ResetText
        name={path}
        isChanged={edits.value.files[path] !== undefined}
        onReset={() => setEdit("files", path, undefined)}
      />
    </>
  )
}

interface SectionEditorProps {
  readonly id: string
  readonly changed: LoadedInput
  readonly compiler: PageCompiler
  readonly isOpen: boolean
}

function SectionEditor({ id, changed, compiler, isOpen }: SectionEditorProps) {
  const own = useSectionText(compiler, changed.key, id)
  if (!isOpen)
    return (
      <p class="quiet">
        The text of {id} cannot be replaced: it is made for each turn, or the profile does not allow it.
      </p>
    )
  if (own === undefined) return <p class="quiet">Loading the text of {id} …</p>
  return (
    <>
      <p class="small quiet">incipit.yaml, prompt.sections.{id}.text: it replaces what the profile says</p>
      <TextEditor
        label={`Text of the section ${id}`}
        text={edits.value.sections[id] ?? own}
        firstLine={1}
        onChange={(next) => setEdit("sections", id, next === own ? undefined : next)}
      />
      <ResetText
        name={id}
        isChanged={edits.value.sections[id] !== undefined}
        onReset={() => setEdit("sections", id, undefined)}
      />
    </>
  )
}

/** What the section says without changes. */
function useSectionText(compiler: PageCompiler, key: string, id: string): string | undefined {
  const [text, setText] = useState<string>()
  useEffect(() => {
    let isOver = false
    void compiler.sectionText(key, id).then((found) => isOver || setText(found))
    return () => {
      isOver = true
    }
  }, [compiler, key, id])
  return text
}

interface ResetTextProps {
  readonly name: string
  readonly isChanged: boolean
  readonly onReset: () => void
}

function ResetText({ name, isChanged, onReset }: ResetTextProps) {
  return (
    <button
      type="button"
      disabled={!isChanged}
      onClick={() => {
        onReset()
        document.getElementById("wi-edited")?.focus()
      }}
    >
      Reset {visibleName(name)}
    </button>
  )
}
