import { expect, test } from "vitest"
import { workflowAdvanceTool } from "../../src/tools/agent/workflow.ts"
import { ToolFailure, type ToolHost, type WorkflowBoard } from "../../src/tools/host.ts"
import type { ToolContext } from "../../src/tools/tool-context.ts"

const STEPS = ["test", "tag", "tell"]

/** A board of three steps, the second with notes. */
function board(): WorkflowBoard {
  let current = 1
  const place = () => ({
    title: "Release",
    current,
    of: STEPS.length,
    step: STEPS[current - 1] ?? "",
    notes: current === 2 ? ["signed", "pushed"] : [],
    isFinished: false,
  })
  return {
    current: async () => (current > STEPS.length ? undefined : place()),
    advance: async () => {
      const before = place()
      current += 1
      return current > STEPS.length ? { ...before, isFinished: true } : place()
    },
  }
}

async function run(input: unknown, workflow: WorkflowBoard): Promise<string> {
  // The tool looks at nothing else of the host and the context.
  const host = { workflow } as ToolHost
  try {
    return await workflowAdvanceTool.run(input, { host } as ToolContext)
  } catch (error) {
    if (error instanceof ToolFailure) return `failure: ${error.message}`
    throw error
  }
}

test("it continues to the next step, once for each step that is done", async () => {
  const workflow = board()
  const answers: string[] = []
  for (const done of [1, 1, 3, 2, 3, 3]) answers.push(await run({ done }, workflow))
  expect(answers).toEqual([
    'Now at step 2 of 3 of "Release": tag\n   signed\n   pushed',
    'Step 1 is already done. Now at step 2 of 3 of "Release": tag\n   signed\n   pushed',
    'failure: Step 3 is not the current one. Now at step 2 of 3 of "Release": tag\n   signed\n   pushed',
    'Now at step 3 of 3 of "Release": tell',
    'That was the last step of "Release": it is finished.',
    "failure: No workflow is in progress.",
  ])
})

test("it says what it needs", async () => {
  expect(await run({ done: 0 }, board())).toBe(
    "failure: The input is not valid: done: Too small: expected number to be >=1.",
  )
  expect([
    workflowAdvanceTool.name,
    workflowAdvanceTool.isRepeatable,
    workflowAdvanceTool.parameters,
  ]).toEqual([
    "workflow_advance",
    true,
    {
      type: "object",
      properties: {
        done: {
          type: "integer",
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "The number of the step that is done: the one marked (now).",
        },
      },
      required: ["done"],
      additionalProperties: false,
    },
  ])
})
