// Every route from the files of a workspace to one person, as text: the prompt with its plan and findings, project context
// of touched files, every file tool on every path, memory in every way, skills, workflows, plans, explanations, MCP.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { plansInFolder } from "../../src/agent/feeds/plan-files.ts"
import { openPlans } from "../../src/agent/feeds/plans.ts"
import { memoryOf } from "../../src/agent/storage/workspace-memory.ts"
import { nestedContext } from "../../src/agent/turn/prompt/nested.ts"
import { sentence } from "../../src/base/diagnostic.ts"
import { atLeast } from "../../src/base/trust.ts"
import { createCompiler } from "../../src/core/compile/compiler.ts"
import type { Session } from "../../src/core/model/inputs.ts"
import { visible } from "../../src/core/model/plan.ts"
import { view } from "../../src/core/view/view.ts"
import { incipit } from "../../src/profiles/incipit/incipit.ts"
import { createSecrets } from "../../src/record/redact/secrets.ts"
import type { CompiledPrompt } from "../../src/serve/mcp/mcp-view.ts"
import type { AudienceQuery } from "../../src/sources/config/policy.ts"
import { gatherAgent } from "../../src/sources/systems/gather-agent.ts"
import { gatherSession } from "../../src/sources/systems/gather-session.ts"
import { gatherWorkflows } from "../../src/sources/workflow-files.ts"
import { openWorkspace, type Workspace } from "../../src/sources/workspace.ts"
import { workspaceGate } from "../../src/sources/workspace-gate.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { ACTING_TOOLS } from "../../src/tools/acting-tools.ts"
import { openFileAccess } from "../../src/tools/files/file-access.ts"
import { ToolFailure, type ToolHost } from "../../src/tools/host.ts"
import { MEMORY_TOOLS } from "../../src/tools/memory/memory-tools.ts"
import { explainer } from "../../src/tools/self/explain.ts"
import type { ToolContext } from "../../src/tools/tool-context.ts"
import { mcpAnswers } from "./mcp-answers.ts"

export type Routes = Readonly<Record<string, string>>

export interface Asked {
  readonly root: string
  readonly home: string
  /** Of the index of memory, outside of the workspace. */
  readonly index: string
  readonly sender: AudienceQuery
  /** Paths to ask for, whether they are there or not. */
  readonly paths: readonly string[]
}

export async function routes(asked: Asked): Promise<Routes> {
  const { root, home, sender, paths } = asked
  const workspace = openWorkspace(root, { home })
  const agent = gatherAgent(workspace, { tools: incipit.tools ?? [] })
  const session = gatherSession(workspace, { ...sender, directory: root, known: agent.value.files })
  const diagnostics = [...agent.diagnostics, ...session.diagnostics]
  const head = createCompiler({ profile: incipit, counter: o200k }).head(agent.value, session.value, {
    diagnostics,
  })
  const prompt = head.step({ id: "t", now: 0, timeZone: "UTC" })
  const plan = visible(prompt.plan)
  const explain = explainer(prompt)
  const touched = filesBelow(root).filter((path) => mayRead(workspace, session.value, path))
  const nested = nestedContext(
    { workspace: { current: () => workspace, directory: root }, secrets: createSecrets() },
    session.value,
    touched,
  )
  const nestedSeen = view(agent.value, { ...session.value, files: [...session.value.files, ...nested] })
  return {
    prompt: prompt.text,
    plan: JSON.stringify(plan),
    findings: plan.diagnostics.map(sentence).join("\n"),
    nested: nestedSeen.session.files.map(({ path, text }) => `${path}\n${text}`).join("\n"),
    workflows: workflowsFor(workspace, session.value),
    plans: JSON.stringify(
      openPlans({
        store: plansInFolder(root),
        who: `person:${sender.as}`,
        trust: "familiar",
        now: () => 0,
      }).list().value,
    ),
    explanations: paths.flatMap((path) => explain(path)).join("\n"),
    ...(await toolAnswers(workspace, { prompt, agent: agent.value, session: session.value }, asked)),
  }
}

function workflowsFor(workspace: Workspace, { audience }: Session): string {
  const { value, diagnostics } = gatherWorkflows(workspace)
  const seen = value.filter(({ trust }) => atLeast(audience.trust, trust))
  const findings = diagnostics.filter(({ needs = "public" }) => atLeast(audience.trust, needs))
  return JSON.stringify([seen, findings.map(sentence)])
}

function filesOf(workspace: Workspace, session: Session): ToolHost["files"] {
  return openFileAccess({
    directory: workspace.root,
    workspace: workspace.folder,
    extra: [],
    audience: session.audience,
    gate: workspaceGate(workspace, [workspace.root]),
    trustOf: () => undefined,
    touched: () => {},
    ...(workspace.home !== undefined && { home: workspace.home }),
    ...(session.person !== undefined && { person: session.person }),
  })
}

function mayRead(workspace: Workspace, session: Session, path: string): boolean {
  return filesOf(workspace, session).mayRead(path)
}

/** Links are not followed. */
function filesBelow(root: string): readonly string[] {
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    const path = join(root, entry.name)
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
  })
}

async function toolAnswers(workspace: Workspace, compiled: CompiledPrompt, asked: Asked): Promise<Routes> {
  const { session } = compiled
  const memory = memoryOf(workspace, asked.index)
  const { trust, situation } = session.audience
  const context = {
    ...{ session: "s", trust, situation, isOwner: false, now: () => 0, timeZone: "UTC", counter: o200k },
    ...{
      record: { flushIfFree: async () => {} },
      memory,
      host: { files: filesOf(workspace, session), signal: new AbortController().signal },
    },
    // Only what these tools use is there.
  } as unknown as ToolContext
  const answers: Record<string, string> = {}
  const call = async (name: string, input: unknown) => {
    const tool = [...ACTING_TOOLS, ...MEMORY_TOOLS].find((one) => one.name === name)
    try {
      answers[`${name} ${JSON.stringify(input)}`] = (await tool?.run(input, context)) ?? "no such tool"
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error
      answers[`${name} ${JSON.stringify(input)}`] = `failed: ${error.message}`
    }
  }
  try {
    await call("grep", { pattern: "zq" })
    await call("find", { pattern: "**/*" })
    for (const path of [".", ...foldersIn(asked)]) await call("list", { path })
    for (const path of asked.paths) await call("read", { path })
    for (const path of asked.paths.slice(0, 5)) await call("edit", { path, old: "zq", new: "zq zq" })
    await call("memory_search", { query: "boat zq", limit: 50, budget: 10_000 })
    for (const path of asked.paths) await call("memory_get", { path: path.replace(/^memory\//, "") })
    answers.recall = memory.recall("What of the boat?", { trust, budget: 5_000 }).text
    answers.recent = JSON.stringify(memory.recent({ trust, until: "2026-12-31", limit: 50 }))
    answers.status = JSON.stringify(memory.status({ trust }))
    Object.assign(answers, await mcpAnswers({ inspected: compiled, memory, paths: asked.paths }))
  } finally {
    await memory.close()
  }
  return answers
}

/** Whether they are there or not. */
function foldersIn({ paths }: Asked): readonly string[] {
  const all = paths.flatMap((path) => path.split("/").map((_name, at, names) => names.slice(0, at).join("/")))
  return [...new Set(all)].filter((path) => path !== "")
}
