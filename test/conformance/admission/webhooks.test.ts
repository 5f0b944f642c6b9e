import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ApiObject, Status } from '@orch/machinery';
import { buildGoProgram, launchServer, observations, temporaryFolder } from '@orch/testkit';
import { databaseDefinition, GROUP } from '../custom-resources/databases.ts';

const webhooks = await buildGoProgram(join(import.meta.dirname, '..', 'go', 'webhooks'));

interface Step {
  readonly step: string;
  readonly value: unknown;
}

interface Database extends ApiObject {
  readonly spec: object;
}

const denied = 'admission webhook "validate.stable.example.com" denied the request';

if (webhooks.kind === 'missing') {
  describe('webhooks over controller-runtime', () => {
    it.skip(`defaulters and validators over controller-runtime take part in writes: ${webhooks.reason}`, () => {});
  });
} else {
  const { program } = webhooks;

  describe('webhooks over controller-runtime', { timeout: 120_000 }, () => {
    const folder = temporaryFolder();
    let steps: readonly Step[] = [];
    const values = <T>(step: string): readonly T[] =>
      steps.filter((each) => each.step === step).map(({ value }) => value as T);
    const value = <T>(step: string): T => {
      const [first] = values<T>(step);
      assert.ok(first !== undefined, `the step ${step} was reached`);
      return first;
    };
    const refusal = (what: string): readonly unknown[] => {
      const { code, reason, message } = value<Status>(`refused ${what}`);
      return [code, reason, message];
    };

    before(async () => {
      const file = join(folder.path, 'definition.json');
      writeFileSync(file, JSON.stringify(databaseDefinition));
      await using server = await launchServer({ naming: 'kubernetes', release: 'latest' });
      steps = observations<Step>(await program.run(server, [file]));
    });
    after(() => folder[Symbol.dispose]());

    it('a defaulter changes objects that are created and updated, before the validator receives them', () => {
      for (const [step, operation, replicas] of [
        ['planned', 'CREATE', 1],
        ['created', 'CREATE', 1],
        ['updated', 'UPDATE', 0],
      ] as const) {
        const { metadata, spec } = value<Database>(step);
        assert.deepEqual(spec, { engine: 'postgres', replicas, owner: 'system:admin' }, step);
        assert.equal(metadata.labels?.[`${GROUP}/operation`], operation);
      }
    });

    it('a validator refuses with its own message, in creations, patches and dry runs', () => {
      const message = `${denied}: 4 replicas, of at most 3`;
      for (const what of ['too many', 'too many, dry run', 'too many by patch'])
        assert.deepEqual(refusal(what), [403, 'Forbidden', message], what);
    });

    it('a validator that returns an API error refuses with its code, reason and causes', () => {
      const detail = 'the engine is postgres and cannot be changed';
      assert.deepEqual(refusal('other engine'), [
        422,
        'Invalid',
        `${denied}: Database.${GROUP} "one" is invalid: spec.engine: Forbidden: ${detail}`,
      ]);
      assert.deepEqual(value<Status>('refused other engine').details, {
        name: 'one',
        group: GROUP,
        kind: 'Database',
        causes: [{ reason: 'FieldValueForbidden', message: `Forbidden: ${detail}`, field: 'spec.engine' }],
      });
    });

    it('a validator protects objects from deletion, also of their collection', () => {
      const message = `${denied}: it has the label ${GROUP}/keep`;
      for (const what of ['kept', 'kept, dry run', 'kept, collection'])
        assert.deepEqual(refusal(what), [403, 'Forbidden', message], what);
    });

    it('the warnings of a validator reach the client with each write that causes them', () => {
      const warning = 'a database without replicas stores nothing';
      assert.deepEqual(value('warnings'), [warning, warning]);
    });

    it('each write is reviewed once by each webhook that concerns it, with what dry runs say', () => {
      assert.deepEqual(values('reviews'), [
        [
          'mutate CREATE one dry run',
          'validate CREATE one dry run',
          'mutate CREATE many',
          'validate CREATE many',
          'mutate CREATE many dry run',
          'validate CREATE many dry run',
          'mutate CREATE one',
          'validate CREATE one',
        ],
        Array.from({ length: 3 }, () => ['mutate UPDATE one', 'validate UPDATE one']).flat(),
        ['validate DELETE one', 'validate DELETE one dry run', 'validate DELETE one'],
        ['mutate UPDATE one', 'validate UPDATE one', 'validate DELETE one'],
      ]);
    });

    it('dry runs and refused writes store nothing', () => {
      const [planned, refused, kept, deleted, late] = values<boolean>('stored');
      assert.deepEqual([planned, refused, kept, deleted, late], [false, false, true, false, false]);
    });

    it('webhooks that do not run refuse writes, and the message names the first of them', () => {
      const [code, reason, message] = refusal('stopped');
      assert.deepEqual([code, reason], [500, 'InternalError']);
      assert.match(
        String(message),
        /^Internal error occurred: failed calling webhook "mutate\.stable\.example\.com": failed to call webhook: Post "https:\/\/127\.0\.0\.1:\d+\/mutate-stable-example-com-v1-database/,
      );
    });
  });
}
