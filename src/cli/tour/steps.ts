// The steps of the tour, as data: the explanation, the message to the agent, and what to look at afterwards.

/** What is shown in addition to the usual facts after an answer. */
export type Look = "prices-of-memory" | "audiences" | "held" | "why"

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
    title: "Who is there",
    text: "IDENTITY.md and SOUL.md say who the agent is, USER.md whom it talks with. They stand in the prompt, so the model answers without a tool.",
    message: "Who are you? And also who am I?",
    looks: [],
  },
  {
    title: "Something from memory",
    text: "Of memory the prompt has a menu with prices, and a few lines that fit the message. A tool looks up the rest, which is paid for only then.",
    message: "What do you know about Jonas's birthday?",
    elsewhere: "What do you know about this workspace?",
    looks: ["prices-of-memory"],
  },
  {
    title: "A file, by a tool",
    text: "The model calls a tool, reads what came back and answers. That is two calls, and the second finds nearly all of the first in the cache.",
    message: "What does data/tides.csv say about 2026-06-16?",
    elsewhere: "What files are here?",
    looks: [],
  },
  {
    title: "What a stranger is told instead",
    text: "Each file has a trust, and so have people and places. The same workspace makes another prompt for whoever may see less.",
    looks: ["audiences"],
  },
  {
    title: "A change to SOUL.md",
    text: "One line is added while the conversation goes on. To tell it at once would cost the cache of all that stands after it, so the change is held, and the model answers as before.",
    action: "change-soul",
    message: "Who are you?",
    looks: ["held", "why"],
  },
  {
    title: "The next epoch",
    text: "A reload, a compaction or a cold cache begins a new epoch: everything is written anew, the change with it. Here it is a reload.",
    action: "new-epoch",
    message: "Who are you?",
    looks: ["why"],
    needsChange: true,
  },
  {
    title: "Something that fails",
    text: "There is no such file. The tool says so to the model, and the record keeps it.",
    message: "Read data/bookings.yaml",
    elsewhere: "Read no-such-file.md",
    looks: [],
  },
  {
    title: "What went wrong",
    text: "The agent can ask its own record, as far as the person who asks may see it.",
    message: "What went wrong today?",
    looks: [],
  },
  {
    title: "What it cost",
    text: "Every call is recorded with its tokens and its price. `incipit cost --by section` puts them down to sections and files.",
    message: "How much did today cost?",
    looks: [],
  },
]
