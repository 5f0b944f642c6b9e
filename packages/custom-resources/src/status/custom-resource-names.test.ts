import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import {
  DEFINITION_VERSION,
  DEFINITIONS,
  definition,
  established,
  GROUP,
  v1,
  withCronTabs,
} from '../testing/crontabs.ts';
import { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const schema = { openAPIV3Schema: { type: 'object', 'x-orch-preserve-unknown-fields': true } };

/** A definition in the group of a built-in resource, with the approval that such groups require. */
function inBuiltInGroup(
  { names }: CustomResourcesFixture,
  wanted: { readonly plural: string; readonly kind: string },
) {
  const group = names.group('coordination');
  return {
    apiVersion: DEFINITION_VERSION,
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${wanted.plural}.${group}`,
      annotations: { [names.annotations.apiApproved]: 'unapproved, a test' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { singular: wanted.kind.toLowerCase(), ...wanted },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

describe('names that a definition takes from built-in resources', () => {
  const rows = [
    ['the plural', { plural: 'leases', kind: 'Other' }, 'PluralConflict', '"leases" is already in use'],
    [
      'the kind',
      { plural: 'others', kind: 'Lease', listKind: 'OtherList', singular: 'other' },
      'KindConflict',
      '"Lease" is already in use',
    ],
    [
      'the kind of lists',
      { plural: 'others', kind: 'Other', listKind: 'LeaseList' },
      'ListKindConflict',
      '"LeaseList" is already in use',
    ],
    [
      'the plural as a short name',
      { plural: 'others', kind: 'Other', shortNames: ['leases'] },
      'ShortNamesConflict',
      '"leases" is already in use',
    ],
    [
      'the plural as its singular',
      { plural: 'others', kind: 'Other', singular: 'leases' },
      'SingularConflict',
      '"leases" is already in use',
    ],
  ] as const;
  for (const [title, wanted, reason, message] of rows) {
    it(`names that a definition takes from built-in resources are not accepted, and the built-in resource is served as before: ${title}`, async () => {
      await using api = await CustomResourcesFixture.open();
      const created = await api.post(DEFINITIONS, inBuiltInGroup(api, wanted));
      assert.equal(created.status, 201, created.text);
      const path = `${DEFINITIONS}/${created.json.metadata.name}`;
      const accepted = async (): Promise<Record<string, string> | undefined> =>
        (await api.get(path)).json.status.conditions?.find(
          ({ type }: Record<string, string>) => type === 'NamesAccepted',
        );
      await until(async () => (await accepted()) !== undefined, 'the names are decided on');
      const { status, reason: why, message: says } = (await accepted()) ?? {};
      assert.deepEqual([status, why, says], ['False', reason, message]);
      const leases = `/apis/${api.names.group('coordination')}/v1/namespaces/default/leases`;
      const lease = { metadata: { name: 'a' }, spec: { holderIdentity: 'x' } };
      const made = await api.post(leases, lease);
      assert.deepEqual([made.status, made.json.kind], [201, 'Lease'], made.text);
      assert.equal((await api.delete(path)).status, 200);
      await until(async () => (await api.get(path)).status === 404, 'the definition is removed');
      assert.equal((await api.get(`${leases}/a`)).status, 200);
    });
  }

  it('names that a definition takes from built-in resources are accepted in another group, where they replace nothing', async () => {
    await using api = await withCronTabs({}, [v1]);
    const pods = { plural: 'pods', singular: 'pod', kind: 'Pod', shortNames: ['po'] };
    const created = await api.post(DEFINITIONS, definition([v1], pods, `pods.${GROUP}`));
    assert.equal(created.status, 201, created.text);
    await established(api, `pods.${GROUP}`);
    assert.equal((await api.get(`/apis/${GROUP}/v1/pods`)).json.apiVersion, `${GROUP}/v1`);
    assert.equal((await api.get('/api/v1/pods')).json.apiVersion, 'v1');
  });
});
