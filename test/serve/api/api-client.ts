// A caller of the API of a real gateway.
import { apiSurface } from "../../../src/serve/api/api-surface.ts"
import { paramsIn } from "../../../src/serve/api/route.ts"
import { API_ROUTES } from "../../../src/serve/api/routes.ts"
import type { TokenRequest } from "../../../src/serve/auth/stored-tokens.ts"
import { openTestGateway, type TestGateway, type TestOptions } from "../gateway.ts"

export interface ApiClient {
  get(path: string, headers?: Record<string, string>): Promise<Answered>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answered>
}

export interface Answered {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back.
  readonly json: any
}

export function openApi(options: TestOptions = {}): Promise<TestGateway> {
  return openTestGateway({ surfaces: (services) => [apiSurface(services)], ...options })
}

/** The header of a new token. */
export async function apiToken(gateway: TestGateway, request: Partial<TokenRequest> = {}) {
  const { secret } = await gateway.token({ scopes: ["talk", "read"], ...request })
  return { authorization: `Bearer ${secret}` }
}

export async function clientOf(
  gateway: TestGateway,
  request: Partial<TokenRequest> = {},
): Promise<ApiClient> {
  const token = await apiToken(gateway, request)
  const ask = async (path: string, init: RequestInit = {}): Promise<Answered> => {
    const headers = { ...token, ...init.headers }
    const response = await fetch(`${gateway.url}${path}`, { ...init, headers })
    const text = await response.text()
    const isJson = response.headers.get("content-type") === "application/json"
    const json = isJson ? JSON.parse(text) : undefined
    if (response.status === 200 && isJson) checkAnswer(path, init.method ?? "GET", json)
    return { status: response.status, text, json }
  }
  return {
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, body, headers = {}) =>
      ask(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  }
}

/** Every answer in these tests is what the OpenAPI document says. */
function checkAnswer(path: string, method: string, json: unknown): void {
  const { pathname } = new URL(path, "http://localhost")
  const route = API_ROUTES.find((one) => one.method === method && paramsIn(one.path, pathname) !== undefined)
  route?.answer.parse(json)
}

export const OWNER = { user: undefined } as const
export const OPERATOR = {
  user: undefined,
  scopes: ["talk", "read", "operate"],
} satisfies Partial<TokenRequest>
