import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { NEWEST_RELEASE } from '@orch/apis';
import { errors } from '@orch/machinery';
import { requestOf } from '../testing/answers.ts';
import { countingIterations } from '../testing/event-loop.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const KEYS = 5000;
/** Iterations of the event loop while another thread parses, at least; a parse in this thread takes a few turns. */
const MANY_ITERATIONS = 1000;

const yamlThread = new URL('./yaml-thread.ts', import.meta.url);
const maps = '/api/v1/namespaces/default/configmaps';
const applied = `${maps}/one?fieldManager=m&dryRun=All`;

/** A config map with an anchor, which only the full parser reads. */
const textOf = (more = ''): string => {
  const entries = Array.from({ length: KEYS }, (_, i) => `  key-${i}: "the value ${i}"`);
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  a: &a "1"\n  b: *a\n${entries.join('\n')}\n${more}`;
};

const writes = {
  'a creation': ['POST', `${maps}?dryRun=All`, 'application/yaml', 201],
  'an apply': ['PATCH', applied, 'application/apply-patch+yaml', 201],
} as const;

type Write = (typeof writes)[keyof typeof writes];

const send = (api: RegistryFixture, [method, path, contentType]: Write, text: string) =>
  api.send(method, path, { body: Buffer.from(text), contentType });

/** The nice values of the threads of this process that have a name (proc(5)). */
const nicesOf = (name: string): readonly (string | undefined)[] =>
  readdirSync('/proc/self/task')
    .map((thread) => readFileSync(`/proc/self/task/${thread}/stat`, 'utf8'))
    .filter((stat) => stat.includes(`(${name})`))
    .map((stat) => stat.slice(stat.indexOf(')')).split(' ')[17]);

describe('a large body of YAML', () => {
  let shared: RegistryFixture;
  let alone: RegistryFixture;
  before(async () => {
    shared = await RegistryFixture.open({ release: NEWEST_RELEASE, yamlThread });
    alone = await RegistryFixture.open({ release: NEWEST_RELEASE });
  });
  after(async () => {
    await shared[Symbol.asyncDispose]();
    await alone[Symbol.asyncDispose]();
  });

  for (const [what, write] of Object.entries(writes)) {
    it(`a large body of YAML is parsed by another thread, with the same result: ${what}`, async () => {
      const { result, iterations } = await countingIterations(send(shared, write, textOf()));
      const expected = await send(alone, write, textOf());
      assert.equal(result.status, write[3]);
      assert.deepEqual(result.json.data, expected.json.data);
      assert.equal(result.json.data.b, '1');
      assert.ok(iterations >= MANY_ITERATIONS, `${iterations} iterations`);
    });

    for (const [problem, more] of [
      ['a syntax error', 'x: [\n'],
      ['a second document', '---\nx: y\n'],
      ['a duplicate key', 'apiVersion: v1\n'],
    ] as const)
      it(`the answer to ${problem} in a large body of YAML is the same from another thread: ${what}`, async () => {
        const strict = [
          write[0],
          `${write[1]}&fieldValidation=Strict`,
          write[2],
          write[3],
        ] as unknown as Write;
        const [one, other] = [
          await send(shared, strict, textOf(more)),
          await send(alone, strict, textOf(more)),
        ];
        assert.equal(one.status, 400);
        assert.deepEqual(one.json, other.json);
      });
  }

  it('the thread that parses YAML has less priority than those that serve requests', {
    skip: process.platform !== 'linux',
  }, async () => {
    await send(shared, writes['a creation'], textOf());
    assert.deepEqual(nicesOf('YAML parser'), ['10']);
    assert.notEqual(nicesOf('MainThread')[0], '10');
  });

  it('a large body of YAML is no longer parsed when its client has gone, and others are parsed after it', async () => {
    await using api = await RegistryFixture.open({ yamlThread });
    const body = Buffer.from(textOf());
    const request = requestOf('POST', `${maps}?dryRun=All`, { body, contentType: 'application/yaml' });
    const gone = Promise.resolve(api.raw(request));
    const after = send(api, writes['a creation'], textOf());
    setImmediate(() => request.cancel(errors.plain(499, 'the client has disconnected')));
    assert.equal((await gone).status, 499);
    assert.equal((await after).status, 201);
  });
});
