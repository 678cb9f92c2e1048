// A new session: what one could say first, and which agent hears it.
import { info } from "../../../data/info.ts"
import { visibleName } from "../../../parts/visible-text.ts"

export interface BeginViewProps {
  readonly agents: readonly string[]
  readonly agent: string | undefined
  readonly onAgent: (agent: string) => void
  readonly onTry: (text: string) => void
}

interface Try {
  readonly text: string
  readonly shows: string
}

/** Things that every agent can do, the offline model included. */
const FOR_OWNERS: readonly Try[] = [
  { text: "What files are here?", shows: "uses a tool" },
  { text: "How much did today cost?", shows: "asks the record" },
  { text: "Run ls -la", shows: "asks for your approval first" },
]
const FOR_OTHERS: readonly Try[] = [
  { text: "Who are you?", shows: "from its prompt" },
  { text: "What can you do?", shows: "its tools and skills" },
  { text: "What do you know about me?", shows: "from its memory" },
]

export function BeginView({ agents, agent, onAgent, onTry }: BeginViewProps) {
  const { title = "", caller, models = [] } = info.value ?? {}
  const tries = caller?.trust === "full" ? FOR_OWNERS : FOR_OTHERS
  return (
    <div class="scroller">
      <div class="begin">
        <h2>{visibleName(title)}</h2>
        {models[0]?.startsWith("offline/") && (
          <p class="quiet">
            No API key was found, so the offline model answers, by fixed rules. Set ANTHROPIC_API_KEY and
            start the server again to use a real one.
          </p>
        )}
        {agents.length > 1 && (
          <label class="chat-row">
            Agent
            <select value={agent} onChange={(event) => onAgent(event.currentTarget.value)}>
              {agents.map((name) => (
                <option key={name} value={name}>
                  {visibleName(name)}
                </option>
              ))}
            </select>
          </label>
        )}
        <h3>Try one of these</h3>
        <ul class="tries">
          {tries.map(({ text, shows }) => (
            <li key={text}>
              <button type="button" onClick={() => onTry(text)}>
                {text} <span class="quiet small">{shows}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
