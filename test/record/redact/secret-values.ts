// Well-formed secrets that belong to nobody, by the form they have. Made at run time, from parts, so that no scanner
// takes a file for a leak.
import { createHash, generateKeyPairSync } from "node:crypto"

/** As random as a real one, and the same each time. */
function chars(alphabet: string, count: number, seed: string): string {
  let text = ""
  for (let round = 0; text.length < count; round += 1)
    for (const byte of createHash("sha512").update(`${seed} ${round}`).digest())
      text += alphabet[byte % alphabet.length] ?? ""
  return text.slice(0, count)
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const ALNUM = `${LETTERS}0123456789`
const SAFE = `${ALNUM}_-`
const BASE64 = `${ALNUM}+/`
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

const alnum = (count: number, seed: string) => chars(ALNUM, count, seed)
const safe = (count: number, seed: string) => chars(SAFE, count, seed)
const hex = (count: number, seed: string) => chars("0123456789abcdef", count, seed)
const base64 = (count: number, seed: string) => chars(BASE64, count, seed)
const upper = (count: number, seed: string) => chars(UPPER, count, seed)
const digits = (count: number, seed: string) => chars("123456789", count, seed)

function pem(type: "pkcs1" | "pkcs8" | "sec1"): string {
  if (type === "pkcs1")
    return generateKeyPairSync("rsa", { modulusLength: 1024 })
      .privateKey.export({ type, format: "pem" })
      .toString()
      .trim()
  return generateKeyPairSync("ec", { namedCurve: "P-256" })
    .privateKey.export({ type, format: "pem" })
    .toString()
    .trim()
}

function block(words: string, seed: string, lines = 6): string {
  const body = Array.from({ length: lines }, (_, at) => base64(64, `${seed}${at}`)).join("\n")
  return `-----BEGIN ${words}-----\n${body}\n-----END ${words}-----`
}

export interface SecretCase {
  readonly name: string
  readonly text: string
  /** What must not be left, not even in part; the whole text if absent. */
  readonly value?: string
}

function plain(name: string, ...parts: readonly string[]): SecretCase {
  return { name, text: parts.join("") }
}

function named(name: string, before: string, value: string, after = ""): SecretCase {
  return { name, text: before + value + after, value }
}

const jwt = () =>
  [
    { alg: "HS256", typ: "JWT" },
    { sub: "1234567890", iat: 1516239022 },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .concat(safe(43, "jwt"))
    .join(".")

const TOKENS: readonly SecretCase[] = [
  plain("AWS access key id", "AKIA", upper(16, "aws id")),
  plain("AWS temporary key id", "ASIA", upper(16, "aws temporary")),
  named("AWS secret key", "aws_secret_access_key = ", base64(40, "aws secret")),
  named("AWS secret key in JSON", '{"SecretAccessKey": "', base64(40, "aws json"), '"}'),
  named("AWS secret beside its id", `AKIA${upper(16, "aws csv")},`, base64(40, "aws csv")),
  named("AWS session token", "AWS_SESSION_TOKEN=", `IQoJb3JpZ2lu${base64(300, "session")}==`),
  plain("Bedrock bearer key", "ABSK", base64(120, "bedrock"), "="),
  plain("Google API key", "AIza", safe(35, "google")),
  plain("Google OAuth token", "ya29.", safe(120, "ya29")),
  plain("Google client secret", "GOCSPX-", safe(28, "gocspx")),
  ...["ghp", "gho", "ghu", "ghs", "ghr"].map((kind) => plain(`GitHub ${kind}`, kind, "_", alnum(36, kind))),
  plain("GitHub fine-grained", "github_pat_", alnum(22, "pat"), "_", alnum(59, "pat2")),
  plain("GitLab", "glpat-", safe(20, "gitlab")),
  plain("GitLab runner", "glrt-", safe(20, "runner")),
  plain("Slack bot", "xoxb-", digits(12, "slack"), "-", digits(12, "slack2"), "-", alnum(24, "slack")),
  plain("Slack app", "xapp-1-", upper(11, "xapp"), "-", digits(13, "xapp"), "-", hex(64, "xapp")),
  named(
    "Slack webhook",
    "https://hooks.slack.com/services/",
    `T${upper(8, "t")}/B${upper(8, "b")}/${alnum(24, "hook")}`,
  ),
  plain("Telegram bot", digits(9, "telegram"), ":AA", safe(33, "telegram")),
  named(
    "Telegram address",
    "https://api.telegram.org/bot",
    `${digits(10, "tg")}:AA${safe(33, "tg")}`,
    "/getMe",
  ),
  plain("Discord bot", "M", alnum(23, "discord"), ".", safe(6, "discord"), ".", safe(27, "discord")),
  named(
    "Discord webhook",
    "https://discord.com/api/webhooks/",
    `${digits(18, "webhook")}/${safe(68, "webhook")}`,
  ),
  plain("JSON web token", jwt()),
  named("bearer header", "Authorization: Bearer ", alnum(32, "bearer")),
  named("bearer in JSON", '{"authorization":"Bearer ', alnum(40, "bearer json"), '"}'),
  named("bearer alone", "curl -H 'Bearer ", alnum(40, "bearer alone"), "'"),
  named("basic header", "authorization: Basic ", Buffer.from(`ada:${alnum(14, "basic")}`).toString("base64")),
]

const SERVICES: readonly SecretCase[] = [
  plain("Hugging Face", "hf_", alnum(34, "hf")),
  plain("xAI", "xai-", alnum(80, "xai")),
  plain("OpenRouter", "sk-or-v1-", hex(64, "or")),
  plain("OpenAI", "sk-", alnum(48, "openai")),
  plain("OpenAI project", "sk-proj-", safe(120, "proj")),
  plain("Anthropic", "sk-ant-api03-", safe(93, "ant"), "AA"),
  plain("DeepSeek", "sk-", hex(32, "deepseek")),
  plain("Groq", "gsk_", alnum(52, "groq")),
  named("Mistral", "MISTRAL_API_KEY=", alnum(32, "mistral")),
  named("Cohere", "export COHERE_API_KEY='", alnum(40, "cohere"), "'"),
  plain("Replicate", "r8_", alnum(37, "r8")),
  plain("Perplexity", "pplx-", alnum(48, "pplx")),
  plain("Together", "tgp_v1_", safe(43, "together")),
  plain("Fireworks", "fw_", alnum(24, "fw")),
  named(
    "Azure storage",
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=",
    `${base64(86, "azure")}==`,
    ";EndpointSuffix=core.windows.net",
  ),
  named("Azure bus", "Endpoint=sb://a.servicebus.windows.net/;SharedAccessKey=", `${base64(43, "bus")}=`),
  plain("Stripe live", "sk_live_", alnum(24, "stripe")),
  plain("Stripe restricted", "rk_live_", alnum(24, "rk")),
  plain("Stripe webhook", "whsec_", alnum(32, "whsec")),
  plain("Twilio key", "SK", hex(32, "twilio")),
  plain("Twilio account", "AC", hex(32, "ac"), ":", hex(32, "auth")),
  plain("SendGrid", "SG.", safe(22, "sg"), ".", safe(43, "sg2")),
  plain("Mailgun", "key-", hex(32, "mailgun")),
  plain("npm", "npm_", alnum(36, "npm")),
  plain("Incipit", "inc_", safe(43, "incipit")),
  plain("PyPI", "pypi-AgEIcHlwaS5vcmc", safe(150, "pypi")),
  plain("Docker", "dckr_pat_", safe(27, "docker")),
  plain("DigitalOcean", "dop_v1_", hex(64, "do")),
  plain("Linear", "lin_api_", alnum(40, "linear")),
  plain("Notion", "ntn_", alnum(46, "notion")),
  plain("Notion, old", "secret_", alnum(43, "notion old")),
  plain("Figma", "figd_", safe(40, "figma")),
  plain("Databricks", "dapi", hex(32, "databricks")),
  plain("Vault", "hvs.", safe(90, "vault")),
  named("Cloudflare", "CLOUDFLARE_API_TOKEN=", safe(40, "cloudflare")),
  plain("Grafana", "glsa_", alnum(32, "grafana"), "_", hex(8, "grafana")),
  plain("Tailscale", "tskey-auth-", alnum(17, "tailscale"), "-", alnum(32, "tailscale2")),
  plain("Vercel", "vcp_", alnum(24, "vercel")),
  plain("Cloudflare global", "cfk_", alnum(40, "cfk"), hex(8, "cfk")),
  plain("AWS role id", "AROA", upper(16, "aws role")),
  plain("age", "AGE-SECRET-KEY-1", chars("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58, "age")),
]

const ADDRESSES: readonly SecretCase[] = [
  "postgres",
  "postgresql",
  "mysql",
  "mongodb+srv",
  "redis",
  "amqp",
].map((scheme) =>
  named(`${scheme} address`, `${scheme}://admin:`, alnum(14, scheme), "@db.internal:5432/app?ssl=true"),
)

const KEYS: readonly SecretCase[] = [
  plain("PKCS8 key", pem("pkcs8")),
  plain("EC key", pem("sec1")),
  plain("RSA key", pem("pkcs1")),
  plain("OpenSSH key", block("OPENSSH PRIVATE KEY", "ssh")),
  plain("encrypted key", block("ENCRYPTED PRIVATE KEY", "encrypted")),
  plain("DSA key", block("DSA PRIVATE KEY", "dsa")),
  plain("OpenPGP key", block("PGP PRIVATE KEY BLOCK", "pgp")),
  named("key in JSON", '{"private_key": "', JSON.stringify(pem("pkcs8")).slice(1, -1), '\\n"}'),
  plain("key that was cut", block("RSA PRIVATE KEY", "cut").slice(0, 300)),
  plain("key in JSON that was cut", JSON.stringify(block("PRIVATE KEY", "cut json")).slice(1, 260)),
  plain("quoted key", block("EC PRIVATE KEY", "quoted").replaceAll("\n", "\n> ")),
  plain(
    "numbered key that was cut",
    block("PRIVATE KEY", "numbered").slice(0, 250).replaceAll("\n", "\n12\t"),
  ),
  plain(
    "PuTTY key",
    "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: ada\nPublic-Lines: 1\n",
    `${base64(64, "public")}\nPrivate-Lines: 1\n${base64(64, "private")}\nPrivate-MAC: ${hex(64, "mac")}`,
  ),
]

const ASSIGNED: readonly SecretCase[] = [
  named("password", "password = ", alnum(14, "password")),
  named("password in JSON", '{"user":"ada","password":"', alnum(14, "password json"), '"}'),
  named("password in YAML", "db_password: ", `${alnum(12, "password yaml")}!#`),
  named("client secret", "client_secret: '", alnum(32, "client"), "'"),
  named("token of camel case", 'authToken: "', alnum(32, "camel"), '"'),
  named("npm token of a private registry", "//registry.example.org/:_authToken=", alnum(40, "npmrc")),
]

export const SECRET_CASES: readonly SecretCase[] = [
  ...TOKENS,
  ...SERVICES,
  ...ADDRESSES,
  ...KEYS,
  ...ASSIGNED,
]
