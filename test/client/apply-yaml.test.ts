import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { applyYaml, builtinResources, type Client, createClient, isConflict } from '@orch/client';
import { type ControlPlane, startControlPlane } from '@orch/testing';

for (const naming of ['orch', 'kubernetes'] as const)
  describe(`applying a YAML text with ${naming} names`, { timeout: 120_000 }, () => {
    let plane: ControlPlane;
    let client: Client;

    before(async () => {
      plane = await startControlPlane({ naming, controllers: false });
      client = createClient(plane.config);
    });
    after(() => plane.stop());

    it('the documents of a text are applied again without a change, and another manager gets a conflict', async () => {
      const text = (value: number): string => `apiVersion: v1
kind: Namespace
metadata:
  name: web
  labels: { team: web }
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  value: "${value}"
`;
      const apply = (value: number, fieldManager: string) =>
        applyYaml(client, text(value), { fieldManager, namespace: 'web' });
      const first = await apply(1, 'one');
      assert.deepEqual(
        first.map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name]),
        [
          ['Namespace', undefined, 'web'],
          ['ConfigMap', 'web', 'settings'],
        ],
      );
      assert.deepEqual(await apply(1, 'one'), first);
      await assert.rejects(apply(2, 'two'), (error: Error) => {
        assert.match(error.message, / \(document 2 at line 7 \(ConfigMap "settings"\)\)$/);
        return isConflict(error);
      });
      const { configmaps } = builtinResources(client.names).core.v1;
      assert.deepEqual((await client.resource(configmaps, 'web').get('settings')).data, { value: '1' });
    });
  });
