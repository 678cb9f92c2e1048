// The hooks of a workspace: approved modules of its configuration, and those that a program passed in. The turn decides
// when they run.
import { approvedIn } from "../../approval/approved-in.ts"
import { sentence } from "../../base/diagnostic.ts"
import { IncipitError } from "../../base/error.ts"
import { atLeast } from "../../base/trust.ts"
import { realTimer } from "../../hooks/call.ts"
import type { HookDefinition, NamedHooks } from "../../hooks/hooks.ts"
import { loadHooks } from "../../hooks/load.ts"
import { hooksOf as hooksIn } from "../../hooks/module-hooks.ts"
import { createHookRunner, type HookRunner } from "../../hooks/run.ts"
import type { Opened } from "./opened.ts"

/** The name of hooks passed to `openAgent`, in errors and as authors. */
const HANDED_IN = { path: "hooks of the program", name: "program" }

/** Throws for a program's mistakes: a hook that was skipped might be a guard. */
export function programHooks(given: readonly HookDefinition[] = []): readonly NamedHooks[] {
  return given.flatMap((definition) => {
    const { hooks, diagnostics } = hooksIn({ default: definition }, HANDED_IN)
    const [problem] = diagnostics
    if (problem !== undefined) throw new IncipitError("bad-hook", sentence(problem))
    return hooks ?? []
  })
}

type HookSources = Pick<Opened, "options" | "watching" | "limits" | "events" | "store" | "secrets">

export async function hooksOf(opened: HookSources): Promise<HookRunner> {
  const { options, watching, limits, events, store, secrets } = opened
  const { workspace } = watching.now()
  const scope = events.scope({ agent: workspace.id, trust: "full" })
  const names = workspace.config.hooks ?? []
  const isApproved = names.length === 0 ? () => false : approvedIn(workspace.root, options.home)
  const found = await loadHooks(names, {
    root: workspace.root,
    approved: (digest, { given }) => isApproved({ kind: "hook", name: given, digest }),
  })
  for (const diagnostic of found.diagnostics)
    scope.event("diagnostic", { data: { code: diagnostic.code, text: sentence(diagnostic) } })
  for (const { name } of found.waiting)
    scope.event("diagnostic", {
      data: { code: "hook-waits", text: `${name} runs once you approve it: incipit hooks approve` },
    })
  return createHookRunner({
    hooks: [...found.hooks, ...programHooks(options.hooks)],
    limitMs: limits.hookMs,
    timer: realTimer,
    host: {
      async sendMessage({ trust = "public", ...message }, id) {
        const session = id === undefined ? undefined : await store.sessions.facts(id)
        // Whoever may not see the text is not told about it.
        if (session === undefined || !atLeast(session.trust, trust)) return
        await store.transcripts.add(session.id, secrets.within({ kind: "custom", ...message }))
      },
    },
    trouble: ({ name, hook, error }) => scope.event("hook_error", { error, data: { module: name, hook } }),
  })
}
