// What If: the shipped compiler in the page. Each setting recompiles at once, beside the real prompt, with the change in
// bytes, tokens, price and cache; what is worth keeping is saved as a patch.
import { useEffect } from "preact/hooks"
import { TextDiff } from "../../parts/lines/text-diff.tsx"
import { Loading, Problem } from "../../parts/notice.tsx"
import { place } from "../../shell/place.ts"
import { Controls } from "./controls.tsx"
import { EditPanel, editTarget } from "./edit-panel.tsx"
import { CacheText, FiguresTable } from "./figures-table.tsx"
import { LimitsNote } from "./limits-note.tsx"
import { PromptBars } from "./prompt-bars.tsx"
import { SavePatch } from "./save-patch.tsx"
import { SectionList } from "./section-list.tsx"
import { isChanged, resetAll, set } from "./settings.ts"
import { useWhatIf, type WhatIf } from "./use-what-if.ts"
import "./what-if.css"

export default function WhatIfView() {
  const whatIf = useWhatIf()
  const { compared, problem, reload } = whatIf
  useLinkedSection(whatIf)
  if (compared === undefined && problem !== undefined)
    return (
      <Problem text={problem} onRetry={reload}>
        <ResetAll />
      </Problem>
    )
  if (compared === undefined) return <Loading what="the compiler" />
  return (
    <div class="what-if" aria-busy={!whatIf.isCurrent}>
      <h1 class="spoken">What if</h1>
      <Heading whatIf={whatIf} />
      <Controls whatIf={whatIf} canCompile={whatIf.checked?.isSame === true} />
      {problem !== undefined && (
        <p class="wi-problem bad" role="alert">
          {problem}
        </p>
      )}
      <LimitsNote whatIf={whatIf} />
      <Result whatIf={whatIf} />
    </div>
  )
}

/** Other views link to a section, which is then open for editing. */
function useLinkedSection({ compared, changed }: WhatIf): void {
  const { section } = place.value
  const isReady = compared !== undefined && changed !== undefined
  useEffect(() => {
    if (section === undefined || !isReady) return
    const found = compared.sections.find(({ id }) => id === section)
    set({ section: null, ...(found && { edit: editTarget(found, changed.input) }) })
  }, [section, isReady])
}

function Heading({ whatIf: { real, reload } }: { readonly whatIf: WhatIf }) {
  const { same, person, stranger } = place.value
  const report = real?.input.report
  return (
    <div class="wi-heading">
      <p>
        Compared with the real prompt for <strong>{real?.input.session.person ?? "you"}</strong>,{" "}
        {report?.situation}, {report?.trust} trust
      </p>
      <div class="wi-buttons">
        <label class="small wi-switch">
          <input
            type="checkbox"
            checked={same !== undefined}
            disabled={(same ?? person ?? stranger) === undefined}
            onChange={({ currentTarget: { checked } }) => set({ same: checked ? "1" : null })}
          />
          <span>compare with the same person</span>
        </label>
        <button type="button" onClick={reload}>
          Read again
        </button>
        <ResetAll />
      </div>
    </div>
  )
}

function ResetAll() {
  return (
    <button type="button" disabled={!isChanged(place.value)} onClick={resetAll}>
      Reset all
    </button>
  )
}

function Result({ whatIf }: { readonly whatIf: WhatIf }) {
  const { compared, real, changed, compiler, checked, reload } = whatIf
  if (compared === undefined || real === undefined || changed === undefined) return null
  const canCompile = checked?.isSame === true && compiler !== undefined
  const edit = (target: string) => {
    set({ edit: target })
    document.getElementById("wi-edit")?.focus()
  }
  return (
    <>
      <div class="wi-top">
        <FiguresTable compared={compared} />
        <div class="wi-shapes">
          {compared.parts !== undefined && <PromptBars parts={compared.parts} />}
          <CacheText compared={compared} />
        </div>
      </div>
      <div class="wi-body">
        <section aria-labelledby="wi-sections-title">
          <h2 id="wi-sections-title">Sections</h2>
          <SectionList
            sections={compared.sections}
            onEdit={canCompile ? (section) => edit(editTarget(section, changed.input)) : undefined}
          />
        </section>
        <div class="wi-texts">
          {canCompile && <EditPanel changed={changed} compiler={compiler} sections={compared.sections} />}
          <section class="wi-panel" aria-labelledby="wi-diff-title">
            <h2 id="wi-diff-title">Changed text</h2>
            <TextDiff rows={compared.rows} />
          </section>
          {canCompile && <SavePatch onApplied={reload} />}
        </div>
      </div>
    </>
  )
}
