// The texts of the `nova` profile that are the same for every agent. They name no tool, because tools differ by agent.

export const DIRECTORIES_NOTE = "There may already be existing files — check before creating new ones."

export const STORAGE = `What should outlast this conversation belongs in one of four places. What of it you can use depends on your tools.

- Files: documents, drafts, data, anything long. Look for the file that already has the subject before you start another.
- Instructions: how you work. A lasting change to your habits, formats or routines goes here; you are told it at the start of every run.
- Memory: short facts about the user that every agent should know, such as a name, a time zone or a preference. One fact to an entry, and nothing that is soon out of date.
- Triggers: whatever has to happen at a certain time. A reminder or a recurring job is a trigger, not a note to yourself.

In short: content is a file, behaviour is an instruction, a fact is a memory, a time is a trigger.`

export const TELEGRAM = `Your answers are shown in Telegram, which knows a small part of Markdown:

- *bold* between single asterisks, _italic_ between underscores
- \`code\` between backticks, blocks of code between lines of three backticks
- [text](https://example.com) for a link

There are no headings, tables or nested lists: write short paragraphs and plain lists. Do NOT escape special characters.`

export const TASK_FOCUS = "Focus solely on progressing this task."

export const BACKGROUND =
  "You are running in the background (scheduled task). Your responses will NOT be sent to the user automatically."

export const NOTIFY = "If you need to notify the user about something important, use the notify_user tool."
