import { ApiError, type ApiObject, type Status } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { TransportError } from '../transport/transport.ts';
import { readStatus } from './failures.ts';
import { decodeAnswer } from './read-body.ts';
import type { WatchEvent } from './types.ts';
import { LineCutter } from './watch-lines.ts';

const types: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

/** The events of a watch (spec 2.4) from the chunks of its body. An `ERROR` event is thrown as `ApiError`. */
export async function* eventsOf<T extends ApiObject>(
  chunks: AsyncIterable<Uint8Array>,
  maxEventBytes: number,
  decode: (bytes: Uint8Array) => unknown = decodeAnswer,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const cutter = new LineCutter(maxEventBytes);
  for await (const chunk of chunks) {
    for (const line of cutter.cut(chunk)) yield readEvent<T>(decode(line));
  }
  const rest = cutter.rest();
  if (rest.byteLength > 0) yield readEvent<T>(decode(rest));
}

function readEvent<T extends ApiObject>(event: unknown): WatchEvent<T> {
  if (!isJsonObject(event) || !isJsonObject(event['object']))
    throw new TransportError('noEffect', 'the watch sent data that is not an event');
  if (event['type'] === 'ERROR') throw new ApiError(statusOf(event['object']));
  if (!types.has(event['type']) || !isJsonObject(event['object']['metadata']))
    throw new TransportError('noEffect', 'the watch sent an event of an unknown type');
  return event as unknown as WatchEvent<T>;
}

const statusOf = (object: Record<string, unknown>): Status =>
  readStatus(object, 500) ?? {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'the watch ended with an error that is not a Status',
    reason: 'InternalError',
    code: 500,
  };
