import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cloneJson } from '@orch/machinery/json';
import { apiServices } from './apiregistration/api-service/index.ts';
import { nodes } from './core/node/index.ts';
import { persistentVolumeClaims } from './core/persistent-volume-claim/index.ts';
import { services } from './core/service/index.ts';
import { flowSchemas } from './flowcontrol/flow-schema/index.ts';
import { serviceCidrs } from './networking/service-cidr.ts';
import { csiNodes } from './storage/csi-node/index.ts';
import { writePath } from './testing/write-path.ts';

/** The labels of an object after a write through `/status` with others. */
function labelsAfter(release: '1.31' | '1.37', [type, given]: readonly [typeof services, object]): unknown {
  const path = writePath(undefined, release);
  const { object: stored } = path.create(type, { metadata: { name: 'x', labels: { a: 'b' } }, ...given });
  const input = cloneJson(stored);
  input.metadata.labels = { a: 'c', d: 'e' };
  return path.update(type, stored, input, 'status').object.metadata.labels;
}

describe('writes of the status', () => {
  it('writes of the status keep the labels of kinds whose metadata they do not write', () => {
    const local = { spec: { group: 'z.io', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 } };
    for (const kind of [
      [apiServices, local],
      [flowSchemas, { spec: { priorityLevelConfiguration: { name: 'p' } } }],
      [csiNodes, { spec: { drivers: [] } }],
      [serviceCidrs, { spec: { cidrs: ['10.9.0.0/24'] } }],
    ] as const)
      assert.deepEqual(labelsAfter('1.37', kind), { a: 'b' }, kind[0].kind);
  });

  it('writes of the status change the labels of service ranges before 1.32, and of most kinds in every release', () => {
    const range = [serviceCidrs, { spec: { cidrs: ['10.9.0.0/24'] } }] as const;
    assert.deepEqual(labelsAfter('1.31', range), { a: 'c', d: 'e' });
    assert.deepEqual(labelsAfter('1.37', [nodes, {}]), { a: 'c', d: 'e' });
  });

  it('writes of the status accept the address of a load balancer only for services of that type from 1.29 on', () => {
    const causes = (release: '1.28' | '1.37', type: string) => {
      const path = writePath(undefined, release);
      const spec = { type, clusterIP: '10.0.0.7', ports: [{ port: 80 }] };
      const { object: stored } = path.create(services, {
        metadata: { name: 'x', namespace: 'default' },
        spec,
      });
      const status = { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } };
      return path
        .update(services, stored, { ...cloneJson(stored), status }, 'status')
        .errors.map((error) => `${error.type} ${error.field}`);
    };
    const refused = ['FieldValueForbidden status.loadBalancer.ingress'];
    assert.deepEqual([causes('1.37', 'LoadBalancer'), causes('1.37', 'ClusterIP')], [[], refused]);
    assert.deepEqual(causes('1.28', 'ClusterIP'), []);
  });

  it('writes of the status of a claim without a phase leave it pending', () => {
    const path = writePath();
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const given = { metadata: { name: 'x', namespace: 'default' }, spec };
    const { object: stored } = path.create(persistentVolumeClaims, given);
    const written = path.update(
      persistentVolumeClaims,
      stored,
      { ...cloneJson(stored), status: {} },
      'status',
    );
    assert.deepEqual(written.object['status'], { phase: 'Pending' });
  });

  it('writes of the status of a node drop the configuration that kubelets no longer report', () => {
    const path = writePath();
    const { object: stored } = path.create(nodes, {
      metadata: { name: 'x' },
      status: { config: { error: 'e' } },
    });
    const input = { ...cloneJson(stored), status: { config: { error: 'e' }, phase: 'Running' } };
    const written = path.update(nodes, stored, input, 'status').object['status'] as Record<string, unknown>;
    assert.deepEqual([written['config'], written['phase']], [undefined, 'Running']);
  });
});
