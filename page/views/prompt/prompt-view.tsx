// The main view: one call as the model received it, and the way to it through the session's calls.
import { info } from "../../data/info.ts"
import { SessionCalls } from "../../parts/session-calls.tsx"
import { CallView } from "./call-view.tsx"
import "./prompt.css"
import "./style/reading.css"
import "./style/section-list.css"

export default function PromptView() {
  return <SessionCalls heading="Prompt" class="prompt" none={<NoSessions />} show={CallView} />
}

function NoSessions() {
  const hasChat = info.value?.mode === "serve" && info.value.caller.scopes.includes("talk")
  if (!hasChat) return <p>Once a model has been called, its prompt appears here.</p>
  return (
    <p>
      Write a message in the chat, and its prompt appears here. <a href="/?view=chat">Open the chat</a>
    </p>
  )
}
