// An MCP server with `sandbox: true` runs inside: it answers as usual, and sees what commands see.
import { resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { startAgent } from "../agent/world/agent-world.ts"
import { call } from "../agent/world/scripted-model.ts"
import { whyNoBubblewrap } from "./sandbox-world.ts"

const WHY_NOT = await whyNoBubblewrap()

/** Speaks the protocol in a few lines, so that it needs no package. */
const SERVER = `import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked: continue
    name = {"name": "where", "description": "Where it is.", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    seen = f"host {os.uname().nodename}, key {os.environ.get('OWN_KEY')}, home {os.environ['HOME']}, test {os.path.exists('TEST')}"
    answers = {
        "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}},
        "tools/list": {"tools": [name]},
        "tools/call": {"content": [{"type": "text", "text": seen}]},
    }
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answers.get(asked["method"], {})}), flush=True)
`

test.skipIf(WHY_NOT !== undefined)("a server inside", async () => {
  const outside = resolve("package.json")
  const local = await startAgent({
    protocol: "anthropic",
    files: {
      "incipit.yaml":
        "profile: incipit\nmcp: { places: { command: python3, args: [server.py], sandbox: true, env: { OWN_KEY: given } } }\n",
      "server.py": SERVER.replace("TEST", outside),
    },
    answer: ({ calls }) => (calls === 1 ? [call("where", {})] : [{ text: "There." }]),
  })
  onTestFinished(() => local.close())
  await local.send("Where are you?")
  expect(JSON.stringify(local.exchanges[1]?.body.messages.at(-1))).toContain(
    "host sandbox, key given, home /tmp, test False",
  )
})
