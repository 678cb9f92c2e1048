// The built-in tools by name. Each definition is prompt text: it is data, written once, and `src/tools/` attaches what
// the tool does.
import { byCodePoint } from "../../base/order.ts"
import type { Tool } from "../../core/model/inputs.ts"
import {
  DELEGATE,
  INSTRUCTIONS_WRITE,
  NOTIFY_USER,
  RESPONSIBILITY_REMOVE,
  SCHEDULE_WRITE,
  SHELL,
  TASK_WRITE,
  WORKFLOW_ADVANCE,
} from "./tools/agent.ts"
import { EDIT, FIND, GREP, LIST, READ, WRITE } from "./tools/files.ts"
import { MEMORY_GET, MEMORY_SEARCH, MEMORY_WRITE } from "./tools/memory.ts"
import { COST, EXPLAIN, LOGS, STATUS, TRACE } from "./tools/self.ts"

const ACTING = [
  ...([READ, WRITE, EDIT, LIST, FIND, GREP, SHELL, TASK_WRITE, NOTIFY_USER, SCHEDULE_WRITE] as const),
  ...([INSTRUCTIONS_WRITE, RESPONSIBILITY_REMOVE, WORKFLOW_ADVANCE, DELEGATE] as const),
] as const

const REMEMBERING = [MEMORY_SEARCH, MEMORY_GET, MEMORY_WRITE] as const
const ASKING = [STATUS, LOGS, TRACE, EXPLAIN, COST] as const

/** The tools that the `incipit` profile knows by name, for `{ name, builtin: true }`. */
export const TOOLS: readonly Tool[] = ACTING

/** Every tool that an agent has without a host's help: those that act, memory, and questions about itself. */
export interface BuiltInTools<T extends Tool> {
  readonly acting: readonly T[]
  readonly remembering: readonly T[]
  readonly asking: readonly T[]
}

/** Their definitions. `src/tools/` attaches what they do. */
export const BUILT_IN_TOOLS: BuiltInTools<Tool> = {
  acting: [...ACTING].sort((a, b) => byCodePoint(a.name, b.name)),
  remembering: REMEMBERING,
  asking: ASKING,
}

type BuiltInToolName = (typeof ACTING | typeof REMEMBERING | typeof ASKING)[number]["name"]

/** Every tool that an agent has without a host's help, for the configuration to choose from. */
export const BUILT_IN_TOOL_NAMES: readonly BuiltInToolName[] = [...ACTING, ...REMEMBERING, ...ASKING]
  .map(({ name }) => name)
  .sort(byCodePoint)
