import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TransportError } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { type Connection, connectTo } from './connection.ts';

const signal = new AbortController().signal;

/** A connection whose answers are given by path. */
const answering = (answer: (target: string) => Response | Promise<Response>): Connection =>
  connectTo('http://page', async (input) => answer(String(input).slice('http://page'.length)));

describe('requests of the page', () => {
  it('a Status becomes an error with its message, code and causes', async () => {
    const status = {
      kind: 'Status',
      message: 'no',
      reason: 'Invalid',
      details: { causes: [{ field: 'spec.a', message: 'must be a string' }] },
    };
    const connection = answering(() => Response.json(status, { status: 422 }));
    const error = await connection.json({ target: '/x' }, signal).catch((each: unknown) => each);
    assert.ok(error instanceof ApiError);
    assert.deepEqual(
      [error.message, error.status.code, error.status.details?.causes?.[0]?.field],
      ['no', 422, 'spec.a'],
    );
  });

  it('another failure is quoted', async () => {
    const connection = answering(() => new Response('bad gateway', { status: 502 }));
    await assert.rejects(connection.json({ target: '/x' }, signal), /502: bad gateway$/);
  });

  it('an answer of another type is not taken for JSON', async () => {
    const connection = answering(() => new Response('<html>'));
    await assert.rejects(connection.json({ target: '/x' }, signal), /the answer is not JSON/);
  });

  it('a lost connection is a transport error', async () => {
    const connection = answering(() => Promise.reject(new TypeError('Failed to fetch')));
    await assert.rejects(connection.text({ target: '/x' }, signal), TransportError);
  });
});
