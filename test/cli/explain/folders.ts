// Folders as people have them, each with the files of one program, and files of others beside them. `home/` is the home
// folder; everything else is the workspace.
export interface SampleFolder {
  readonly files: Readonly<Record<string, string>>
  readonly profile?: string
}

const skill = (name: string) => `---\nname: ${name}\ndescription: How to ${name}.\n---\nDo it.\n`

export const SAMPLE_FOLDERS: Readonly<Record<string, SampleFolder>> = {
  empty: { files: {} },
  misspelt: {
    files: {
      "Soul.md": "Kind.",
      "IDENTITIY.md": "Rex.",
      "TOOLS.md": "<!-- nothing yet -->\n",
      "rules/notes.txt": "No.",
    },
  },
  "claude-code": {
    files: {
      ".git/HEAD": "ref: refs/heads/main\n",
      "CLAUDE.md": "# Project\n\nRun the tests.\n",
      "CLAUDE.local.md": "My own notes.\n",
      ".claude/CLAUDE.md": "More of the project.\n",
      ".claude/settings.json": "{}",
      ".claude/agents/reviewer.md": "---\nname: reviewer\ndescription: Reviews.\n---\nReview.\n",
      ".claude/commands/ship.md": "---\ndescription: Ships it.\n---\nShip.\n",
      ".claude/rules/api.md": "---\npaths: src/**\n---\nOf the API.\n",
      ".claude/skills/tidy/SKILL.md": skill("tidy"),
      ".mcp.json": "{}",
      ".claude-plugin/plugin.json": "{}",
      "plugins/notes/skills/note/SKILL.md": skill("note"),
      "plugins/notes/commands/note.md": "Note.\n",
      "src/CLAUDE.md": "Of src.\n",
    },
  },
  codex: {
    files: {
      ".git/HEAD": "ref: refs/heads/main\n",
      "AGENTS.md": "# Project\n\nRun the tests.\n",
      "AGENTS.override.md": "Run them twice.\n",
      "CLAUDE.md": "Something else.\n",
      ".codex/config.toml": "",
      ".agents/skills/tidy/SKILL.md": skill("tidy"),
    },
  },
  gemini: { files: { "GEMINI.md": "Run the tests.\n", ".gemini/settings.json": "{}" } },
  cursor: {
    files: {
      "AGENTS.md": "Run the tests.\n",
      ".cursor/rules/style.mdc": "---\ndescription: Style\nglobs: *.ts\n---\nShort lines.\n",
      ".cursorrules": "Long lines.\n",
      ".cursor/mcp.json": "{}",
      ".windsurfrules": "No lines.\n",
    },
  },
  copilot: {
    files: {
      ".github/copilot-instructions.md": "Run the tests.\n",
      ".github/instructions/api.instructions.md": "---\napplyTo: '**'\n---\nOf the API.\n",
      ".vscode/mcp.json": "{}",
    },
  },
  "other-programs": {
    files: {
      "AGENTS.md": "Run the tests.\n",
      ".codex/skills/tidy/SKILL.md": skill("tidy"),
      ".codex/hooks.json": "{}",
      ".gemini/skills/tidy/notes.md": "Notes.\n",
      ".gemini/commands/ship.toml": "",
      ".github/prompts/ship.prompt.md": "Ship.\n",
      ".pi/SYSTEM.md": "You are a pi.\n",
      ".clinerules/style.md": "Short lines.\n",
      "opencode.json": "{}",
      "app/GEMINI.md": "Of the app.\n",
      "app/.cursor/rules/more/style.mdc": "Long lines.\n",
      "app/.github/copilot-instructions.md": "Of the app.\n",
      "app/.claude/agents/reviewer.md": "Review.\n",
      "app/.claude/commands/ship.md": "Ship.\n",
    },
  },
  "other-case": {
    files: {
      "claude.md": "Run the tests.\n",
      "Claude.local.md": "My own notes.\n",
      ".claude/claude.md": "More.\n",
      "skills/tidy/skill.md": skill("tidy"),
      "Gemini.md": "Run the tests.\n",
      ".github/Copilot-Instructions.md": "Run the tests.\n",
      "src/agents.md": "Of src.\n",
    },
  },
  pi: {
    profile: "pi",
    files: {
      ".git/HEAD": "ref: refs/heads/main\n",
      "home/.pi/agent/AGENTS.md": "Be brief.\n",
      ".pi/SYSTEM.md": "You are a pi.\n",
      ".pi/skills/tidy/SKILL.md": skill("tidy"),
      "home/.pi/agent/SYSTEM.md": "Another pi.\n",
      "AGENTS.md": "Run the tests.\n",
      "CLAUDE.md": "Something else.\n",
      "SOUL.md": "Kind.\n",
    },
  },
  osa: {
    profile: "osa",
    files: {
      "home/.osa/IDENTITY.md": "You are OSA.\n",
      "home/.osa/USER.md": "",
      "home/.osa/MEMORY.md": "The winch was oiled.\n",
      "priv/rules/one.md": "One rule.\n",
      "SOUL.md": "Kind.\n",
    },
  },
  "osa-before": {
    profile: "osa-before",
    files: { "home/.osa/SOUL.md": "Kind.\n", "home/.osa/prompts/SYSTEM.md": "Not yet.\n" },
  },
  coop: {
    profile: "coop",
    files: {
      "incipit.yaml": "users:\n  ada: { trust: inner }\n",
      "SOUL.md": "Kind.\n",
      "USER.md": "The owner.\n",
      "users/ada/USER.md": "Ada.\n",
      "memory/shared/facts.md": "A fact.\n",
      "CLAUDE.md": "Something else.\n",
    },
  },
  moltis: {
    profile: "moltis",
    files: {
      "home/.moltis/SOUL.md": "Kind.\n",
      "home/.moltis/USER.md": "---\nlocation: Umeå\n---\n",
      "CLAUDE.md": "Run the tests.\n",
      "GEMINI.md": "Something else.\n",
    },
  },
  nova: {
    profile: "nova",
    files: {
      "agents/scout/agent.json": '{"name": "Scout", "role": "a scout"}',
      "memories.json": "[]",
      "tasks/tasks.json": '[{"id": 1, "title": "Look around"}]',
      "agents/scout/SOUL.md": "Kind.\n",
    },
  },
}
