import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { secretWarnings } from './core/secret/warnings.ts';
import { podWarnings } from './core/shared/pod-spec/warnings/pod.ts';
import { typesAt } from './lifecycle.ts';
import { builtinTypes } from './registry.ts';
import type { ResourceType } from './resource-type.ts';
import { writePath } from './testing/write-path.ts';

/** An object that was sent to the reference server of a release, and the warnings in its answer. */
interface Observed {
  readonly release: string;
  readonly object: ApiObject & { readonly kind: string; readonly apiVersion: string };
  readonly warnings: readonly string[];
}

const names = namesFor('kubernetes');

const observed = readFileSync(join(import.meta.dirname, 'observed-warnings.fixture.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Observed);

function typeOf({
  release,
  object: { kind, apiVersion },
}: Pick<Observed, 'release' | 'object'>): ResourceType {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const found = typesAt(release, builtinTypes).find(
    (type) => type.kind === kind && names.group(type.group) === group,
  );
  assert.ok(found, `${apiVersion} ${kind}`);
  return found;
}

function warningsAbout(one: Pick<Observed, 'release' | 'object'>): readonly string[] {
  const { release, object } = one;
  const { problems, errors, warnings } = writePath(names, release).create(typeOf(one), object);
  assert.deepEqual([problems, errors], [[], []]);
  return warnings;
}

describe('warnings about the content of objects', () => {
  for (const release of new Set(observed.map((one) => one.release)))
    it(`creations under ${release} have the warnings of the reference server`, () => {
      for (const one of observed)
        if (one.release === release)
          assert.deepEqual(warningsAbout(one).toSorted(), one.warnings, JSON.stringify(one.object));
    });
});

/** The warnings about a pod with many paths below each other, and as many equal ports. */
const nested = (count: number): readonly string[] => {
  const items = Array.from({ length: count }, (_, i) => ({
    key: 'k',
    path: 'a/'.repeat(i % 100).concat('b'),
  }));
  const volumes = [{ name: 'v', configMap: { name: 'm', items } }];
  const ports = Array.from({ length: count }, () => ({ containerPort: 80, hostIP: '1.2.3.4' }));
  const containers = [{ name: 'c', image: 'i', ports }];
  return podWarnings('', { spec: { volumes, containers } }, writePath(names, '1.37').context);
};

describe('many warnings about one object', () => {
  it('warnings about overlapping paths and ports are no more than a reply has room for', () => {
    assert.ok(nested(50_000).length < 256);
  });

  it('names of variables and texts of secrets may be as long as a request', () => {
    const name = ')'.repeat(500_000);
    const env = [{ name }, { name, value: ')'.repeat(1_000_000) }];
    const containers = [{ name: 'c', image: 'i', env }];
    const { context } = writePath(names, '1.37');
    assert.equal(podWarnings('', { spec: { containers } }, context).length, 1);
    const crt = 'a: -----BEGIN X-----\n'.repeat(50_000);
    const data = { 'tls.crt': Buffer.from(crt).toString('base64') };
    const secret = { metadata: {}, type: names.secretTypes.tls, data };
    assert.deepEqual(secretWarnings(secret, undefined, context), [
      'tls: failed to find any PEM data in certificate input',
    ]);
  });

  it('a path overlaps those above and below it, in the order of the list', () => {
    const items = ['a/b', 'c', 'a', 'a/b', 'ab'].map((path) => ({ key: 'k', path }));
    const volumes = [{ name: 'v', configMap: { name: 'm', items } }];
    const about = 'volume "v" (ConfigMap "m"): overlapping paths:';
    assert.deepEqual(podWarnings('', { spec: { volumes } }, writePath(names, '1.37').context), [
      `${about} "a" with "a/b"`,
      `${about} "a/b" with "a/b"`,
      `${about} "a/b" with "a"`,
    ]);
  });

  it('a warning under the own names of the product has those names', () => {
    const { context } = writePath(namesFor('orch'), '1.37');
    const spec = { nodeSelector: { [context.names.labels.betaOs]: 'linux' } };
    const text = podWarnings('', { spec }, context).join();
    assert.ok(text.includes(context.names.labels.os));
    assert.equal(text.includes(names.labels.os), false);
  });

  it('a secret has a warning about its certificate or its key', () => {
    const block = (type: string, text: string): string =>
      `-----BEGIN ${type}-----\n${text}\n-----END ${type}-----\n`;
    const about = (crt: string, key: string): readonly string[] =>
      warningsAbout({
        release: '1.37',
        object: {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'x' },
          type: names.secretTypes.tls,
          stringData: { 'tls.crt': crt, 'tls.key': key },
        },
      });
    const certificate = block('CERTIFICATE', 'AAAA');
    assert.deepEqual(about(block('PRIVATE KEY', 'AAAA'), ''), [
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ]);
    assert.deepEqual(about(block('CERTIFICATE', 'A!'), ''), [
      'tls: failed to find any PEM data in certificate input',
    ]);
    assert.deepEqual(about(certificate, 'x'), ['tls: failed to find any PEM data in key input']);
    assert.deepEqual(about(certificate, certificate), [
      'tls: found a certificate rather than a key in the PEM for the private key',
    ]);
  });
});
