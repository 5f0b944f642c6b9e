import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeSelectorTerm } from '@orch/kinds/core';
import { type ApiObject, namesFor } from '@orch/machinery';
import { mutated, testWrite } from '../testing/plugin-calls.ts';
import { persistentVolumeLabel } from './persistent-volume-label.ts';

const names = namesFor('kubernetes');
const { topologyZone: ZONE, topologyRegion: REGION } = names.labels;
const { failureDomainZone: BETA_ZONE, failureDomainRegion: BETA_REGION } = names.labels;
const plugin = persistentVolumeLabel({ names });
const disk = { gcePersistentDisk: { pdName: 'd' } };
const resource = 'persistentvolumes';

const volume = (labels: Record<string, string>, spec: object = disk): ApiObject => ({
  metadata: { name: 'v', labels },
  spec,
});
const affinity = (...nodeSelectorTerms: readonly NodeSelectorTerm[]): object => ({
  nodeAffinity: { required: { nodeSelectorTerms } },
});
const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In', values });

const zoned = { matchExpressions: [isIn(ZONE, 'a'), isIn(REGION, 'r')] };
const both = { [ZONE]: 'a', [REGION]: 'r' };
const other = isIn('example.com/rack', 'x');

describe('admission plugin PersistentVolumeLabel', () => {
  for (const [title, labels, spec, after] of [
    ['the zone and the region of a volume are required of nodes', both, disk, affinity(zoned)],
    [
      'the older labels of zone and region are used',
      { [BETA_ZONE]: 'a', [BETA_REGION]: 'r' },
      disk,
      affinity({ matchExpressions: [isIn(BETA_ZONE, 'a'), isIn(BETA_REGION, 'r')] }),
    ],
    [
      'of both kinds of labels the newer ones are used',
      { ...both, [BETA_ZONE]: 'b', [BETA_REGION]: 's' },
      disk,
      affinity(zoned),
    ],
    [
      'older labels that are complete take precedence over incomplete newer ones',
      { [ZONE]: 'b', [BETA_ZONE]: 'a', [BETA_REGION]: 'r' },
      disk,
      affinity({ matchExpressions: [isIn(BETA_ZONE, 'a'), isIn(BETA_REGION, 'r')] }),
    ],
    [
      'a zone without a region is used',
      { [ZONE]: 'a' },
      disk,
      affinity({ matchExpressions: [isIn(ZONE, 'a')] }),
    ],
    [
      'a region without a zone is used',
      { [REGION]: 'r' },
      disk,
      affinity({ matchExpressions: [isIn(REGION, 'r')] }),
    ],
    [
      'a replicated volume has several zones',
      { [ZONE]: 'b__a__b' },
      disk,
      affinity({ matchExpressions: [isIn(ZONE, 'a', 'b')] }),
    ],
    [
      'every term of an affinity is extended',
      both,
      { ...disk, ...affinity({ matchExpressions: [other] }, { matchFields: [isIn('metadata.name', 'n')] }) },
      affinity(
        { matchExpressions: [other, ...zoned.matchExpressions] },
        { matchFields: [isIn('metadata.name', 'n')], matchExpressions: zoned.matchExpressions },
      ),
    ],
    [
      'an affinity for one of the labels is kept',
      both,
      { ...disk, ...affinity({ matchExpressions: [isIn(ZONE, 'c')] }) },
      affinity({ matchExpressions: [isIn(ZONE, 'c')] }),
    ],
    ['a volume without such labels is not changed', { app: 'x' }, disk, {}],
    ['a volume of no cloud is not changed', both, { nfs: { server: 's', path: '/' } }, {}],
  ] as const)
    it(title, async () => {
      const { refusal, object } = await mutated(
        plugin,
        testWrite({ resource, object: volume(labels, spec) }),
      );
      assert.deepEqual([refusal, object?.['spec']], [undefined, { ...spec, ...after }]);
    });

  for (const source of ['awsElasticBlockStore', 'azureDisk', 'cinder', 'gcePersistentDisk', 'vsphereVolume'])
    it(`a volume of the type ${source} gets an affinity`, async () => {
      const { object } = await mutated(
        plugin,
        testWrite({ resource, object: volume(both, { [source]: {} }) }),
      );
      assert.deepEqual(object?.['spec'], { [source]: {}, ...affinity(zoned) });
    });

  it('a volume with an empty zone is refused', async () => {
    const { refusal } = await mutated(plugin, testWrite({ resource, object: volume({ [ZONE]: 'a____b' }) }));
    assert.equal(refusal, 'failed to convert label string for Zone: a____b to a Set');
  });

  it('creations of volumes are handled only', () => {
    const object = volume(both);
    assert.equal(plugin.handles(testWrite({ resource, object, oldObject: object })), false);
    assert.equal(plugin.handles(testWrite({ resource: 'persistentvolumeclaims', object })), false);
  });
});
