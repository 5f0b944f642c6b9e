import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes, NEWEST_RELEASE, type ServedType, typesAt } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { type RepeatingField, repeatingFields } from '@orch/schema/testing';
import { ApiFixture } from '@orch/server/testing';
import { manifestsOf, readManifests } from './manifests.ts';
import { collectionOf, type ServedKind, servedKinds } from './served-kinds.ts';

const RELEASE = NEWEST_RELEASE;
const names = namesFor('orch');
/** Enough that work for each pair of items takes hundreds of times as long as reading them. */
const BYTES = 100_000;
/** Of the CPU for parsing and writing the body: generous, for machines with other load. */
const MAX_RATIO = 100;
const MIN_FLOOR_MS = 2;

const declared = typesAt(RELEASE, builtinTypes, () => true);

function schemaOf({ apiVersion, kind }: ServedKind): ServedType['served'][number]['schema'] | undefined {
  const versions = declared
    .filter((type) => type.kind === kind)
    .flatMap((type) =>
      type.served.map((version) => ({
        apiVersion: names.apiVersion(version.group ?? type.group, version.version),
        schema: version.schema,
      })),
    );
  return versions.find((version) => version.apiVersion === apiVersion)?.schema;
}

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

/** The CPU of a creation, or of its refusal, and of an update of the object. */
async function costsOf(api: ApiFixture, served: ServedKind, object: object): Promise<readonly Costs[]> {
  const path = collectionOf(served);
  const body = Buffer.from(JSON.stringify(object));
  const floorMs = await cpuOf(async () => JSON.stringify(JSON.parse(body.toString())));
  const costs: Costs[] = [];
  const measured = async (method: 'POST' | 'PUT', target: string, sent: Buffer | object): Promise<void> => {
    let status = 0;
    const send = async (): Promise<void> => {
      ({ status } = await api.send(method, `${target}?dryRun=All`, {
        body: sent,
        contentType: 'application/json',
      }));
    };
    // The second time without the work of the first use.
    const cpuMs = Math.min(await cpuOf(send), await cpuOf(send));
    costs.push({ where: method, status, cpuMs, floorMs });
  };
  await measured('POST', path, body);
  if (costs[0]?.status !== 201) return costs;
  const { status, json } = await api.post(path, body, { contentType: 'application/json' });
  const name = json?.metadata?.name;
  if (status !== 201 || typeof name !== 'string') return costs;
  json.metadata.labels = { ...json.metadata.labels, touched: 'yes' };
  await measured('PUT', `${path}/${name}`, json);
  await api.delete(`${path}/${name}`);
  return costs;
}

describe('fields that repeat', () => {
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
    for (const served of await servedKinds(api, RELEASE)) {
      const schema = schemaOf(served);
      const [manifest] = manifestsOf(readManifests(names), served);
      if (schema === undefined || manifest === undefined || !served.verbs.includes('create')) continue;
      for (const field of repeatingFields(schema).filter(isNew)) {
        for (const costs of await costsOf(api, served, field.fill(manifest.object, BYTES))) {
          const { where, status, cpuMs, floorMs } = costs;
          assert.notEqual(status, 500, `${served.kind} ${field.path}`);
          if (cpuMs > MAX_RATIO * Math.max(floorMs, MIN_FLOOR_MS))
            slow.push(
              `${where} ${served.apiVersion} ${served.kind} ${field.path}: ${cpuMs} ms, floor ${floorMs} ms`,
            );
        }
      }
    }
    assert.deepEqual(slow, []);
    assert.ok(seen.size > 200, `${seen.size} fields`);
  });
});
