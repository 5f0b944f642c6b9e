import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, namesFor } from '@orch/machinery';
import { createMetrics } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import { AdmissionChain, type WriteAdmission } from './chain.ts';
import { testResource } from './testing/versioned-resources.ts';
import type { AdmissionAttributes, AdmissionPlugin, Reinvocation, Verdict } from './types.ts';

const names = namesFor('orch');
const write: AdmissionAttributes = {
  operation: 'UPDATE',
  group: 'coordination',
  resource: 'leases',
  subresource: '',
  requested: testResource({ path: 'coordination/v1/leases' }),
  user: { name: 'alice', uid: '', groups: [], extra: {} },
  namespace: 'ns',
  name: 'l',
  dryRun: false,
  object: { metadata: { name: 'l' } },
  oldObject: { metadata: { name: 'l' } },
  options: () => undefined,
  whenNotStored: () => {},
  report: { warn: () => {}, annotate: () => {}, exclude: () => {}, step: () => {} },
  signal: new AbortController().signal,
};

type TestPlugin = Partial<Omit<AdmissionPlugin, 'name'>>;

/** A chain of plugins that are named by their position, and the calls that they receive. */
function chainOf(...plugins: readonly TestPlugin[]) {
  const calls: string[] = [];
  const metrics = createMetrics();
  const recorded = (
    name: string,
    phase: 'precheck' | 'mutate' | 'validate' | 'reserve',
    plugin: TestPlugin,
  ) =>
    plugin[phase] === undefined
      ? {}
      : {
          [phase](attributes: AdmissionAttributes, reinvocation: Reinvocation): Verdict {
            calls.push(`${name} ${phase}`);
            return plugin[phase]?.(attributes, reinvocation);
          },
        };
  const chain = new AdmissionChain(
    plugins.map((plugin, index) => ({
      name: `p${index}`,
      handles: plugin.handles ?? (() => true),
      ...(plugin.handlesWrite === undefined ? {} : { handlesWrite: plugin.handlesWrite }),
      ...(plugin.configuredBy === undefined ? {} : { configuredBy: plugin.configuredBy }),
      ...recorded(`p${index}`, 'precheck', plugin),
      ...recorded(`p${index}`, 'mutate', plugin),
      ...recorded(`p${index}`, 'validate', plugin),
      ...recorded(`p${index}`, 'reserve', plugin),
    })),
    { names, metrics, clock: new FakeClock() },
  );
  const admission = (): WriteAdmission => {
    const found = chain.admissionOf(write);
    assert.ok(found !== undefined);
    return found;
  };
  return { chain, admission, calls, metrics };
}

const admits: TestPlugin = { validate: () => undefined };
const refuses = (reason: string): TestPlugin => ({ validate: () => reason });
const unconcerned: TestPlugin = { handles: () => false, validate: () => 'must not be called' };
const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(resolve, value));

const isForbidden =
  (reason: string) =>
  (error: unknown): true => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status.code, 403);
    assert.equal(error.status.reason, 'Forbidden');
    assert.equal(error.status.message, `leases.${names.group('coordination')} "l" is forbidden: ${reason}`);
    return true;
  };

describe('admission chain of plugins', () => {
  for (const [metadata, name] of [
    [{}, 'Unknown'],
    [{ generateName: 'a-' }, 'a-'],
    [{ name: 'a', generateName: 'b-' }, 'a'],
  ] as const)
    it(`the refusal of a new object with the metadata ${JSON.stringify(metadata)} names it ${name}`, async () => {
      const { chain } = chainOf(refuses('no'));
      const creation = { ...write, operation: 'CREATE', name: '' } as const;
      await assert.rejects(
        async () => await chain.admissionOf(creation)?.validate?.({ ...creation, object: { metadata } }),
        (error) => error instanceof ApiError && error.status.details?.name === name,
      );
    });

  it('the admission chain asks once for each resource and operation which plugins handle its writes', () => {
    const asked: string[] = [];
    const { chain } = chainOf({
      handles({ operation, requested }) {
        asked.push(`${operation} ${requested.resource.resource}`);
        return operation === 'CREATE';
      },
      ...admits,
    });
    const other = { ...write, requested: testResource({ path: 'v1/pods' }) };
    const creation = { ...write, operation: 'CREATE' } as const;
    const found = [write, creation, other, write, creation, other].map((each) => chain.admissionOf(each));
    assert.deepEqual(asked, ['UPDATE leases', 'CREATE leases', 'UPDATE pods']);
    assert.deepEqual(
      found.map((each) => each !== undefined),
      [false, true, false, false, true, false],
    );
  });

  it('the chain calls plugins that depend on the write for those writes only to which they apply, in order', async () => {
    const byUser = (name: string): TestPlugin => ({
      handlesWrite: ({ user }) => user.name.includes(name),
      ...admits,
    });
    const { chain, calls } = chainOf(byUser('a'), admits, byUser('b'), unconcerned);
    const called = async (name: string): Promise<readonly string[]> => {
      calls.splice(0);
      const attributes = { ...write, user: { ...write.user, name } };
      await chain.admissionOf(attributes)?.validate(attributes);
      return calls.map((call) => call.replace(' validate', ''));
    };
    for (const name of ['x', 'a', 'b', 'ab', 'x', 'a', 'b', 'ab']) {
      const expected = [name.includes('a') ? ['p0'] : [], ['p1'], name.includes('b') ? ['p2'] : []].flat();
      assert.deepEqual(await called(name), expected, name);
    }
    assert.equal(chainOf(byUser('a')).chain.admissionOf(write)?.validates, true);
    assert.equal(chainOf(byUser('z')).chain.admissionOf(write), undefined);
  });

  it('the chain does not ask a plugin while no object configures it', () => {
    const objects = { isEmpty: true };
    const asked: string[] = [];
    const { chain } = chainOf({
      handlesWrite: ({ namespace }) => {
        asked.push(namespace);
        return true;
      },
      configuredBy: ({ operation }) => (operation === 'UPDATE' ? objects : undefined),
      ...admits,
    });
    assert.equal(chain.admissionOf(write), undefined);
    assert.deepEqual(asked, []);
    objects.isEmpty = false;
    assert.equal(chain.admissionOf(write)?.validates, true);
    objects.isEmpty = true;
    assert.equal(chain.admissionOf(write), undefined);
    assert.equal(chain.admissionOf({ ...write, operation: 'DELETE' })?.validates, true);
    assert.deepEqual(asked, ['ns', 'ns']);
  });

  it('there is an admission only of writes that a plugin handles', () => {
    assert.equal(chainOf().chain.admissionOf(write), undefined);
    assert.equal(chainOf(unconcerned).chain.admissionOf(write), undefined);
    assert.notEqual(chainOf(unconcerned, admits).chain.admissionOf(write), undefined);
  });

  it('an admission states which phases its plugins have', () => {
    const validating = chainOf(admits).admission();
    assert.deepEqual([validating.mutates, validating.validates], [false, true]);
    const mutating = chainOf({ mutate: () => undefined }).admission();
    assert.deepEqual([mutating.mutates, mutating.validates], [true, false]);
    const reserving = chainOf({ reserve: () => undefined }).admission();
    assert.deepEqual([reserving.mutates, reserving.validates], [false, true]);
  });

  it('a write is checked before its objects are read by plugins in order, until one refuses', async () => {
    const admitted: TestPlugin = { precheck: () => undefined };
    const waiting: TestPlugin = { precheck: () => later(undefined) };
    for (const [plugin, isLater] of [
      [{ precheck: () => 'no' }, false],
      [{ precheck: () => later('no') }, true],
    ] as const) {
      const { admission, calls } = chainOf(admitted, ...(isLater ? [waiting] : []), plugin, admitted);
      await assert.rejects(async () => admission().precheck(write), isForbidden('no'));
      assert.deepEqual(
        calls,
        isLater ? ['p0 precheck', 'p1 precheck', 'p2 precheck'] : ['p0 precheck', 'p1 precheck'],
      );
    }
  });

  it('the check before objects are read is synchronous when its plugins are', () => {
    const { admission, calls } = chainOf(admits, { precheck: () => undefined }, { mutate: () => undefined });
    assert.equal(admission().precheck(write), undefined);
    assert.deepEqual(calls, ['p1 precheck']);
  });

  it('plugins that handle the write are called in order until one refuses', async () => {
    const { admission, calls } = chainOf(admits, unconcerned, refuses('no'), refuses('never'));
    await assert.rejects(admission().validate(write), isForbidden('no'));
    assert.deepEqual(calls, ['p0 validate', 'p2 validate']);
  });

  it('validating plugins that wait run at the same time, and the first in order that refuses gives the reason', async () => {
    let running = 0;
    let most = 0;
    const slow = (refusal: string | undefined): TestPlugin => ({
      async validate() {
        running += 1;
        most = Math.max(most, running);
        await later(undefined);
        running -= 1;
        return refusal;
      },
    });
    const { admission } = chainOf(slow(undefined), slow('first'), slow('second'));
    await assert.rejects(admission().validate(write), isForbidden('first'));
    assert.equal(most, 3);
  });

  it('a plugin reserves only what all validating plugins admit', async () => {
    const reserves: TestPlugin = { reserve: () => undefined };
    const refused = chainOf(reserves, { validate: () => later('no') });
    await assert.rejects(refused.admission().validate(write), isForbidden('no'));
    assert.deepEqual(refused.calls, ['p1 validate']);
    const admitted = chainOf(reserves, { validate: () => later(undefined) });
    await admitted.admission().validate(write);
    assert.deepEqual(admitted.calls, ['p1 validate', 'p0 reserve']);
  });

  it('a failure of a plugin that no one waits for any more is not an unhandled rejection', async () => {
    const fails: TestPlugin = { validate: () => Promise.reject(new Error('late')) };
    const { admission } = chainOf(fails, refuses('no'));
    await assert.rejects(admission().validate(write), isForbidden('no'));
    await later(undefined);
  });

  it('an error of a plugin that is not a refusal is passed on as it is', async () => {
    const failure = new Error('the cache is not loaded');
    const { admission } = chainOf({
      validate() {
        throw failure;
      },
    });
    await assert.rejects(admission().validate(write), failure);
  });

  it('mutating plugins see the changes of those before them', async () => {
    const object = { metadata: { name: 'l', labels: { a: '1' } } };
    const { admission } = chainOf(
      {
        mutate(attributes) {
          if (attributes.object !== undefined) attributes.object.metadata.labels = { a: '2' };
          return later(undefined);
        },
      },
      {
        mutate: ({ object: seen }) => (seen?.metadata.labels?.['a'] === '2' ? undefined : 'not seen'),
      },
    );
    await admission().mutate({ ...write, object });
    assert.deepEqual(object.metadata.labels, { a: '2' });
  });

  it('all mutating plugins are called once more when one requests it, and not a third time', async () => {
    const rounds: boolean[] = [];
    const { admission, calls } = chainOf(
      { mutate: () => undefined },
      {
        mutate(_write, reinvocation) {
          rounds.push(reinvocation.isSecond);
          reinvocation.request();
          return undefined;
        },
      },
    );
    await admission().mutate(write);
    assert.deepEqual(calls, ['p0 mutate', 'p1 mutate', 'p0 mutate', 'p1 mutate']);
    assert.deepEqual(rounds, [false, true]);
  });

  it('plugins and steps are measured by operation and outcome', async () => {
    const { admission, metrics } = chainOf({ mutate: () => undefined, ...admits }, refuses('no'));
    await admission().mutate(write);
    await assert.rejects(admission().validate(write));
    const text = metrics.text();
    const plugins = 'apiserver_admission_controller_admission_duration_seconds_count';
    const steps = 'apiserver_admission_step_admission_duration_seconds_count';
    for (const [family, name, isRejected, type] of [
      [plugins, 'name="p0",', false, 'admit'],
      [plugins, 'name="p0",', false, 'validate'],
      [plugins, 'name="p1",', true, 'validate'],
      [steps, '', false, 'admit'],
      [steps, '', true, 'validate'],
    ])
      assert.ok(
        text.includes(`${family}{${name}operation="UPDATE",rejected="${isRejected}",type="${type}"} 1`),
        `${name} ${type}`,
      );
  });
});
