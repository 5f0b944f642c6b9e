import { ApiError } from '@orch/machinery';
import {
  asNumber,
  asObject,
  asObjects,
  asStrings,
  asText,
  type JsonObject,
  jsonText,
} from '@orch/machinery/json';
import type { Connection } from './connection.ts';

/** A part of an explanation. */
export interface Cause {
  readonly type: string;
  readonly message: string;
  /** The object that it is about. */
  readonly where: CausePlace | undefined;
  /** Who may change it, and by which action; empty when nobody is named. */
  readonly remedy: string;
}

export interface CausePlace {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The answer to a question about an object, a field or a permission. */
export interface Explanation {
  readonly causes: readonly Cause[];
  /** The value of the field as JSON; empty if the field is absent, and in answers to other questions. */
  readonly value: string;
  /** Whether a permission is granted; false in answers to other questions. */
  readonly isAllowed: boolean;
}

/** A request that the server remembers, with the causes of its failure or its duration. */
export interface ExplainedRequest {
  readonly auditId: string;
  readonly receivedAt: string;
  readonly method: string;
  readonly target: string;
  readonly user: string;
  readonly code: number;
  readonly durationMs: number;
  readonly causes: readonly Cause[];
}

/** The parameters of a question; empty ones are left out. */
export type Question = Readonly<Record<string, string>>;

/** Why an object is still there, or with `field` why a field has its value. Undefined on a server that explains nothing. */
export const explainObject = (
  connection: Connection,
  question: Question,
  signal: AbortSignal,
): Promise<Explanation | undefined> => explanation(connection, { path: 'object', question }, signal);

/** Why an operation is allowed or refused. Undefined on a server that explains nothing. */
export const explainAccess = (
  connection: Connection,
  question: Question,
  signal: AbortSignal,
): Promise<Explanation | undefined> => explanation(connection, { path: 'access', question }, signal);

/** The latest refused or slow requests, or the last ones of each user of deprecated versions. Undefined on a server that explains nothing. */
export async function explainRequests(
  connection: Connection,
  is: 'refused' | 'slow' | 'deprecated',
  signal: AbortSignal,
): Promise<readonly ExplainedRequest[] | undefined> {
  const answer = await ask(connection, { path: 'requests', question: { is } }, signal);
  return answer && asObjects(answer['requests']).map(requestIn);
}

interface Asking {
  readonly path: 'object' | 'access' | 'requests' | 'health';
  readonly question: Question;
}

async function explanation(
  connection: Connection,
  asking: Asking,
  signal: AbortSignal,
): Promise<Explanation | undefined> {
  const answer = await ask(connection, asking, signal);
  if (answer === undefined) return undefined;
  const { value } = answer;
  return {
    causes: causesIn(answer),
    value: value === undefined ? '' : jsonText(value),
    isAllowed: answer['allowed'] === true,
  };
}

/** Asks a question below `/why`. Undefined on a server that explains nothing. */
export async function ask(
  connection: Connection,
  { path, question }: Asking,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const pairs = Object.entries(question).filter(([, value]) => value !== '');
  try {
    return asObject(await connection.json({ target: `/why/${path}?${new URLSearchParams(pairs)}` }, signal));
  } catch (error) {
    if (error instanceof ApiError && isUnknownPath(error)) return undefined;
    throw error;
  }
}

/** The 404 of a server without explanations names no object. */
const isUnknownPath = ({ status: { code, details } }: ApiError): boolean =>
  code === 404 && (details?.name ?? '') === '';

const causesIn = (answer: JsonObject): readonly Cause[] =>
  asObjects(answer['causes']).map(({ type, message, where, resolvedBy }) => {
    const { action, subjects } = asObject(resolvedBy);
    const by = asStrings(subjects).join(', ');
    const place = placeIn(asObject(where));
    return {
      type: asText(type),
      message: asText(message),
      where: place.resource === '' ? undefined : place,
      remedy: by === '' ? '' : `${asText(action)}: ${by}`,
    };
  });

const placeIn = ({ group, resource, namespace, name }: JsonObject): CausePlace => ({
  group: asText(group),
  resource: asText(resource),
  namespace: asText(namespace),
  name: asText(name),
});

const requestIn = (request: JsonObject): ExplainedRequest => ({
  auditId: asText(request['auditId']),
  receivedAt: asText(request['receivedAt']),
  method: asText(request['method']),
  target: asText(request['target']),
  user: asText(request['user']),
  code: asNumber(request['code']),
  durationMs: asNumber(request['durationMs']),
  causes: causesIn(request),
});
