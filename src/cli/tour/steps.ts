// The steps of the tour, as data: the explanation, the message to the agent, and what to look at afterwards.

/** What is shown in addition to the usual facts after an answer. */
export type Look = "prices-of-memory" | "audiences" | "waiting-changes" | "why"

/** What is done before the message is sent. */
export type StepAction = "change-soul" | "new-epoch"

export interface TourStep {
  readonly title: string
  /** What comes next, in one or two sentences. */
  readonly text: string
  readonly action?: StepAction
  readonly message?: string
  /** The message in a workspace other than the sample. */
  readonly elsewhere?: string
  readonly looks: readonly Look[]
  /** Skipped if SOUL.md was not changed, since there is nothing to see. */
  readonly needsChange?: true
}

export const TOUR_STEPS: readonly TourStep[] = [
  {
    title: "Who you are talking to",
    text: "IDENTITY.md and SOUL.md say who the agent is, and USER.md who you are. They are part of the prompt, so the model answers without a tool.",
    message: "Who are you? And also who am I?",
    looks: [],
  },
  {
    title: "Something from memory",
    text: "The prompt has a menu of the memory with token counts, and a few lines that match the message. The model looks up the rest with a tool, and you pay only for what it reads.",
    message: "What do you know about Jonas's birthday?",
    elsewhere: "What do you know about this workspace?",
    looks: ["prices-of-memory"],
  },
  {
    title: "A file, read by a tool",
    text: "The model calls a tool, reads the result and answers. That takes two calls, and the second reads nearly all of the first from the cache.",
    message: "What does data/tides.csv say about 2026-06-16?",
    elsewhere: "What files are here?",
    looks: [],
  },
  {
    title: "What a stranger gets instead",
    text: "Every file needs a level of trust, and every person and place has one. People with less trust get another prompt from the same workspace.",
    looks: ["audiences"],
  },
  {
    title: "A change to SOUL.md",
    text: "One line is added during the conversation. Sending it at once would invalidate the cache of everything after it, so the change waits, and the model answers as before.",
    action: "change-soul",
    message: "Who are you?",
    looks: ["waiting-changes", "why"],
  },
  {
    title: "The prompt is rebuilt",
    text: "A reload, a compaction or an expired cache rebuilds the prompt: everything is written again, including the change. Here it is a reload.",
    action: "new-epoch",
    message: "Who are you?",
    looks: ["why"],
    needsChange: true,
  },
  {
    title: "Something that fails",
    text: "This file does not exist. The tool reports the error to the model, and the record keeps it.",
    message: "Read data/bookings.yaml",
    elsewhere: "Read no-such-file.md",
    looks: [],
  },
  {
    title: "What went wrong",
    text: "The agent can query its own record, limited to what the person asking may see.",
    message: "What went wrong today?",
    looks: [],
  },
  {
    title: "What it cost",
    text: "Every call is recorded with its tokens and its price. `incipit cost --by section` breaks the cost down by section, `--by file` by file.",
    message: "How much did today cost?",
    looks: [],
  },
]
