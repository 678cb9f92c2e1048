// Every kind of secret that can be recognised by its form, as one table. The linter, the redactor and the code that
// learns from messages use it. No pattern starts in the middle of a name, so no text is scanned twice and the time is
// linear in the text, even for hostile input. Private keys span several lines: see `private-key-text.ts`.

export interface SecretForm {
  /** Appears in the mark that replaces the value. */
  readonly kind: string
  /** What a diagnostic calls it. Without a label, it is redacted but not reported. */
  readonly label?: string
  /** The first group is the value; without a group, the whole match is. */
  readonly pattern: RegExp
  /** An additional check of the value. Default: it must not be a placeholder. */
  readonly isValue?: (value: string) => boolean
  /** The form is so specific that even a placeholder is redacted; it is not reported. */
  readonly redactsPlaceholders?: true
}

/** Where a token may start: not inside a name, or right after an escaped line break or tab. */
const START = String.raw`(?:(?<![\w-])|(?<=\\[nrt]))`
/**
 * For tokens with a distinctive beginning: also after a digit, `-` or `_`. Nothing may have to follow the last repetition
 * of such a pattern unless its length is bounded: the time would no longer be linear.
 */
const ANY_START = String.raw`(?:(?<![A-Za-z])|(?<=\\[nrt]))`

function token(kind: string, label: string, source: string): SecretForm {
  return { kind, label, pattern: new RegExp(`${START}(?:${source})`, "g") }
}

function distinct(kind: string, label: string, source: string): SecretForm {
  return { kind, label, pattern: new RegExp(`${ANY_START}(?:${source})`, "g"), redactsPlaceholders: true }
}

const TOKENS: readonly SecretForm[] = [
  distinct(
    "aws",
    "an AWS access key id",
    "(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|A3T[A-Z0-9])(?!IOSFODNN7EXAMPLE)[A-Z0-9]{16}(?![A-Za-z0-9])",
  ),
  token("aws", "an AWS session token", "(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9/+=]{50,}"),
  token("bedrock", "a Bedrock key", "(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{40,}"),
  distinct(
    "github",
    "a GitHub token",
    String.raw`gh[opsur]_(?:[A-Za-z0-9]{36,}|\w{36}(?!\w))|github_pat_\w{22,}`,
  ),
  distinct("github", "a GitHub token", String.raw`ghs_\d{1,20}_[\w-]{1,500}\.[\w-]{1,10000}\.[\w-]{1,1000}`),
  distinct(
    "gitlab",
    "a GitLab token",
    String.raw`(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-|GR1348941)[\w.-]{20,}`,
  ),
  distinct(
    "slack",
    "a Slack token",
    String.raw`(?:xox[abceoprs]|xapp)-(?:[A-Za-z0-9-]{10,}|(?:[A-Za-z0-9]{1,40}-){1,20}[A-Za-z0-9]{1,40}(?!\w))|xoxe\.xox[bp]-[A-Za-z0-9-]{10,}`,
  ),
  token("google", "a Google API key", String.raw`AIza[\w-]{35,}`),
  token("google", "a Google OAuth token", String.raw`ya29\.[\w.-]{20,}|GOCSPX-[\w-]{20,}|1//0[\w-]{30,}`),
  distinct("anthropic", "an Anthropic key", String.raw`sk-ant-[\w-]{20,}`),
  token("openrouter", "an OpenRouter key", String.raw`sk-or-[\w-]{20,}`),
  token("openai", "an OpenAI key", String.raw`sk-(?=[\w-]{0,200}\d)(?:proj-|svcacct-|admin-)?[\w-]{20,}`),
  {
    kind: "openai",
    label: "an OpenAI key",
    // The middle part alone tells it apart, whatever is around the key.
    pattern: /sk-(?:[A-Za-z0-9]{20}|(?:proj|svcacct|admin)-[\w-]{58}(?:[\w-]{16})?)T3BlbkFJ[\w-]{20,74}/g,
    redactsPlaceholders: true,
  },
  distinct("incipit", "an Incipit token", String.raw`inc_[\w-]{43}(?![\w-])`),
  token("xai", "an xAI key", String.raw`xai-[\w-]{40,}`),
  distinct("groq", "a Groq key", "gsk_[A-Za-z0-9]{40,}"),
  distinct("huggingface", "a Hugging Face token", "(?:hf_|api_org_)[A-Za-z0-9]{30,}"),
  token("replicate", "a Replicate token", "r8_[A-Za-z0-9]{30,}"),
  token("perplexity", "a Perplexity key", "pplx-[A-Za-z0-9]{40,}"),
  token("together", "a Together key", String.raw`tgp_v1_[\w-]{30,}`),
  token("fireworks", "a Fireworks key", "fw_[A-Za-z0-9]{22,}"),
  distinct("vercel", "a Vercel token", "vc[aiprk]_[A-Za-z0-9]{20,}"),
  distinct("stripe", "a Stripe key", "[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}"),
  token("twilio", "a Twilio key", "SK[0-9a-f]{32}(?![0-9a-z])|AC[0-9a-f]{32}:[0-9a-f]{32}"),
  token("sendgrid", "a SendGrid key", String.raw`SG\.[\w-]{16,}\.[\w-]{30,}`),
  {
    kind: "sendgrid",
    label: "a SendGrid key",
    pattern: /(?<![A-Za-z])SG\.\w{1,64}\.\w{1,64}(?:-\w{1,64})?/g,
    isValue: ({ length }) => length === SENDGRID_CHARACTERS,
  },
  token("mailgun", "a Mailgun key", "key-[0-9a-f]{32}(?![0-9a-z])"),
  token("mailchimp", "a Mailchimp key", String.raw`[0-9a-f]{32}-us\d{1,2}(?!\w)`),
  distinct("npm", "an npm token", String.raw`npm_(?:[A-Za-z0-9]{36,}|\w{36}(?!\w))`),
  token("pypi", "a PyPI token", String.raw`pypi-[\w-]{50,}`),
  distinct("docker", "a Docker token", String.raw`dckr_[po]at_[\w-]{20,}`),
  token("digitalocean", "a DigitalOcean token", "do[opr]_v1_[0-9a-f]{40,}"),
  distinct("grafana", "a Grafana token", "glc_[A-Za-z0-9+/]{32,}={0,2}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
  distinct("tailscale", "a Tailscale key", String.raw`tskey-[a-z]{2,20}-\w{8,40}-\w{16,}`),
  distinct("1password", "a 1Password token", "ops_ey[A-Za-z0-9+/=]{100,}"),
  distinct("linear", "a Linear key", String.raw`lin_(?:api|oauth)_(?:[A-Za-z0-9]{30,}|\w{32,128}(?!\w))`),
  distinct("notion", "a Notion token", "ntn_[A-Za-z0-9]{40,}"),
  token("notion", "a Notion token", "secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
  distinct("figma", "a Figma token", String.raw`fig[dou]_[\w-]{30,}`),
  distinct("databricks", "a Databricks token", String.raw`dapi[0-9a-fA-F]{32}(?:-\d)?(?![0-9a-fA-F])`),
  distinct("hashicorp-vault", "a Vault token", String.raw`hv[sbr]\.[\w-]{24,}`),
  token("cloudflare", "a Cloudflare token", String.raw`v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}`),
  distinct("cloudflare", "a Cloudflare token", String.raw`cf(?:ut|at|kt?)_[\w-]{30,}`),
  distinct("shopify", "a Shopify token", "shp(?:at|ca|pa|ss)_[0-9a-zA-Z]{32,}"),
  token("azure", "an Azure client secret", String.raw`[\w.~-]{3}\dQ~[\w.~-]{31,}`),
  token("age", "an age key", "AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
  token("json-web-token", "a JSON web token", String.raw`eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?`),
  token("json-web-token", "an encrypted JSON web token", String.raw`eyJ[\w-]{8,}(?:\.[\w-]*){3}\.[\w-]{8,}`),
  token("discord", "a Discord token", String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}|mfa\.[\w-]{80,}`),
  {
    kind: "telegram",
    label: "a Telegram bot token",
    // No word boundary: in a URL the token comes right after `bot`.
    pattern: /(?<!\d)\d{8,10}:AA[\w-]{33,}/g,
  },
]

/** URLs that are secrets, or that contain one. */
const ADDRESSES: readonly SecretForm[] = [
  {
    kind: "slack",
    label: "a Slack webhook",
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Z0-9]{6,20}\/\w{6,20}\/[\w/]{16,80})/g,
  },
  {
    kind: "slack",
    label: "a Slack webhook",
    pattern: /https:\/\/hooks\.slack\.com\/services\/T[a-z0-9]{1,40}\/B[a-z0-9]{1,40}\/[a-z0-9]{1,40}/gi,
    redactsPlaceholders: true,
  },
  {
    kind: "discord",
    label: "a Discord webhook",
    pattern: /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{16,20}\/[\w-]{40,})/g,
  },
  {
    kind: "azure",
    label: "an Azure key",
    pattern: /(?:AccountKey|SharedAccessKey)\s{0,3}=\s{0,3}([A-Za-z0-9+/]{30,}={0,2})/gi,
  },
  {
    kind: "azure",
    label: "an Azure signature",
    pattern: /(?<=[?&])sig=([\w%+/-]{30,}={0,2})/g,
  },
  {
    kind: "password",
    label: "a password in an address",
    // A password may contain an unencoded @.
    pattern:
      /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s:/@"'<>]{0,100}:((?:[^\s"'`<>/@]{1,100}@){0,3}[^\s"'`<>/@]{1,100})@/g,
    isValue: (value) => !isStandIn(value) && !PASSWORD_WORDS.has(value.toLowerCase()),
  },
  // Where somebody logs in, and as whom, is redacted with the password.
  {
    kind: "database-connection-string",
    pattern:
      /(?:mongodb(?:\+srv)?|(?:jdbc:)?mysqlx?|postgres(?:ql)?):\/\/[^:/\s]{1,100}:[^@/\s]{1,200}@[^/\s?]{1,100}(?:\/[^?\s]{0,100})?(?:\?\S{0,500})?/gi,
    isValue: hasPassword,
  },
  {
    kind: "basicauth",
    pattern:
      /(?:https?|ftps?):\/\/[-\w]{2,256}:[-\w]{4,256}@[-\w%.+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}(?![A-Za-z0-9_])/g,
    isValue: hasPassword,
  },
]

/** What documentation writes in place of a password. */
const PASSWORD_WORDS: ReadonlySet<string> = new Set([
  ...["password", "passwd", "pass", "pwd", "pw", "secret", "token", "key", "p", "b", "..."],
])

const SENDGRID_CHARACTERS = 69

/** Whether a URL's password is one, and not a variable or a word of documentation. */
function hasPassword(url: string): boolean {
  const [, user = "", password = ""] = /:\/\/([^:/\s]+):([^@/\s]+)@/.exec(url) ?? []
  if (user === password || password.length < 4 || /^(.)\1*$/.test(password)) return false
  if (/\{[^}]{1,50}\}|%[A-Z_]{1,30}%|\$[A-Z_]{1,30}|\$\([^)]{1,50}\)/.test(password)) return false
  return !PASSWORD_WORDS.has(password.toLowerCase())
}

/** Between a name and its value: quotes, escaped or not, and an assignment or a colon. */
const IS = String.raw`(?:\\?["'\x60*]){0,3}\s{0,3}(?:=>|[:=]{1,2})[>*]{0,2}\s{0,3}(?:\\?["'\x60])?`
/** A name may begin with other words. Its length is bounded, and with it the work. */
const NAME = String.raw`(?<![\w-])[\w-]{0,40}?`
const VALUE = String.raw`([^\s"'\x60,;\\]{8,400})`

/** Values recognised only by the name before them; they must also look random. */
const NAMED: readonly SecretForm[] = [
  {
    kind: "aws",
    label: "an AWS secret key",
    pattern: new RegExp(
      `${NAME}(?:aws[_-]?)?(?:secret[_-]?access[_-]?key|session[_-]?token|secret[_-]?key)${IS}([A-Za-z0-9/+=]{40,})`,
      "gi",
    ),
    isValue: (value) => !isPlaceholder(value) && /[A-Z]/.test(value) && /[a-z]/.test(value),
  },
  {
    kind: "aws",
    label: "an AWS secret key",
    pattern: new RegExp(
      `${START}${String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}(?:\\?["'])?[\s,:;|]{1,5}(?:\\?["'])?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])`}`,
      "g",
    ),
  },
  {
    kind: "aws",
    label: "an AWS secret key",
    pattern:
      /secret_?access_?key["']?\s{0,20}(?::|=>|=)\s{0,20}["']?((?!wJalrXUtnFEMI\/K7MDENG\/)[A-Za-z0-9/+=]{40})/gi,
    redactsPlaceholders: true,
  },
  {
    // Not a secret, but it says whose account it is.
    kind: "aws",
    pattern: /account_?(?:id)?["']?\s{0,20}(?::|=>|=)\s{0,20}["']?(\d{4}-?\d{4}-?\d{4})(?!\w)/gi,
    redactsPlaceholders: true,
  },
  {
    kind: "authorization",
    label: "an authorization header",
    pattern: new RegExp(
      `(?<![A-Za-z])authorization${IS}(?:bearer|basic|token|apikey|bot|key)[ \\t]{1,3}([\\w~+/.=:-]{8,})`,
      "gi",
    ),
    isValue: (value) => !isStandIn(value),
  },
  {
    kind: "authorization",
    label: "a bearer token",
    pattern: /(?<![\w-])bearer[ \t]{1,3}([\w~+/.=-]{16,})/gi,
    isValue: looksRandom,
  },
  {
    kind: "authorization",
    label: "basic credentials",
    pattern: /(?<![\w-])basic[ \t]{1,3}([A-Za-z0-9+/]{12,}={0,2})(?![\w+/=])/gi,
    isValue: looksRandom,
  },
  {
    kind: "password",
    label: "a password",
    pattern: new RegExp(`${NAME}(?:password|passwd|passphrase|pwd)${IS}${VALUE}`, "gi"),
    isValue: looksRandom,
  },
  {
    kind: "token",
    label: "a key or token",
    pattern: new RegExp(
      `${NAME}(?:(?:api|secret|private|access|auth|account|signing|encryption)[_ -]?key(?:[_ -]?id)?|secret|token)${IS}${VALUE}`,
      "gi",
    ),
    isValue: looksRandom,
  },
]

/** The first form that matches names the secret. */
export const SECRET_FORMS: readonly SecretForm[] = [...TOKENS, ...ADDRESSES, ...NAMED]

/** Bits per character. Eight different characters have three. */
const MIN_ENTROPY = 3

/** An example value, or one that the reader should fill in. */
export function isPlaceholder(value: string): boolean {
  return (
    /example|sample|your|dummy|placeholder|redacted|change-?me|x{4}|\*{3}|\.{3}|…/i.test(value) ||
    entropy(value) < MIN_ENTROPY
  )
}

/** A variable or a bracketed name to be replaced by a real value. */
function isStandIn(value: string): boolean {
  return /^[$%<{[(]|^(.)\1*$|\.{3}|…|redacted/i.test(value)
}

/** Mixes letters with digits or signs, and isn't a path, URL, call, variable or digest. */
function looksRandom(value: string): boolean {
  if (/^[$%<{[(/~.]|:\/\/|[({]|^(?:sha\d{1,3}|md5)[:-]/.test(value)) return false
  return /[A-Za-z]/.test(value) && /[\d!@#^&]/.test(value) && !isPlaceholder(value)
}

/** Shannon entropy per character. Only the beginning of a long value is measured. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  const some = value.slice(0, 200)
  for (const character of some) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / some.length) * Math.log2(count / some.length),
    0,
  )
}
