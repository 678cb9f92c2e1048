// Names of files and folders that hold keys, and of the tooling around a workspace. They need full trust in any folder.
// docs/guide/trust.md lists them in words.
import { sep } from "node:path"
import { isTemporary } from "../temporary-name.ts"

const FILES = [
  /^\.env/,
  /\.env$/,
  /^[._]netrc$/,
  /^\.(npmrc|yarnrc(\.yml)?|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|vault-token|boto|s3cfg)$/,
  // The public half of a key pair is not a secret.
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /\.(pem|key|p12|pfx|ppk|jks|keystore|kdbx|tfvars|tfstate)$/,
  /^(credentials?|secrets?)(\.(json|ya?ml|toml|ini|txt|cfg))?$/,
  /^token\.json$/,
  /^(service[-_]?account|client[-_]?secret).*\.json$/,
  /^incipit\.lock$/,
]

const FOLDERS = /^\.(git|aws|ssh|gnupg|kube|docker|azure|gcloud|password-store)$/

/** `way` is relative to the folder in use, so that a workspace inside such a folder stays usable. */
export function isSecret(way: string): boolean {
  const names = way.normalize("NFC").toLowerCase().split(sep)
  const last = names.at(-1) ?? ""
  if (names.some((name, at) => FOLDERS.test(name) || (name === "gcloud" && names[at - 1] === ".config")))
    return true
  return isTemporary(last) || FILES.some((pattern) => pattern.test(last))
}
