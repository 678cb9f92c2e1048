// A span as OTLP's JSON has it, made of an event and its place. Texts of people, tools and errors are in it only where
// content is asked for.
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

/** Every text of a span that is not ours through a function, in the same order each time. */
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

/** Ids of the right form are kept, others made into one. */
function hexId(id: string, digits: 16 | 32): string {
  const isOne = id.length === digits && /^[0-9a-f]+$/.test(id) && /[^0]/.test(id)
  return isOne ? id : digest(id).slice("sha256:".length, "sha256:".length + digits)
}

/** As text, since a number could not hold it. */
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

/** The input is all of it: what was read from the cache and written to it are parts of the same number. */
function usageOf({ type, usage }: RecordEvent): Attributes {
  // The turn's own sum would count every call twice.
  if (usage === undefined || type === "turn_completed") return {}
  const input = inputOf(usage)
  return {
    [NAMES.input]: input,
    [NAMES.read]: usage.read,
    [NAMES.write]: input - usage.fresh - usage.read,
    [NAMES.output]: usage.output,
  }
}
