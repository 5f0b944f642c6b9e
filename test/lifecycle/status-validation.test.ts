import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { cloneJson, isJsonObject } from '@orch/machinery/json';
import { ApiFixture } from '@orch/server/testing';
import { readManifests } from './manifests.ts';
import { collectionOf, servedKind, servedKinds } from './served-kinds.ts';
import { statusOf } from './statuses.ts';

/** Values that the reference refused at release 1.24, by kind: the path of a field of the status, and the value. */
const refused: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'refused-statuses.json'), 'utf8'),
);

/** Stored versions are validated here, so that no object is stranded; the reference accepts any. */
const stricter = (path: string): boolean => path.startsWith('storedVersions');

type Path = readonly (string | number)[];

function* partsOf(value: unknown, path: Path = []): Generator<readonly [Path, unknown]> {
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* partsOf(item, [...path, i]);
  else if (isJsonObject(value))
    for (const [name, field] of Object.entries(value)) yield* partsOf(field, [...path, name]);
  if (path.length > 0) yield [path, value];
}

const absent = Symbol('absent');

/** Values that replace a part of a status, by their names in the record. */
function valuesFor(value: unknown): readonly (readonly [label: string, value: unknown])[] {
  const others: (readonly [string, unknown])[] = [['absent', absent]];
  if (typeof value === 'string')
    others.push(['empty', ''], ['bad value!', 'bad value!'], ['long', 'x'.repeat(400)], ['a/b/c', 'a/b/c']);
  if (typeof value === 'number') others.push(['-1', -1], ['0', 0], ['2147483647', 2_147_483_647]);
  if (Array.isArray(value)) others.push(['twice', [...value, ...value]], ['[]', []]);
  return others;
}

function withValue(status: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const copy = cloneJson(status) as Record<string | number, unknown>;
  const next = withValue(copy[first], rest, value);
  if (next !== absent) copy[first] = next;
  else if (Array.isArray(copy)) copy.splice(Number(first), 1);
  else delete copy[first];
  return copy;
}

describe('validation of statuses', () => {
  it('writes of /status are refused for the values that the reference refuses, for every kind', async () => {
    const options = { release: '1.24', naming: 'kubernetes', isEnabled: () => true } as const;
    await using api = await ApiFixture.open({ ...options, maintainsApiServices: false });
    const all = await servedKinds(api, '1.24');
    const manifests = readManifests(namesFor('kubernetes'));
    const counts = { refused: 0, accepted: 0 };
    for (const [title, expected] of Object.entries(refused)) {
      const [apiVersion = '', kind = ''] = title.split(' ');
      const manifest = manifests.find(
        ({ object }) => object.apiVersion === apiVersion && object.kind === kind,
      );
      const status = statusOf(apiVersion, kind);
      assert.ok(manifest !== undefined && status !== undefined, title);
      const { metadata, ...object } = manifest.object;
      const path = collectionOf(servedKind(all, apiVersion, kind));
      const namespace = metadata.namespace === undefined ? {} : { namespace: 'default' };
      const made = await api.post(path, { ...object, metadata: { ...metadata, ...namespace } });
      assert.ok(made.status === 201, `${title}: ${made.text}`);
      const found: string[] = [];
      for (const [part, value] of partsOf(status)) {
        const name = part.join('.');
        for (const [label, other] of valuesFor(value)) {
          const operation = { op: 'add', path: '/status', value: withValue(status, part, other) };
          const { status: code, text } = await api.send(
            'PATCH',
            `${path}/${metadata.name}/status?dryRun=All`,
            {
              body: [operation],
              contentType: 'application/json-patch+json',
            },
          );
          assert.ok(code === 200 || code === 422, `${title} ${name} ${label}: ${text}`);
          // Validation does not concern values of a wrong type: a malformed time.
          const isTyped = !text.includes('the patched object is invalid: patch:');
          if (code === 422 && isTyped && !stricter(name)) found.push(`${name} ${label}`);
          counts[code === 200 ? 'accepted' : 'refused'] += 1;
        }
      }
      assert.deepEqual(found.sort(), [...expected].sort(), title);
    }
    assert.ok(counts.refused > 100 && counts.accepted > 900, JSON.stringify(counts));
  });
});
