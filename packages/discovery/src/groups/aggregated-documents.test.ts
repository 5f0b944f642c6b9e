import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { createRegistry, type ServedResource } from '@orch/registry';
import { countingIterations, noConnections, RegistryFixture, servedParts } from '@orch/registry/testing';
import { AggregatedDocuments, type AggregatedReply } from './aggregated-documents.ts';
import type { ListedGroup } from './listed-groups.ts';

const RESOURCES = 300;
/** Small steps between two pieces at most. */
const STEPS_OF_A_PIECE = 64;
const release = '1.34';

/** A resource that a registry serves. */
async function servedResource(): Promise<ServedResource> {
  const found: ServedResource[] = [];
  await using _fixture = await RegistryFixture.assembled({ release }, (parts) => {
    const registry = createRegistry({ ...parts, connector: noConnections });
    registry.served.table.observe({ added: (resource) => found.push(resource), removed() {} });
    return servedParts(registry);
  });
  const [first] = found;
  assert.ok(first !== undefined);
  return first;
}

/** The documents of one group of a custom kind in many copies, and how many copies were encoded. */
async function documentsOf({ msPerReading = 0 } = {}) {
  const served = await servedResource();
  let encoded = 0;
  const copy = (index: number): ServedResource => {
    const type = { ...served.type, resource: `kinds${index}` };
    return {
      ...served,
      group: 'a.example.com',
      groupKey: 'a.example.com',
      get type() {
        encoded += 1;
        return type;
      },
    };
  };
  const groupOf = (resources: readonly ServedResource[]): readonly ListedGroup[] => [
    {
      key: 'a.example.com',
      name: 'a.example.com',
      versions: [{ version: 'v1', apiVersion: 'a.example.com/v1', resources }],
      declared: undefined,
    } as ListedGroup,
  ];
  const copies = Array.from({ length: RESOURCES }, (_, index) => copy(index));
  const groups = { all: groupOf(copies) };
  const env = testEnv();
  let time = 0;
  Object.assign(env.clock, { monotonic: () => (time += msPerReading) });
  const documents = new AggregatedDocuments(groups, {
    names: namesFor('orch'),
    release,
    env,
  });
  return {
    documents,
    encoded: () => encoded,
    change: () => {
      groups.all = groupOf(copies.with(7, copy(RESOURCES)));
    },
  };
}

const resourcesOf = ({ document }: AggregatedReply): readonly string[] =>
  JSON.parse(document.body.toString()).items[0].versions[0].resources.map(
    (one: { readonly resource: string }) => one.resource,
  );

describe('aggregated documents', () => {
  it('a document after a change of one resource encodes only that resource', async () => {
    const { documents, encoded, change } = await documentsOf();
    const before = await documents.find('/apis', 'v2');
    const atFirst = encoded();
    change();
    const after = await documents.find('/apis', 'v2');
    const perResource = atFirst / RESOURCES;
    assert.equal(encoded() - atFirst, perResource);
    assert.deepEqual(
      resourcesOf(after),
      resourcesOf(before).map((name) => (name === 'kinds7' ? `kinds${RESOURCES}` : name)),
    );
    assert.notEqual(after.document.etag, before.document.etag);
  });

  it('a document of many resources is made in turns, and requests meanwhile wait for the same one', async () => {
    const { documents, encoded } = await documentsOf({ msPerReading: 1 });
    const { iterations, result } = await countingIterations(
      Promise.all([documents.find('/apis', 'v2'), documents.find('/apis', 'v2')]),
    );
    assert.ok(iterations > RESOURCES / STEPS_OF_A_PIECE, `${iterations} iterations`);
    const [one, other] = result;
    assert.equal(one.document, other.document);
    assert.equal(resourcesOf(one).length, RESOURCES);
    const times = encoded();
    assert.equal((await documents.find('/apis', 'v2')).document, one.document);
    assert.equal(encoded(), times);
  });

  it('a document that is made while a resource changes does not replace the one with the change', async () => {
    const { documents, change } = await documentsOf({ msPerReading: 1 });
    const before = documents.find('/apis', 'v2');
    change();
    const after = documents.find('/apis', 'v2');
    assert.ok(!resourcesOf(await before).includes(`kinds${RESOURCES}`));
    const { document } = await documents.find('/apis', 'v2');
    assert.equal(document, (await after).document);
    assert.ok(resourcesOf(await after).includes(`kinds${RESOURCES}`));
  });
});
