// The prompts that the suite gets.
import { acceptedContent, completable, inputRequired, type McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { PNG, textContent } from "./contents.ts"

export function offerPrompts(server: McpServer): void {
  const user = <C>(content: C) => ({ role: "user" as const, content })
  server.registerPrompt("test_simple_prompt", { title: "Simple", description: DESCRIPTION }, () => ({
    messages: [user(textContent("This is a simple prompt for testing."))],
  }))
  const word = completable(z.string(), (typed) => ["park", "party"].filter((one) => one.startsWith(typed)))
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      title: "With arguments",
      description: DESCRIPTION,
      argsSchema: z.object({ arg1: word, arg2: z.string() }),
    },
    ({ arg1, arg2 }) => ({
      messages: [user(textContent(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  )
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { title: "With a resource", description: DESCRIPTION, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        user({
          type: "resource" as const,
          resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
        }),
        user(textContent("Please process the embedded resource above.")),
      ],
    }),
  )
  server.registerPrompt(
    "test_prompt_with_image",
    { title: "With an image", description: DESCRIPTION },
    () => ({
      messages: [
        user({ type: "image" as const, data: PNG, mimeType: "image/png" }),
        user(textContent("Please analyze the image above.")),
      ],
    }),
  )
  server.registerPrompt(
    "test_input_required_result_prompt",
    { title: "Asks first", description: DESCRIPTION },
    ({ mcpReq }) => {
      const found = acceptedContent(mcpReq.inputResponses, "user_context", CONTEXT)
      if (found !== undefined) return { messages: [user(textContent(`In this context: ${found.context}`))] }
      return inputRequired({
        inputRequests: {
          user_context: inputRequired.elicit({
            message: "What context should the prompt use?",
            requestedSchema: CONTEXT,
          }),
        },
      })
    },
  )
}

const CONTEXT = z.object({ context: z.string() })

/** The suite wants each prompt to have one. */
const DESCRIPTION = "A prompt of the conformance suite."
