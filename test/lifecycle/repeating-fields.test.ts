import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NEWEST_RELEASE } from '@orch/apis';
import type { Answered } from '@orch/registry/testing';
import type { RepeatingField } from '@orch/schema/testing';
import { ApiFixture } from '@orch/server/testing';
import { largeFieldsOf } from './large-fields.ts';
import { collectionOf, type ServedKind, servedKind, servedKinds } from './served-kinds.ts';

const RELEASE = NEWEST_RELEASE;
/** Enough that work for each pair of items takes hundreds of times as long as reading them. */
const BYTES = 50_000;
/** Of the CPU for parsing and writing the body: generous, for machines with other load. */
const MAX_RATIO = 100;
/** Items of each of two related lists. */
const RELATED = 8_000;
const MIN_FLOOR_MS = 0.5;
/** Of the CPU for twice as many bytes: four times as much for each pair of items. */
const MAX_GROWTH = 3;

async function cpuOf(act: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

interface Costs {
  readonly where: string;
  readonly status: number;
  readonly cpuMs: number;
  readonly floorMs: number;
}

const isSlow = ({ cpuMs, floorMs }: Pick<Costs, 'cpuMs' | 'floorMs'>): boolean =>
  cpuMs > MAX_RATIO * Math.max(floorMs, MIN_FLOOR_MS);

/** The CPU of a creation, or of its refusal, and of updates of the object and of its status. */
async function costsOf(api: ApiFixture, served: ServedKind, object: object): Promise<readonly Costs[]> {
  const path = collectionOf(served);
  const body = Buffer.from(JSON.stringify(object));
  const floorMs = await cpuOf(async () => JSON.stringify(JSON.parse(body.toString())));
  const costs: Costs[] = [];
  const measured = async (
    method: 'POST' | 'PUT',
    target: string,
    sent: Buffer | object,
  ): Promise<Answered> => {
    const parts = { body: sent, contentType: 'application/json' };
    const answers: Answered[] = [];
    const cpuMs = await cpuOf(async () => {
      answers.push(await api.send(method, target, parts));
    });
    const answer = answers[0] ?? assert.fail();
    costs.push({ where: `${method} ${target.slice(path.length)}`, status: answer.status, cpuMs, floorMs });
    return answer;
  };
  const { status, json } = await measured('POST', path, body);
  const name = json?.metadata?.name;
  if (status !== 201 || typeof name !== 'string') return costs;
  json.metadata.labels = { ...json.metadata.labels, touched: 'yes' };
  await measured('PUT', `${path}/${name}?dryRun=All`, json);
  if ('status' in object && served.subresources.some((one) => one.name === 'status')) {
    const target = `${path}/${name}/status`;
    const stored = await measured('PUT', target, { ...json, status: object.status });
    if (stored.status === 200) await measured('PUT', `${target}?dryRun=All`, stored.json);
  }
  await api.delete(`${path}/${name}`);
  return costs;
}

/** The second time, without the work of the first use. */
async function repeatedCostsOf(
  api: ApiFixture,
  served: ServedKind,
  object: object,
): Promise<readonly Costs[]> {
  await costsOf(api, served, object);
  return costsOf(api, served, object);
}

const text = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

/** Objects with rules between the items of two lists, or of a list and the stored one, by their number. */
const related: Readonly<
  Record<string, { readonly kind: readonly [string, string]; objectOf(n: number): object }>
> = {
  'exceptions of a network policy and those that it had': {
    kind: ['networking.orch.io/v1', 'NetworkPolicy'],
    objectOf: (n) => ({
      metadata: { name: 'many' },
      spec: {
        podSelector: {},
        ingress: [
          {
            from: [
              {
                ipBlock: {
                  cidr: '10.0.0.0/8',
                  except: Array.from(
                    { length: n },
                    (_, i) => `10.${i >> 16}.${(i >> 8) % 256}.${i % 256}/32`,
                  ),
                },
              },
            ],
          },
        ],
      },
    }),
  },
  'containers of a pod and annotations with their profiles': {
    kind: ['v1', 'Pod'],
    objectOf: (n) => ({
      metadata: {
        name: 'many',
        annotations: Object.fromEntries(
          text('container.apparmor.security.beta.orch.io/c', Math.floor(n / 4)).map((key) => [
            key,
            'unconfined',
          ]),
        ),
      },
      spec: { containers: text('c', n).map((name) => ({ name, image: 'web' })) },
    }),
  },
};

describe('fields that repeat', () => {
  for (const [what, { kind, objectOf }] of Object.entries(related)) {
    it(`a write costs CPU in proportion to its bytes: ${what}`, async () => {
      await using api = await ApiFixture.open({ release: RELEASE, maintainsApiServices: false });
      const served = servedKind(await servedKinds(api, RELEASE), ...kind);
      const [half, whole] = [objectOf(RELATED / 2), objectOf(RELATED)];
      const halves = await repeatedCostsOf(api, served, half);
      const costs = await repeatedCostsOf(api, served, whole);
      assert.equal(costs.at(-1)?.status, 200);
      for (const [i, cost] of costs.entries()) {
        const { where, cpuMs } = cost;
        const halfMs = halves[i]?.cpuMs ?? 0;
        assert.ok(
          !isSlow(cost) || cpuMs <= MAX_GROWTH * halfMs,
          `${where}: ${cpuMs} ms, of half ${halfMs} ms`,
        );
      }
    });
  }

  it('a write of an object whose bytes are mostly one field costs CPU in proportion to them, for every field of every kind', async () => {
    await using api = await ApiFixture.open({
      release: RELEASE,
      isEnabled: () => true,
      maintainsApiServices: false,
    });
    const seen = new Set<string>();
    const isNew = ({ declaration, kind }: RepeatingField): boolean =>
      (kind === 'list' || kind === 'map') && !seen.has(declaration) && seen.add(declaration) !== undefined;
    const slow: string[] = [];
    for (const { served, field, objectOf } of await largeFieldsOf(api, RELEASE)) {
      if (!isNew(field)) continue;
      const first = await costsOf(api, served, objectOf(BYTES));
      const costs = first.some(isSlow) ? await costsOf(api, served, objectOf(BYTES)) : first;
      for (const { where, status, ...cost } of costs) {
        assert.notEqual(status, 500, `${served.kind} ${field.path}`);
        if (!isSlow(cost)) continue;
        // A large constant is a matter of the benchmark `repeating-fields`, and the first large object runs code that is not compiled.
        const again = async (bytes: number): Promise<number> =>
          (await repeatedCostsOf(api, served, objectOf(bytes))).find((costs) => costs.where === where)
            ?.cpuMs ?? 0;
        const halfMs = await again(BYTES / 2);
        const wholeMs = await again(BYTES);
        if (wholeMs <= MAX_GROWTH * halfMs) continue;
        const place = `${where} ${served.apiVersion} ${served.kind} ${field.path}`;
        slow.push(`${place}: ${wholeMs} ms, of half the bytes ${halfMs} ms, floor ${cost.floorMs} ms`);
      }
    }
    assert.deepEqual(slow, []);
    assert.ok(seen.size > 200, `${seen.size} fields`);
  });
});
