import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writePath } from '../../testing/write-path.ts';
import { persistentVolumes } from './index.ts';

const volume = {
  metadata: { name: 'v' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: 'a.b', volumeHandle: 'h' },
  },
};

describe('persistent volumes', () => {
  it('a new volume has the time of its phase from 1.29 on, and earlier where the feature gate is enabled', () => {
    const isTimed = (release: string, gates: readonly string[] = []): boolean => {
      const { object, errors } = writePath(undefined, release, { openGates: new Set(gates) }).create(
        persistentVolumes,
        volume,
      );
      assert.deepEqual(errors, []);
      return JSON.stringify(object['status']).includes('lastPhaseTransitionTime');
    };
    const gate = 'PersistentVolumeLastPhaseTransitionTime';
    assert.deepEqual([isTimed('1.28'), isTimed('1.28', [gate]), isTimed('1.29')], [false, true, true]);
  });
});
