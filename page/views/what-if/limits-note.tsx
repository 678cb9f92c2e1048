// What the page cannot compile in the browser, why, and what can be done; and that both compilers agree.
import type { WhatIf } from "./use-what-if.ts"

export function LimitsNote({ whatIf: { real, checked, compared, isCurrent } }: { readonly whatIf: WhatIf }) {
  const { profile, hooks = [] } = real?.input ?? {}
  return (
    <div class="wi-note small" role="status">
      {checked?.isSame === true && (
        <p class="quiet">
          <span aria-hidden="true">✓</span> Compiled in this browser, with the same bytes as on the server
          {compared !== undefined && isCurrent ? `, in ${compared.durationMs.toFixed(0)} ms` : ""}.
        </p>
      )}
      {checked?.isSame === false && profile?.kind === "custom" && (
        <p>
          The profile {profile.name} is code of this workspace, and the browser runs none of it. So the server
          compiles, for another person, situation, mode or message. For the rest, use{" "}
          <code>incipit build</code> with <code>--budget</code>, <code>--model</code> or <code>--now</code>,
          and <code>incipit diff</code>.
        </p>
      )}
      {checked?.isSame === false && profile?.kind === "bundled" && (
        <p class="bad">
          This browser does not compile what the server compiles{checked.problem && ` (${checked.problem})`},
          so only what the server compiled is shown. Load the page again: the server may have been updated.
        </p>
      )}
      {hooks.length > 0 && (
        <p>
          {hooks.join(", ")}: hooks may act, so no preview runs them. What they change is in the recorded
          calls of the view Prompt.
        </p>
      )}
    </div>
  )
}
