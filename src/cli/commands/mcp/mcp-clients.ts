// The clients whose settings the server can be added to, and the scopes of those settings.
export const MCP_CLIENTS = ["claude-code", "codex", "opencode", "gemini-cli", "cursor", "vscode"] as const
export type McpClientName = (typeof MCP_CLIENTS)[number]

/** `project`: for whoever opens the current folder. `user`: for all folders of one person. */
export const SCOPES = ["project", "user"] as const
export type Scope = (typeof SCOPES)[number]
