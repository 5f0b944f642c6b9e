import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { buildGoProgram, launchServer, observations, temporaryFolder } from '@orch/testkit';
import { databaseDefinition, GROUP } from './databases.ts';

const operator = await buildGoProgram(join(import.meta.dirname, '..', 'go', 'operator'));

interface Step {
  readonly step: string;
  readonly value: unknown;
}

interface Database extends ApiObject {
  readonly spec: { readonly engine: string; readonly replicas: number };
  readonly status: {
    readonly observedGeneration: number;
    readonly replicas: number;
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
  };
}

interface Settings extends ApiObject {
  readonly data: Readonly<Record<string, string>>;
}

if (operator.kind === 'missing') {
  describe('operator over controller-runtime', () => {
    it.skip(`an operator over controller-runtime reconciles custom resources: ${operator.reason}`, () => {});
  });
} else {
  const { program } = operator;

  describe('operator over controller-runtime', { timeout: 120_000 }, () => {
    const folder = temporaryFolder();
    let steps: readonly Step[] = [];
    const values = <T>(step: string): readonly T[] =>
      steps.filter((each) => each.step === step).map(({ value }) => value as T);
    const value = <T>(step: string): T => {
      const [first] = values<T>(step);
      assert.ok(first !== undefined, `the step ${step} was reached`);
      return first;
    };

    before(async () => {
      const file = join(folder.path, 'definition.json');
      writeFileSync(file, JSON.stringify(databaseDefinition));
      await using server = await launchServer({ program: 'orch', naming: 'kubernetes', release: 'latest' });
      steps = observations<Step>(await program.run(server, [file]));
    });
    after(() => folder[Symbol.dispose]());

    it('InstallCRDs of envtest waits until a definition is served, and UninstallCRDs removes it', () => {
      assert.deepEqual(values('installed'), [`databases.${GROUP}`]);
      assert.deepEqual(values('served'), [true, false]);
    });

    it('typed objects are defaulted by the server, and an operator adds its finalizer and status', () => {
      const { metadata, spec, status } = value<Database>('created');
      assert.deepEqual(spec, { engine: 'postgres', replicas: 1 });
      assert.deepEqual(metadata.finalizers, [`${GROUP}/archive`]);
      assert.equal(metadata.generation, 1, 'neither a finalizer nor a status is a new generation');
      assert.deepEqual([status.observedGeneration, status.replicas], [1, 1]);
      assert.deepEqual(
        status.conditions.map((each) => [each.type, each.status]),
        [['Ready', 'True']],
      );
    });

    it('an operator follows the changes of its objects, and of the objects that it owns', () => {
      const { metadata, status } = value<Database>('changed');
      assert.deepEqual([metadata.generation, status.observedGeneration], [2, 2]);
      const [first, second] = values<Settings>('settings');
      const repaired = value<Settings>('repaired');
      assert.deepEqual(first?.data, { engine: 'postgres', replicas: '1' });
      assert.deepEqual(second?.data, { engine: 'mysql', replicas: '1' });
      assert.deepEqual(repaired.data, second?.data);
      assert.notEqual(repaired.metadata.uid, second?.metadata.uid);
      assert.deepEqual(repaired.metadata.ownerReferences, [
        {
          apiVersion: `${GROUP}/v1`,
          kind: 'Database',
          name: 'one',
          uid: metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
    });

    it('cached clients read custom resources by labels, by indexes, and their metadata alone', () => {
      assert.deepEqual(value('cached'), { label: 1, index: 1, other: 0 });
      const { apiVersion, kind, metadata, ...rest } = value<ApiObject>('metadata');
      assert.deepEqual([apiVersion, kind, metadata.name], [`${GROUP}/v1`, 'Database', 'one']);
      assert.deepEqual(rest, {});
    });

    it('rejected writes have the errors that operators distinguish', () => {
      assert.deepEqual(value('refused'), {
        alreadyExists: true,
        conflict: true,
        invalid: true,
        staleStatus: true,
      });
    });

    it('a finalizer holds a deleted object until the operator is done, and what it owned is collected', () => {
      const { data, metadata } = value<Settings>('archived');
      assert.deepEqual(data, { engine: 'mysql', replicas: '1' });
      assert.equal(metadata.ownerReferences, undefined);
      assert.equal(value('left'), 0);
    });
  });
}
