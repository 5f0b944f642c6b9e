import { ApiError } from '@orch/machinery';
import { asObject, asObjects, type JsonObject } from '@orch/machinery/json';
import { CommandError } from '../../command-error.ts';
import type { Session } from '../../session/session.ts';

/** The parameters of a question; empty ones are left out. */
export type Question = Readonly<Record<string, string>>;

interface Asking {
  readonly question: Question;
  /** Groups of the user of the question. */
  readonly groups?: readonly string[];
  readonly signal: AbortSignal;
}

const NOT_FOUND = 404;

/** Asks the server one of the questions below `/why`. */
export async function ask(
  { client }: Session,
  path: 'object' | 'access' | 'requests',
  { question, groups = [], signal }: Asking,
): Promise<JsonObject> {
  const given = Object.entries(question).filter(([, value]) => value !== '');
  const query = [...given, ...groups.map((group) => ['userGroup', group])] as [string, string][];
  const target = `/why/${path}?${new URLSearchParams(query)}`;
  try {
    const answer = await client.raw(
      { method: 'GET', target, headers: { accept: 'application/json' } },
      signal,
    );
    return asObject(answer);
  } catch (error) {
    if (error instanceof ApiError && isUnknownPath(error))
      throw new CommandError('the server explains nothing: it has no path /why');
    throw error;
  }
}

/** The 404 of a server without explanations names no object. */
const isUnknownPath = ({ status: { code, details } }: ApiError): boolean =>
  code === NOT_FOUND && details?.name === undefined;

/** The request with an audit id as the replicas remember it; empty when none does, or the user may not see it. */
export async function askForRequest(
  session: Session,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly answer: JsonObject; readonly requests: readonly JsonObject[] }> {
  const answer = await ask(session, 'requests', { question: { id }, signal });
  return { answer, requests: asObjects(answer['requests']) };
}
