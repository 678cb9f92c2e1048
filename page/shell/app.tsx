// The frame of the page: the bar, the view, and what opens above them.
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import { ask, problemText } from "../data/ask.ts"
import { info, infoProblem, loadInfo } from "../data/info.ts"
import { Empty, Loading, Problem } from "../parts/notice.tsx"
import { visibleName } from "../parts/visible-text.ts"
import type { View } from "../views/views.ts"
import { currentView, openViews } from "./current-view.ts"
import { KeyHelp } from "./key-help.tsx"
import { followKeys } from "./keys.ts"
import { followLinks } from "./place.ts"
import { Search } from "./search.tsx"
import "./shell.css"
import { TopBar } from "./top-bar.tsx"

export function App() {
  useEffect(followLinks, [])
  useEffect(followKeys, [])
  const problem = infoProblem.value
  if (problem !== undefined) return <Problem text={problem} onRetry={() => void loadInfo()} />
  if (info.value === undefined) return <Loading what="the page" />
  return (
    <>
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <TopBar />
      <main id="view" tabIndex={-1}>
        <Shown view={currentView.value} />
      </main>
      <Search />
      <KeyHelp />
    </>
  )
}

function Shown({ view }: { readonly view: View | undefined }) {
  const [loaded, setLoaded] = useState<{ readonly view: View; readonly Component: ComponentType }>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    setProblem(undefined)
    if (view === undefined) return undefined
    document.title = `${view.title} · ${visibleName(info.value?.title ?? "Incipit")}`
    let isOver = false
    view.load().then(
      ({ default: Component }) => isOver || setLoaded({ view, Component }),
      // What a browser says about a script or style that it did not get helps nobody. Who has been signed out does not get
      // them either, and is led to the form.
      () =>
        ask("/api/page")
          .then(() => "This view could not be loaded. Load the page again.", problemText)
          .then((text) => isOver || setProblem(text)),
    )
    return () => {
      isOver = true
    }
  }, [view])
  if (openViews.value.length === 0)
    return (
      <Empty title="Nothing to show">
        <p>This token may neither talk nor read. Ask the operator for one with more scopes.</p>
      </Empty>
    )
  if (view === undefined) {
    return (
      <Empty title="Not shown here">
        <p>
          {info.value?.mode === "inspect"
            ? "This view is not part of what inspect shows here. Choose another view."
            : "This view needs another scope, or it isn't part of this server. Choose one of the views above."}
        </p>
      </Empty>
    )
  }
  if (problem !== undefined) return <Problem text={problem} onRetry={() => location.reload()} />
  if (loaded?.view !== view) return <Loading what={view.title.toLowerCase()} />
  return <loaded.Component />
}
