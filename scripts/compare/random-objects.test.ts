import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { launchServerProcess, type ServerProcess } from '@orch/testkit';
import { answerOf, type RecordedAnswer } from './random-objects.ts';

const fixture = new URL('random-objects-1.37.fixture.jsonl', import.meta.url);
const lines = readFileSync(fixture, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as RecordedAnswer);

// Written by: make compare ARGS='--release=1.37 --random=14 --seed=11 --record=scripts/compare/random-objects-1.37.fixture.jsonl'
describe('objects with random changes at release 1.37', () => {
  let server: ServerProcess;
  before(async () => {
    const args = ['--service-cluster-ip-range=10.0.0.0/24', '--advertise-address=192.0.2.1'];
    server = await launchServerProcess({ naming: 'kubernetes', release: '1.37', args });
  });
  after(async () => await server[Symbol.asyncDispose]());

  for (const [path, all] of Map.groupBy(lines, ({ path }) => path))
    it(`POST ${path} accepts and refuses what the reference does`, async () => {
      const answers = await Promise.all(
        all.map(async ({ body }) => answerOf((await server.client.post(path, body)).json)),
      );
      for (const [i, { body, answer }] of all.entries())
        assert.deepEqual(answers[i], answer, JSON.stringify(body));
    });
});
