// Everything that a prompt is compiled from as JSON for the browser.
import type { Inspected } from "../../../agent/turn/prompt/inspected.ts"
import { defined } from "../../../base/defined.ts"
import type { SourceFile, ValueLines } from "../../../core/model/source.ts"
import { report } from "../../../core/read/report.ts"
import { isBundled, profileModule } from "../../../workspace/profile/profile-table.ts"
import { profileSettings } from "../../../workspace/profile/profiled.ts"
import { configProblem } from "./changed-config.ts"
import { editableFiles } from "./editable-file.ts"
import { modelsFor } from "./models.ts"
import type { PlainFile, PlainLines, WhatIfInput, WhatIfProfile } from "./what-if-shown.ts"

export async function plainInput(found: Inspected): Promise<WhatIfInput> {
  const { agent, session, turn, budget, ttl, diagnostics, prompt, workspace } = found
  const { config } = workspace
  return {
    profile: profileOf(found),
    agent: { ...agent, files: agent.files.map(plainFile) },
    session: { ...session, files: session.files.map(plainFile) },
    ...{ turn, budget, ttl, diagnostics },
    countsMessage: prompt.plan.budget.conversation > 0,
    models: await modelsFor(session.model, config, turn.now),
    files: editableFiles([...agent.files, ...session.files], workspace),
    hooks: (config.hooks ?? []).map(String),
    configProblem: configProblem(workspace) ?? null,
    report: report(prompt),
  }
}

/** A module's profile is code, and the browser runs no code of a workspace. */
function profileOf({ profile: { name }, workspace: { config } }: Inspected): WhatIfProfile {
  if (!isBundled(name) || profileModule(config) !== undefined) return { kind: "custom", name }
  return {
    ...{ kind: "bundled", name },
    adjustment: defined({ sections: profileSettings(config), order: config.prompt?.order }),
  }
}

function plainFile({ lines, ...file }: SourceFile): PlainFile {
  return lines === undefined ? file : { ...file, lines: plainLines(lines) }
}

function plainLines({ line, below }: ValueLines): PlainLines {
  if (below === undefined) return { line }
  return { line, below: [...below].map(([key, inner]) => [key, plainLines(inner)] as const) }
}
