import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { informerFactory, objectKey } from '@orch/client';
import { configMap, configMaps, testClient } from '@orch/client/testing';
import type { ApiObject } from '@orch/machinery';
import { type LabelSelector, labelSelectorFromObject, parseLabelSelector } from '@orch/machinery/selectors';
import { seededRandom, settle } from '@orch/machinery/testing';
import { labelIndex, objectsSelected, ownersSelecting, selectorIndex } from './label-index.ts';

const SELECTORS = [
  ...['', 'app=a', 'app=b,tier=x', 'app in (a,b),tier=y', 'app!=a', 'tier', '!tier', 'app=a,app=b', 'none=1'],
].map(parseLabelSelector);
const nothing = labelSelectorFromObject(undefined);
const SEEDS = 20;
const NAMESPACES = ['default', 'other'];

const byLabels = labelIndex('labels', () => true);
const unmarked = labelIndex('unmarked', ({ metadata }) => metadata.annotations?.['mark'] === undefined);
/** The selector of an owner, which has its number in an annotation. */
const selectorOf = ({ metadata }: ApiObject): LabelSelector | undefined =>
  SELECTORS[Number(metadata.annotations?.['selector'])];
const bySelector = selectorIndex('selector', selectorOf);

/** An informer of config maps of which some, chosen by a seed, have labels, marks and selectors. */
async function informed(seed: number) {
  const random = seededRandom(seed);
  const { api, client, env, stop } = testClient({ seed });
  const informers = informerFactory({ client, env });
  const informer = informers.informer(configMaps);
  const one = (...values: (string | undefined)[]): string | undefined => values[random.int(values.length)];
  const defined = (values: Record<string, string | undefined>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
  const metadata = () => ({
    labels: defined({ app: one('a', 'b', 'c', undefined), tier: one('x', 'y', undefined) }),
    annotations: defined({ mark: one('yes', undefined), selector: one('0', '1', '2', '3', '4', undefined) }),
  });
  const names = Array.from({ length: 30 }, (_, i) => `map-${i}`);
  const placeOf = (name: string, i: number) =>
    ({ collection: '/configmaps', namespace: NAMESPACES[i % 2] ?? '', name }) as const;
  const written = (name: string, i: number): ApiObject => {
    const object = configMap(name, '', placeOf(name, i).namespace);
    return { ...object, metadata: { ...object.metadata, ...metadata() } };
  };
  const time = '2024-01-01T00:00:00Z';
  for (const [i, name] of names.entries()) api.objects.create(placeOf(name, i), written(name, i), time);
  void informers.run(stop.signal);
  return {
    informer,
    async change(): Promise<void> {
      for (const [i, name] of names.entries()) {
        if (i % 3 === 0) api.objects.update(placeOf(name, i), written(name, i));
        else if (i % 7 === 0) api.objects.delete(placeOf(name, i), {}, time);
      }
      await this.settled();
    },
    async settled(): Promise<void> {
      for (let i = 0; i < 5; i++) await settle();
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}

const keysOf = (objects: Iterable<ApiObject>): string[] => [...objects].map(objectKey).sort();

describe('an index by labels', () => {
  it('a search finds the objects of the namespace that the selector matches, before and after changes', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      using subject = await informed(seed);
      const { informer } = subject;
      const searches = [byLabels, unmarked].map((index) => objectsSelected(informer, index));
      await subject.settled();
      const check = (): void => {
        const isExpected = [() => true, (o: ApiObject) => o.metadata.annotations?.['mark'] === undefined];
        for (const [i, search] of searches.entries()) {
          for (const selector of [...SELECTORS, nothing]) {
            for (const namespace of [...NAMESPACES, 'empty', undefined]) {
              const all = [...informer.store.values()].filter(
                (object) =>
                  isExpected[i]?.(object) === true &&
                  object.metadata.namespace === namespace &&
                  selector.matches(object.metadata.labels),
              );
              assert.deepEqual(keysOf(search(namespace, selector)), keysOf(all), `seed ${seed}`);
            }
          }
        }
      };
      check();
      await subject.change();
      check();
    }
  });

  it('a search looks only at the objects with the rarest label that the selector demands', async () => {
    using subject = await informed(1);
    const search = objectsSelected(subject.informer, byLabels);
    await subject.settled();
    const count = (text: string): number => search('default', parseLabelSelector(text)).length;
    const selector = parseLabelSelector('app=a,tier=x');
    let looks = 0;
    const matches: LabelSelector['matches'] = (labels) => {
      looks++;
      return selector.matches(labels);
    };
    search('default', { ...selector, matches });
    assert.equal(looks, Math.min(count('app=a'), count('tier=x')));
    assert.ok(looks > 0 && looks < count(''));
  });

  it('the owners that select an object are found by its labels, before and after changes', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      using subject = await informed(seed);
      const { informer } = subject;
      const owners = ownersSelecting(informer, bySelector);
      await subject.settled();
      const check = (): void => {
        const all = [...informer.store.values()];
        for (const object of all) {
          const expected = all.filter(
            (owner) =>
              owner.metadata.namespace === object.metadata.namespace &&
              selectorOf(owner)?.matches(object.metadata.labels) === true,
          );
          assert.deepEqual(keysOf(owners(object)), keysOf(expected), `seed ${seed}`);
        }
      };
      check();
      await subject.change();
      check();
    }
  });
});
