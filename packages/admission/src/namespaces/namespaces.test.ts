import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import { ApiError, errors, type Naming, namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { testWrite } from '../testing/plugin-calls.ts';
import { testResource } from '../testing/versioned-resources.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../types.ts';
import { namespaceAutoProvision } from './namespace-auto-provision.ts';
import { namespaceExists } from './namespace-exists.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';

/** A cluster whose cache receives what is put into `pending` when a plugin waits for the latest state. */
class Cluster extends MemoryObjectSource {
  readonly pending: (() => void)[] = [];
  waits = 0;

  override async fresh(): Promise<void> {
    this.waits += 1;
    for (const receive of this.pending.splice(0)) receive();
  }

  namespace(name: string, phase = 'Active'): void {
    this.put('namespaces', { metadata: { name }, status: { phase } });
  }
}

function setUp(naming: Naming = 'orch') {
  const source = new Cluster();
  source.namespace('active');
  source.namespace('ending', 'Terminating');
  const { clock } = testEnv();
  const names = namesFor(naming);
  const created: string[] = [];
  const createNamespace = async (name: string): Promise<void> => {
    if (name === 'Bad') throw errors.invalid({ group: '', kind: 'Namespace', name }, []);
    created.push(name);
  };
  return {
    source,
    clock,
    created,
    lifecycle: namespaceLifecycle({ source, names, clock }),
    exists: namespaceExists({ source }),
    autoProvision: namespaceAutoProvision({ source, createNamespace }),
  };
}

const inNamespace = (namespace: string, write: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  testWrite({ name: 'x', namespace, ...write });

const ofNamespace = (name: string, write: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  testWrite({
    name,
    namespace: '',
    resource: 'namespaces',
    requested: testResource({ path: 'v1/namespaces', namespaced: false }),
    operation: 'DELETE',
    ...write,
  });

const review = (namespace: string): AdmissionAttributes =>
  inNamespace(namespace, { group: 'authorization', resource: 'localsubjectaccessreviews' });

/** The code of the refusal; 0 for a write that the plugin admits or does not handle. */
async function codeOf(plugin: AdmissionPlugin, write: AdmissionAttributes): Promise<number> {
  if (!plugin.handles(write)) return 0;
  try {
    return (await plugin.precheck?.(write)) === undefined ? 0 : 403;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.status.code ?? 0;
  }
}

describe('admission plugin NamespaceLifecycle', () => {
  const decisions: readonly [string, AdmissionAttributes, number][] = [
    ['a creation in an active namespace', inNamespace('active'), 0],
    ['a creation in a namespace that is being deleted', inNamespace('ending'), 403],
    [
      'a dry run of a creation in a namespace that is being deleted',
      inNamespace('ending', { dryRun: true }),
      403,
    ],
    ['a creation in a namespace that does not exist', inNamespace('none'), 404],
    [
      'a binding in a namespace that is being deleted',
      inNamespace('ending', { subresource: 'binding' }),
      403,
    ],
    [
      'an eviction in a namespace that is being deleted',
      inNamespace('ending', { subresource: 'eviction' }),
      403,
    ],
    ['an update in a namespace that is being deleted', inNamespace('ending', { operation: 'UPDATE' }), 0],
    ['an update in a namespace that does not exist', inNamespace('none', { operation: 'UPDATE' }), 404],
    ['a deletion in a namespace that is being deleted', inNamespace('ending', { operation: 'DELETE' }), 0],
    ['a deletion in a namespace that does not exist', inNamespace('none', { operation: 'DELETE' }), 0],
    ['a connection in a namespace that is being deleted', inNamespace('ending', { operation: 'CONNECT' }), 0],
    ['an access review in a namespace that is being deleted', review('ending'), 0],
    ['an access review in a namespace that does not exist', review('none'), 0],
    ['the creation of a namespace', ofNamespace('new', { operation: 'CREATE' }), 0],
    ['an update of a namespace that is being deleted', ofNamespace('ending', { operation: 'UPDATE' }), 0],
    ['the deletion of a namespace', ofNamespace('active'), 0],
    ['the deletion of the default namespace', ofNamespace('default'), 403],
    ['a dry run of the deletion of the default namespace', ofNamespace('default', { dryRun: true }), 403],
    ['the deletion of the system namespace', ofNamespace('orch-system'), 403],
    ['the deletion of the public namespace', ofNamespace('orch-public'), 403],
    ['the deletion of the namespace of node leases', ofNamespace('orch-node-lease'), 0],
    ['the deletion of the system namespace of another naming', ofNamespace('kube-system'), 0],
    [
      'the deletion of a cluster-scoped object with the name of a protected namespace',
      ofNamespace('default', { resource: 'nodes' }),
      0,
    ],
  ];
  for (const [title, write, code] of decisions)
    it(`${title} is ${code === 0 ? 'admitted' : `refused with ${code}`} by NamespaceLifecycle`, async () =>
      assert.equal(await codeOf(setUp().lifecycle, write), code));

  it('the protected namespaces have the names of the naming', async () => {
    assert.equal(await codeOf(setUp('kubernetes').lifecycle, ofNamespace('kube-system')), 403);
  });

  it('the refusal of a creation in a namespace that is being deleted has the cause NamespaceTerminating', async () => {
    const { lifecycle } = setUp();
    assert.throws(
      () => lifecycle.precheck?.(inNamespace('ending', { resource: 'deployments', group: 'apps' })),
      (error) => {
        assert.ok(error instanceof ApiError);
        const { message, details } = error.status;
        assert.equal(
          message,
          'deployments.apps "x" is forbidden: unable to create new content in namespace ending because it is being terminated',
        );
        assert.deepEqual(details?.causes, [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace ending is being terminated',
            field: 'metadata.namespace',
          },
        ]);
        return true;
      },
    );
  });

  it('the error about a missing namespace names the namespace', async () => {
    const pending = setUp().lifecycle.precheck?.(inNamespace('none'));
    await assert.rejects(Promise.resolve(pending), { message: 'namespaces "none" not found' });
  });

  it('a namespace that is not cached yet is found before it counts as missing', async () => {
    const { source, lifecycle } = setUp();
    source.pending.push(() => source.namespace('new'));
    assert.equal(await codeOf(lifecycle, inNamespace('new')), 0);
  });

  it('writes in a cached namespace do not wait for the latest state', () => {
    const { source, lifecycle } = setUp();
    assert.equal(lifecycle.precheck?.(inNamespace('active')), undefined);
    assert.equal(source.waits, 0);
  });

  it('after a deletion on the same server the phase of the namespace is not taken from a stale cache', async () => {
    const { source, lifecycle } = setUp();
    assert.equal(await codeOf(lifecycle, ofNamespace('active')), 0);
    source.pending.push(() => source.namespace('active', 'Terminating'));
    assert.equal(await codeOf(lifecycle, inNamespace('active')), 403);
    assert.equal(await codeOf(lifecycle, inNamespace('active')), 403);
    assert.equal(source.waits, 1);
  });

  it('thirty seconds after a deletion that had no effect, the cache of a namespace is used again', async () => {
    const { source, lifecycle, clock } = setUp();
    await codeOf(lifecycle, ofNamespace('active'));
    await clock.advance(29_999);
    assert.equal(await codeOf(lifecycle, inNamespace('active')), 0);
    assert.equal(source.waits, 1);
    await clock.advance(1);
    assert.equal(await codeOf(lifecycle, inNamespace('active')), 0);
    assert.equal(source.waits, 1);
  });

  it('dry runs of deletions, and deletions of namespaces that do not exist, do not affect later creations', async () => {
    const { source, lifecycle } = setUp();
    await codeOf(lifecycle, ofNamespace('active', { dryRun: true }));
    await codeOf(lifecycle, ofNamespace('later'));
    source.namespace('later');
    assert.equal(await codeOf(lifecycle, inNamespace('active')), 0);
    assert.equal(await codeOf(lifecycle, inNamespace('later')), 0);
    assert.equal(source.waits, 0);
  });
});

describe('admission plugin NamespaceExists', () => {
  const decisions: readonly [string, AdmissionAttributes, number][] = [
    ['a creation in a namespace', inNamespace('active'), 0],
    ['a creation in a namespace that is being deleted', inNamespace('ending'), 0],
    ['a creation in a namespace that does not exist', inNamespace('none'), 404],
    ['an update in a namespace that does not exist', inNamespace('none', { operation: 'UPDATE' }), 404],
    ['a deletion in a namespace that does not exist', inNamespace('none', { operation: 'DELETE' }), 404],
    ['an access review in a namespace that does not exist', review('none'), 0],
    ['the creation of a namespace', ofNamespace('new', { operation: 'CREATE' }), 0],
    ['the deletion of a namespace that does not exist', ofNamespace('none'), 0],
  ];
  for (const [title, write, code] of decisions)
    it(`${title} is ${code === 0 ? 'admitted' : `refused with ${code}`} by NamespaceExists`, async () =>
      assert.equal(await codeOf(setUp().exists, write), code));

  it('NamespaceExists finds a namespace that is not cached yet', async () => {
    const { source, exists } = setUp();
    source.pending.push(() => source.namespace('new'));
    assert.equal(await codeOf(exists, inNamespace('new')), 0);
  });
});

describe('admission plugin NamespaceAutoProvision', () => {
  const creations: readonly [string, AdmissionAttributes, readonly string[]][] = [
    ['a creation in a namespace that does not exist', inNamespace('none'), ['none']],
    ['a creation in a namespace', inNamespace('active'), []],
    ['a creation in a namespace that is being deleted', inNamespace('ending'), []],
    ['a dry run in a namespace that does not exist', inNamespace('none', { dryRun: true }), []],
    ['an update in a namespace that does not exist', inNamespace('none', { operation: 'UPDATE' }), []],
    ['a deletion in a namespace that does not exist', inNamespace('none', { operation: 'DELETE' }), []],
    ['an access review in a namespace that does not exist', review('none'), []],
    ['the creation of a namespace', ofNamespace('new', { operation: 'CREATE' }), []],
  ];
  for (const [title, write, expected] of creations)
    it(`after ${title}, NamespaceAutoProvision has created ${expected.length} namespaces`, async () => {
      const { autoProvision, created } = setUp();
      assert.equal(await codeOf(autoProvision, write), 0);
      assert.deepEqual(created, expected);
    });

  it('a write is refused when its namespace cannot be created', async () => {
    assert.equal(await codeOf(setUp().autoProvision, inNamespace('Bad')), 403);
  });
});
