import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { settle, testEnv } from '@orch/machinery/testing';
import { authorities } from '@orch/pki/x509/testing';
import { isActive } from '../service-account/reconcile.ts';
import { contentSource } from './content-source.ts';
import { wantedConfigMap } from './reconcile.ts';
import { rootCaIn } from './root-certificates.ts';

describe('config maps with certificate authorities', () => {
  for (const naming of ['orch', 'kubernetes'] as const) {
    const names = namesFor(naming);
    const name = naming === 'orch' ? 'orch-root-ca.crt' : 'kube-root-ca.crt';
    const wanted = (current: ApiObject | undefined) => wantedConfigMap('apps', 'CA', { names, current });
    const current = { metadata: { name, namespace: 'apps', uid: '1', labels: { a: 'b' } } };
    for (const [title, before, after] of [
      [
        'is created',
        undefined,
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name, namespace: 'apps' },
          data: { 'ca.crt': 'CA' },
        },
      ],
      ['is unchanged when it is correct', { ...current, data: { 'ca.crt': 'CA' } }, undefined],
      [
        'gets the current certificates',
        { ...current, data: { 'ca.crt': 'x' } },
        { ...current, data: { 'ca.crt': 'CA' } },
      ],
      ['gets missing data', current, { ...current, data: { 'ca.crt': 'CA' } }],
      [
        'loses other data',
        { ...current, data: { 'ca.crt': 'CA', more: 'x' }, binaryData: { a: 'AA==' } },
        { ...current, data: { 'ca.crt': 'CA' } },
      ],
      [
        'loses binary data',
        { ...current, data: { 'ca.crt': 'CA' }, binaryData: { a: 'AA==' } },
        { ...current, data: { 'ca.crt': 'CA' } },
      ],
    ] as const) {
      it(`the config map with the certificate authorities ${title} (${naming})`, () =>
        assert.deepEqual(wanted(before as ApiObject | undefined), after));
    }
  }

  it('a string without a valid certificate is not published', async () => {
    const [one, two] = authorities;
    const read = (text: string) => rootCaIn({ origin: 'root.crt', read: async () => text })();
    assert.equal(await read(one + two), one + two);
    await assert.rejects(read(''), /^Error: root.crt: must contain at least one CERTIFICATE PEM block$/);
    await assert.rejects(read(one.slice(0, 100)), /^Error: root.crt: /);
  });
});

describe('namespaces that receive a config map', () => {
  for (const [title, namespace, expected] of [
    ['in the phase Active is active', { metadata: {}, status: { phase: 'Active' } }, true],
    ['without a phase is active', { metadata: {} }, true],
    ['in the phase Terminating is not active', { metadata: {}, status: { phase: 'Terminating' } }, false],
    [
      'with a deletion timestamp is not active',
      { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
      false,
    ],
    ['that does not exist is not active', undefined, false],
  ] as const) {
    it(`for config maps, a namespace ${title}`, () => assert.equal(isActive(namespace), expected));
  }
});

describe('the source of certificate authorities', () => {
  it('a content source reads its text at intervals, and adds all keys when the text has changed', async () => {
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
