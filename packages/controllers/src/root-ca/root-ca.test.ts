import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { settle, testEnv } from '@orch/machinery/testing';
import { authorities } from '@orch/pki/x509/testing';
import { isActive } from '../service-account/reconcile.ts';
import { contentSource } from './content-source.ts';
import { rootCaIn } from './read.ts';
import { wantedConfigMap } from './reconcile.ts';

describe('the config map with the authorities', () => {
  for (const naming of ['orch', 'kubernetes'] as const) {
    const names = namesFor(naming);
    const name = naming === 'orch' ? 'orch-root-ca.crt' : 'kube-root-ca.crt';
    const wanted = (current: ApiObject | undefined) => wantedConfigMap('apps', 'CA', { names, current });
    const current = { metadata: { name, namespace: 'apps', uid: '1', labels: { a: 'b' } } };
    for (const [title, before, after] of [
      [
        'is made',
        undefined,
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name, namespace: 'apps' },
          data: { 'ca.crt': 'CA' },
        },
      ],
      ['is left alone', { ...current, data: { 'ca.crt': 'CA' } }, undefined],
      ['is put right', { ...current, data: { 'ca.crt': 'x' } }, { ...current, data: { 'ca.crt': 'CA' } }],
      ['gets its data', current, { ...current, data: { 'ca.crt': 'CA' } }],
      [
        'loses what does not belong there',
        { ...current, data: { 'ca.crt': 'CA', more: 'x' }, binaryData: { a: 'AA==' } },
        { ...current, data: { 'ca.crt': 'CA' } },
      ],
      [
        'loses bytes',
        { ...current, data: { 'ca.crt': 'CA' }, binaryData: { a: 'AA==' } },
        { ...current, data: { 'ca.crt': 'CA' } },
      ],
    ] as const) {
      it(`${title} (${naming})`, () => assert.deepEqual(wanted(before as ApiObject | undefined), after));
    }
  }

  it('is not made of what is no certificate', async () => {
    const [one, two] = authorities;
    const read = (text: string) => rootCaIn({ origin: 'root.crt', read: async () => text })();
    assert.equal(await read(one + two), one + two);
    await assert.rejects(read(''), /^Error: root.crt: must contain at least one CERTIFICATE PEM block$/);
    await assert.rejects(read(one.slice(0, 100)), /^Error: root.crt: /);
  });
});

describe('an active namespace', () => {
  for (const [title, namespace, expected] of [
    ['is one', { metadata: {}, status: { phase: 'Active' } }, true],
    ['may not have said so yet', { metadata: {} }, true],
    ['is not one that ends', { metadata: {}, status: { phase: 'Terminating' } }, false],
    ['is not one that is to end', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, false],
    ['is not one that is not there', undefined, false],
  ] as const) {
    it(title, () => assert.equal(isActive(namespace), expected));
  }
});

describe('a text outside of the process', () => {
  it('is looked at from time to time; when it is another, everything is', async () => {
    const { clock, log, entries } = testEnv();
    let text: string | Error = 'one';
    const content = {
      origin: 'file',
      read: async () => {
        if (text instanceof Error) throw text;
        return text;
      },
    };
    const source = contentSource(content, { clock, log, keys: () => ['a', 'b'] });
    const abort = new AbortController();
    const added: string[] = [];
    const running = source.run((key) => added.push(key), abort.signal);
    await source.synced(abort.signal);
    await clock.advanceAsync(60_000);
    assert.deepEqual(added, []);
    text = 'two';
    await clock.advanceAsync(10_000);
    assert.deepEqual(added, ['a', 'b']);
    text = new Error('gone');
    await clock.advanceAsync(10_000);
    assert.equal(entries.at(-1)?.['origin'], 'file');
    text = 'two';
    await clock.advanceAsync(30_000);
    assert.equal(added.length, 2);
    text = 'three';
    await clock.advanceAsync(10_000);
    assert.equal(added.length, 4);
    abort.abort();
    await settle();
    await running;
    assert.equal(clock.pending, 0);
  });
});
