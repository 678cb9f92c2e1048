// The hooks of a workspace: modules of its configuration that are approved, and those that were handed in. When they
// run is decided by the turn.
import { sentence } from "../core/diagnostic.ts"
import { atLeast } from "../core/trust.ts"
import { realTimer } from "../hooks/call.ts"
import { loadHooks } from "../hooks/load.ts"
import { hooksOf as hooksIn } from "../hooks/module-hooks.ts"
import { createHookRunner, type HookRunner } from "../hooks/run.ts"
import { approvedDigests } from "./approvals.ts"
import type { Opened } from "./opened.ts"

/** How hooks are called that a program gives to `openAgent`, in findings and as authors. */
const HANDED_IN = { path: "hooks of the program", name: "program" }

export async function hooksOf(opened: Opened): Promise<HookRunner> {
  const { options, watching, limits, telling, store, now } = opened
  const { workspace } = watching.now()
  const scope = telling.scope({ agent: workspace.id, trust: "full" })
  const names = workspace.config.hooks ?? []
  const approved = names.length === 0 ? new Set() : approvedDigests(options.home, "hook")
  const found = await loadHooks(names, {
    root: workspace.root,
    approved: (digest) => approved.has(digest),
  })
  const handed = (options.hooks ?? []).map((hooks) => hooksIn({ default: hooks }, HANDED_IN))
  for (const finding of [...found.diagnostics, ...handed.flatMap(({ diagnostics }) => diagnostics)])
    scope.event("finding", { data: { code: finding.code, text: sentence(finding) } })
  for (const { name } of found.waiting)
    scope.event("finding", {
      data: { code: "hook-waits", text: `${name} runs once you approve it: incipit hooks approve` },
    })
  return createHookRunner({
    hooks: [...found.hooks, ...handed.flatMap(({ hooks }) => hooks ?? [])],
    limitMs: limits.hookMs,
    timer: realTimer,
    host: {
      sendMessage({ trust = "public", ...message }, id) {
        const session = id === undefined ? undefined : store.session(id)
        // Who may not see the text is not told of it, whoever says it.
        if (session === undefined || !atLeast(session.trust, trust)) return
        store.addItem(session.id, { kind: "custom", ...message }, now())
      },
    },
    trouble: ({ name, hook, error }) => scope.event("hook_error", { error, data: { module: name, hook } }),
  })
}
