import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TransportError } from '@orch/client';
import { ApiError, namesFor } from '@orch/machinery';
import fc from 'fast-check';
import { Connection } from './connection.ts';
import { readKinds } from './discovery.ts';
import { linesOf } from './lines.ts';

const signal = new AbortController().signal;

/** A connection whose answers are given by path. */
const answering = (answer: (target: string) => Response | Promise<Response>): Connection =>
  new Connection('http://page', async (input) => answer(String(input).slice('http://page'.length)));

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Response(Buffer.concat(chunks)).body === null
    ? assert.fail()
    : new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk));
          controller.close();
        },
      });
}

async function collected<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}

describe('lines of an answer', () => {
  it('lines are the same in whatever pieces their bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' })),
        fc.integer({ min: 1, max: 5 }),
        async (texts, size) => {
          const lines = texts.map((text) => text.replaceAll('\n', ' '));
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, place) =>
            bytes.subarray(place * size, (place + 1) * size),
          );
          assert.deepEqual(await collected(linesOf(streamOf(chunks), 1000)), lines);
        },
      ),
    );
  });

  it('a line without an end is the last one', async () => {
    assert.deepEqual(await collected(linesOf(streamOf([Buffer.from('a\nb')]), 10)), ['a', 'b']);
  });

  it('a line that never ends is refused', async () => {
    const chunks = Array.from({ length: 20 }, () => Buffer.from('x'));
    await assert.rejects(collected(linesOf(streamOf(chunks), 10)), TransportError);
  });
});

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
    await assert.rejects(connection.json({ target: '/x' }, signal), { message: 'bad gateway' });
  });

  it('a lost connection is a transport error', async () => {
    const connection = answering(() => Promise.reject(new TypeError('Failed to fetch')));
    await assert.rejects(connection.text({ target: '/x' }, signal), TransportError);
  });
});

describe('the kinds of a server', () => {
  const documents: Readonly<Record<string, unknown>> = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': {
      kind: 'APIGroupList',
      groups: [
        {
          name: 'apps',
          versions: [{ version: 'v1beta1' }, { version: 'v1' }],
          preferredVersion: { version: 'v1' },
        },
        { name: 'gone.example', versions: [{ version: 'v1' }], preferredVersion: { version: 'v1' } },
      ],
    },
    '/api/v1': {
      resources: [
        { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['list'], shortNames: ['po'] },
        { name: 'pods/log', kind: 'Pod' },
      ],
    },
    '/apis/apps/v1': { resources: [{ name: 'deployments', kind: 'Deployment', verbs: ['list'] }] },
    '/apis/apps/v1beta1': { resources: [{ name: 'deployments', kind: 'Deployment', verbs: ['list'] }] },
  };

  it('kinds of a server without aggregated documents are read version by version, each in its preferred one', async () => {
    const connection = answering((target) => {
      const document = documents[target];
      return document === undefined ? new Response('no answer', { status: 503 }) : Response.json(document);
    });
    const { resources, failed } = await readKinds(connection, namesFor('orch'), signal);
    assert.deepEqual(
      resources.map(({ group, version, resource, subresources }) => [group, version, resource, subresources]),
      [
        ['', 'v1', 'pods', ['log']],
        ['apps', 'v1', 'deployments', []],
      ],
    );
    assert.deepEqual([...failed], [['gone.example/v1', 'no answer']]);
  });
});
