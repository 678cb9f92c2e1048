// What the offline model understands (a table; exempt from the limit of lines): requests, the tool that each needs, and
// its script. The first row that matches and has what it needs wins.
import { quoted } from "./answer.ts"
import { callTool } from "./call-tool.ts"
import { askFile, fileNamedIn } from "./files.ts"
import { askMemory, tellRecall, tellWritten } from "./memory.ts"
import { askCost, askTrace, askTrouble } from "./record.ts"
import { scheduledIn } from "./schedule.ts"
import { argument, ask, type Intent, patterns, say } from "./script.ts"
import { named, selfOf, skillsOf } from "./self.ts"
import { taskCalls, taskId } from "./tasks.ts"

const ABOUT_ITSELF: readonly Intent[] = [
  {
    can: "tell the time",
    example: "what time is it?",
    patterns: patterns("what(?:'s| is)?(?: the)? (?:time|date|day)\\b.*", "how late is it"),
    section: "clock",
    script: (_found, { turn }) => say(`It is ${turn.get("clock")}.`),
  },
  {
    can: "greet",
    example: "hello",
    patterns: patterns("(?:hello|hi|hey|good (?:morning|afternoon|evening))(?: there)?"),
    script: (_found, view) => say(`Hello. ${named(view)} Ask me what I can do.`),
  },
  {
    can: "say who I am",
    example: "who are you?",
    patterns: patterns("who are you", "what(?:'s| is) your name", "introduce yourself"),
    script: (_found, view) => say(selfOf(view)),
  },
  {
    can: "say who you are",
    example: "who am I?",
    patterns: patterns("who am i", "what(?:'s| is) my name"),
    section: "user",
    script: (_found, { head }) => say(`My prompt says:\n${quoted((head.get("user") ?? "").split("\n"))}`),
  },
  {
    can: "list my skills",
    example: "which skills do you have?",
    patterns: patterns("(?:which|what|list|show|do you have|are there)\\b.*\\b(?:skills?|instructions)\\b.*"),
    script: (_found, view) => say(skillsOf(view)),
  },
  {
    can: "list your tasks",
    example: "what are my tasks?",
    patterns: patterns("(?:what|which|list|show)\\b.*\\b(?:tasks|to-?dos?)\\b.*", "what(?:'s| is) next"),
    section: "tasks",
    script: (_found, { turn }) => say(`Your tasks:\n${quoted((turn.get("tasks") ?? "").split("\n"), 20)}`),
  },
]

const MEMORY_QUESTIONS = patterns(
  "what do you (?:know|remember)(?: about| of)? (.+?)",
  "(?:do you (?:know|remember)|tell me about) (.+?)",
  "(?:who|when|where) (?:is|was|are|were|does|did) (.+?)",
  "what(?:'s| is| was| are) (.+?'s .+?)",
)

const MEMORY: readonly Intent[] = [
  {
    can: "remember a fact",
    example: "remember that Carol's birthday is on 12 March",
    tool: "memory_write",
    changes: true,
    patterns: patterns("(?:remember|note|keep in mind)(?: that|:)?\\s+(.+)"),
    script: ({ groups: [text = ""] }) =>
      ask([{ tool: "memory_write", input: { text } }], ([called]) =>
        called ? tellWritten(called, text) : "",
      ),
  },
  {
    can: "search memory",
    example: "what do you know about Carol?",
    tool: "memory_search",
    patterns: MEMORY_QUESTIONS,
    script: ({ groups: [query = ""] }, view) => askMemory(query, view),
  },
  {
    can: "show what memory has on this message",
    example: "what do you know about Carol?",
    section: "recall",
    patterns: MEMORY_QUESTIONS,
    script: (_found, view) => say(tellRecall(view)),
  },
]

const RECORD: readonly Intent[] = [
  {
    can: "explain why something is in my prompt, or is not",
    example: "why is the soul section in your prompt?",
    tool: "incipit_explain",
    patterns: patterns(
      "why (?:do|don't|do not|did|didn't|did not) you (?:know|see|have)(?: about| of)? (.+?)",
      "what were you told(?: about)? (.+?)",
      "why is (.+?) (?:in|not in|missing from) (?:the|your) prompt",
    ),
    script: ({ groups: [what = ""] }) =>
      ask([
        { tool: "incipit_explain", input: { what: what.replaceAll(/^(?:the|my|your|a) | section$/gi, "") } },
      ]),
  },
  {
    can: "find out what went wrong",
    example: "why did my message fail last night?",
    tool: "incipit_logs",
    patterns: patterns(
      "why (?:did|has|have|was|were|is) .*\\b(?:fail|failed|failing|wrong|late|slow|break|broken|stuck|unanswered)\\b.*",
      "why (?:didn't|did not) .+",
      "(?:what|did anything|has anything)\\b.*\\b(?:went wrong|go wrong|gone wrong|fail|failed)\\b.*",
      "what happened last night",
    ),
    script: ({ request }, view) => askTrouble(request, view),
  },
  {
    can: "show what happened to a message",
    example: "what happened in the last turn?",
    tool: "incipit_trace",
    patterns: patterns(
      "what happened (?:in|during|with) (?:the |my |your )?(?:last|previous) (?:turn|message)",
      "(?:show me |show )?(?:the )?trace(?: of)?(?: turn)? PATH",
    ),
    script: ({ groups: [turn = ""] }, view) => askTrace(turn, view),
  },
  {
    can: "add up costs",
    example: "how much did today cost?",
    tool: "incipit_cost",
    patterns: patterns("(?:how much|what)\\b.*\\b(?:costs?|spend|spent)\\b.*", "costs?\\b.*"),
    script: ({ request }) => askCost(request),
  },
  {
    can: "show the status",
    example: "status",
    tool: "incipit_status",
    patterns: patterns(
      "(?:show )?(?:me )?(?:your |the )?status",
      "how are (?:things|you)(?: doing)?",
      "what(?:'s| is) (?:your|the) status",
    ),
    script: () => ask([{ tool: "incipit_status", input: {} }]),
  },
]

/** "Run the numbers" isn't a command. These words begin one, whether it is marked as a command or not. */
const PROGRAMS =
  "ls|pwd|cat|head|tail|wc|grep|find|echo|date|whoami|uname|df|du|git|node|npm|npx|make|python3?"

const ACTIONS: readonly Intent[] = [
  {
    can: "run a command",
    example: "run ls -la",
    tool: "shell",
    changes: true,
    patterns: patterns(
      "!\\s*(.+)",
      "(?:run|execute)(?: the command)?:? (`[^`]+`)(?: for me)?",
      "(?:run|execute)(?: the command:?|:) (.+)",
      `(?:run|execute) ((?:${PROGRAMS})(?: .+)?)`,
    ),
    script: ({ groups: [command = ""] }) => ask([{ tool: "shell", input: { command } }]),
  },
  {
    can: "write a file",
    example: "create file notes.md with The lamp was cleaned.",
    tool: "write",
    changes: true,
    patterns: patterns(
      "(?:write|create|make)(?: an?| the)?(?: new)?(?: file)?(?: called| named)? PATH (?:with|containing|that says)(?: the text)?:?\\s+(.+)",
    ),
    script: ({ groups: [path = "", text = ""] }) => ask([{ tool: "write", input: { path, text } }]),
  },
  {
    can: "edit a file",
    example: "change cleaned to polished in notes.md",
    tool: "edit",
    changes: true,
    patterns: patterns("(?:change|replace) (.+?) (?:to|with|by) (.+) in PATH"),
    script: ({ groups: [from = "", to = "", path = ""] }) =>
      ask([{ tool: "edit", input: { path, old: from, new: to } }]),
  },
  {
    can: "plan tasks",
    example: "plan tasks: read the log, clean the lamp, write a report",
    tool: "task_write",
    changes: true,
    patterns: patterns("(?:plan|add|make) (?:the )?tasks?:? (.+)"),
    script: ({ groups: [list = ""] }, view) =>
      ask(
        taskCalls(
          list.split(/[,;\n]+/).map((title) => ({ title: title.trim() })),
          view,
        ),
      ),
  },
  {
    can: "mark a task as done",
    example: "done with 2",
    tool: "task_write",
    changes: true,
    patterns: patterns(
      "(?:i am |i'm )?done with (?:task )?(.+?)",
      "task (.+?) is done",
      "(?:mark|finish) task (.+?)(?: as done)?",
    ),
    script: ({ groups: [which = ""] }, view) =>
      ask(taskCalls([{ id: taskId(which, view), status: "done" }], view)),
  },
  {
    can: "send you a notice",
    example: "notify me that the lamp is on",
    tool: "notify_user",
    changes: true,
    patterns: patterns("notify me(?: that| about|:)?\\s+(.+)"),
    script: ({ groups: [text = ""] }, view) =>
      ask([{ tool: "notify_user", input: { [argument(view, "notify_user", ["text", "message"])]: text } }]),
  },
  {
    can: "schedule something",
    example: "every day at 8 check the lamp",
    tool: "schedule_write",
    changes: true,
    patterns: patterns(".*\\bevery\\b.+"),
    script: ({ request }) => {
      const scheduled = scheduledIn(request)
      return scheduled && ask([{ tool: "schedule_write", input: { ...scheduled } }])
    },
  },
  {
    can: "delegate work to another agent",
    example: "delegate: count the files of this folder",
    tool: "delegate",
    changes: true,
    patterns: patterns("delegate to ([\\w-]+): (.+)", "delegate:? (.+)"),
    script: ({ groups }) => {
      const task = groups.at(-1) ?? ""
      return ask([{ tool: "delegate", input: groups.length === 2 ? { task, agent: groups[0] } : { task } }])
    },
  },
]

const FILES: readonly Intent[] = [
  {
    can: "find files",
    example: "find files *.md",
    tool: "find",
    patterns: patterns(
      "find(?: all)?(?: the)? files?(?: named| called| matching| like)? PATH(?: in PATH)?",
      "find PATH",
    ),
    script: ({ groups: [pattern = "", path = ""] }) =>
      ask([{ tool: "find", input: path === "" ? { pattern } : { pattern, path } }]),
  },
  {
    can: "search in files",
    example: "search for lamp",
    tool: "grep",
    patterns: patterns("(?:(?:search|look)(?: in(?: the)? files)? for|grep(?: for)?) (.+?)(?: in PATH)?"),
    script: ({ groups: [text = "", path = ""] }) => {
      const pattern = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
      return ask([{ tool: "grep", input: path === "" ? { pattern } : { pattern, path } }])
    },
  },
  {
    can: "list a folder",
    example: "what files are here?",
    tool: "list",
    patterns: patterns(
      "(?:list|show)(?: me)?(?: all)?(?: the)? files(?: (?:in|of)(?: the)?(?: folder)? PATH)?",
      "(?:list|ls)(?: the folder)?(?: PATH)?",
      "(?:what|which) files\\b(?:.* in(?: the)?(?: folder)? PATH|.*)",
    ),
    script: ({ groups: [path = ""] }) =>
      ask([{ tool: "list", input: path === "" || /^(?:here|there|it)$/i.test(path) ? {} : { path } }]),
  },
  {
    can: "read a file",
    example: "read README.md",
    tool: "read",
    patterns: patterns("(?:read|show|open|print|cat|summari[sz]e)(?: me)?(?: the)?(?: file)? PATH"),
    script: ({ groups: [path = ""] }) => ask([{ tool: "read", input: { path } }]),
  },
  {
    can: "answer from a file",
    example: "what does README.md say about keys?",
    tool: "read",
    patterns: patterns("(?:what|who|when|where|which|how|why|does|do|is|are|tell me|explain|describe)\\b.+"),
    script: ({ request }) => {
      const path = fileNamedIn(request)
      return path === undefined ? undefined : askFile(path, request)
    },
  },
]

/** Any tool by its name. */
export const CALL_ANY: Intent = {
  can: "call any tool",
  example: 'call NAME {"key": "value"}',
  patterns: patterns("call ([\\w-]{1,64})(?:\\s+(\\{.*\\}))?"),
  script: ({ groups: [name = "", json = ""] }, view) => callTool(name, json, view),
}

/** Files come before memory, since a question that names a file is about the file. */
export const INTENTS: readonly Intent[] = [
  CALL_ANY,
  ...ABOUT_ITSELF,
  ...RECORD,
  ...ACTIONS,
  ...FILES,
  ...MEMORY,
]
