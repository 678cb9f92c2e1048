// The clients that the server can be added to. The others are told what to add.
export const MCP_CLIENTS = ["claude-code", "codex", "opencode", "gemini-cli", "cursor", "vscode"] as const
export type McpClientName = (typeof MCP_CLIENTS)[number]
