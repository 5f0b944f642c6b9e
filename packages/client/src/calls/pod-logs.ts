import type { Client } from '../client.ts';
import { objectPath, queryOf } from '../rest/paths.ts';
import { coreV1Pod } from '../types/resources.ts';

/** The part of a log that is read. */
export interface PodLogOptions {
  /** The container; of a pod with one container when absent. */
  readonly container?: string;
  /** Continues with new lines until the container ends. */
  readonly follow?: boolean;
  /** The lines of the container that ran before. */
  readonly previous?: boolean;
  readonly sinceSeconds?: number;
  /** An RFC 3339 time. */
  readonly sinceTime?: string;
  /** The number of lines at the end; all when absent. */
  readonly tailLines?: number;
  /** Begins each line with its time. */
  readonly timestamps?: boolean;
  readonly limitBytes?: number;
}

/** A longer line is yielded in pieces. */
const MAX_LINE_CHARACTERS = 1024 * 1024;

/**
 * The lines of the log of a container, as they arrive. Leaving the loop ends the request. Throws `ApiError` if the server refuses,
 * `TransportError` for a lost connection, and the reason of the signal.
 */
export async function* podLogs(
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  options: PodLogOptions = {},
  signal?: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const target = objectPath(coreV1Pod(client.names), namespace, name, 'log') + queryOf({ ...options });
  const decoder = new TextDecoder();
  let begun = '';
  for await (const chunk of client.rawStream({ method: 'GET', target, headers: { accept: '*/*' } }, signal)) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    begun += first;
    for (const line of others) {
      yield begun;
      begun = line;
    }
    if (begun.length < MAX_LINE_CHARACTERS) continue;
    yield begun;
    begun = '';
  }
  begun += decoder.decode();
  if (begun !== '') yield begun;
}
