import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { applyMergePatch } from '@orch/apply';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import { type ApiClient, launchServerProcess, type ServerProcess } from '@orch/testkit';
import { answerOf } from './random-objects.ts';
import type { RecordedChange } from './random-updates.ts';

const fixture = new URL('random-updates-1.37.fixture.jsonl', import.meta.url);
const lines = readFileSync(fixture, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as RecordedChange);

/** The path of the object that a change is sent to, or to a subresource of which. */
function objectPath({ path, base }: RecordedChange): string {
  const [target = ''] = path.split('?');
  const { name } = base['metadata'] as JsonObject;
  return target.endsWith(`/${String(name)}`) ? target : target.replace(/\/[^/]*$/, '');
}

/** The answer to a change of an object that nobody else changes meanwhile: the server writes conditions of new objects of some kinds. */
async function answerTo(client: ApiClient, path: string, change: RecordedChange): Promise<unknown> {
  const { method, patch } = change;
  for (;;) {
    const { json } = await client.get(path);
    assert.ok(isJsonObject(json));
    const body = method === 'PATCH' ? patch : (applyMergePatch(json, patch) as object);
    const options = method === 'PATCH' ? { contentType: 'application/merge-patch+json' } : {};
    const answer = await client.send(method, change.path, { body, ...options });
    if (revisionOf((await client.get(path)).json) === revisionOf(json)) return answerOf(answer.json);
  }
}

const revisionOf = (object: unknown): unknown =>
  isJsonObject(object) && isJsonObject(object['metadata'])
    ? object['metadata']['resourceVersion']
    : undefined;

// Written by: make compare ARGS='--release=1.37 --random=12 --updates --seed=11 --record=scripts/compare/random-updates-1.37.fixture.jsonl'
describe('random changes of objects at release 1.37', () => {
  let server: ServerProcess;
  before(async () => {
    const args = ['--service-cluster-ip-range=10.0.0.0/24', '--advertise-address=192.0.2.1'];
    server = await launchServerProcess({ naming: 'kubernetes', release: '1.37', args });
  });
  after(async () => await server[Symbol.asyncDispose]());

  for (const [collection, ofKind] of Map.groupBy(lines, (line) => objectPath(line).replace(/\/[^/]*$/, '')))
    it(`PUT and PATCH below ${collection} accept and refuse what the reference does`, async () => {
      const { client } = server;
      for (const [key, changes] of Map.groupBy(ofKind, ({ base }) => JSON.stringify(base))) {
        const created = await client.post(collection, JSON.parse(key));
        assert.equal(created.status, 201, created.text);
        const [first] = changes;
        const path = objectPath(first as RecordedChange);
        const answers = await Promise.all(changes.map((change) => answerTo(client, path, change)));
        for (const [i, { path, patch, answer }] of changes.entries())
          assert.deepEqual(answers[i], answer, `${path}: ${JSON.stringify(patch)}`);
        await client.delete(`${path}?gracePeriodSeconds=0`);
      }
    });
});
