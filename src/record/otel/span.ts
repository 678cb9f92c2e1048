// A span in OTLP's JSON format, made from an event and its place. Includes texts of people, tools and errors only if
// content is enabled.
import { digest } from "../../base/digest.ts"
import { inputOf } from "../../render/cache/price.ts"
import { levelOf } from "../ask/log.ts"
import type { RecordEvent } from "../write/event.ts"
import {
  type Attribute,
  type Attributes,
  attributesOf,
  errorType,
  modelOf,
  NAMES,
  operationOf,
  providerOf,
  toolOf,
  withTexts,
} from "./attributes.ts"
import { contentAttributes, finishReason, withContentTexts } from "./content.ts"
import type { Placed } from "./place.ts"

const INTERNAL = 1
const CLIENT = 3
const STATUS_ERROR = 2

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code: number; readonly message?: string }
}

export function spanOf({ event, start, end, parent, link }: Placed, content: boolean): Span {
  const { at, trace, turn, session, span, error } = event
  const isCall = event.type === "api_call" || event.type === "api_error"
  const failed = levelOf(event) === "error"
  const traceId = hexId(trace ?? turn ?? session ?? `${at}`, 32)
  const { operation, subject } = operationOf(event)
  return {
    traceId,
    spanId: hexId(span ?? JSON.stringify(event), 16),
    ...(parent !== undefined && { parentSpanId: hexId(parent, 16) }),
    name: subject === undefined ? operation : `${operation} ${subject}`,
    kind: isCall ? CLIENT : INTERNAL,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: attributesOf({
      ...aboutOperation(event),
      ...usageOf(event),
      [NAMES.conversation]: session,
      [NAMES.agent]: event.agent,
      [NAMES.turn]: turn,
      [NAMES.step]: event.step,
      [NAMES.error]: failed ? errorType(event) : undefined,
      [NAMES.cost]: event.costUsd ?? undefined,
      ...(content && contentAttributes(event)),
    }),
    ...(link !== undefined && { links: [{ traceId, spanId: hexId(link, 16) }] }),
    ...(failed && {
      status: { code: STATUS_ERROR, ...(content && error !== undefined && { message: error }) },
    }),
  }
}

/** Applies a function to every text of a span that is not ours, always in the same order. */
export function withSpanTexts(span: Span, change: (text: string) => string): Span {
  const { name, attributes, status } = span
  return {
    ...span,
    name: change(name),
    attributes: attributes.map(
      (attribute) => withContentTexts(attribute, change) ?? withTexts(attribute, change),
    ),
    ...(status && {
      status: { ...status, ...(status.message !== undefined && { message: change(status.message) }) },
    }),
  }
}

/** Keeps ids of the right form, and hashes others into it. */
function hexId(id: string, digits: 16 | 32): string {
  const isOne = id.length === digits && /^[0-9a-f]+$/.test(id) && /[^0]/.test(id)
  return isOne ? id : digest(id).slice("sha256:".length, "sha256:".length + digits)
}

/** As a string, since a number could not hold it. */
export function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`
}

function aboutOperation(event: RecordEvent): Attributes {
  const { model, exchange, data } = event
  const { operation } = operationOf(event)
  if (operation === event.type) return {}
  const isTool = operation === "execute_tool"
  const isAnswered = event.type === "api_call" && typeof data?.finish === "string"
  return {
    [NAMES.operation]: operation,
    [NAMES.provider]: isTool ? undefined : providerOf(model),
    [NAMES.model]: model && modelOf(model),
    [NAMES.responseId]: exchange?.response?.id,
    [NAMES.responseModel]: exchange?.response?.model,
    [NAMES.finish]: isAnswered ? [finishReason(data?.finish)] : undefined,
    [NAMES.tool]: isTool ? toolOf(event) : undefined,
    [NAMES.call]: isTool ? exchange?.call : undefined,
  }
}

/** The input is the total: tokens read from and written to the cache are included in it. */
function usageOf({ type, usage }: RecordEvent): Attributes {
  // A turn's sum would count every call twice.
  if (usage === undefined || type === "turn_completed") return {}
  const input = inputOf(usage)
  return {
    [NAMES.input]: input,
    [NAMES.read]: usage.read,
    [NAMES.write]: input - usage.uncached - usage.read,
    [NAMES.output]: usage.output,
  }
}
