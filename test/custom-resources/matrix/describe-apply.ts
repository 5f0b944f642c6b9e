import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { merged, ok, refused, type Tested } from './tested.ts';
import type { Json } from './tested-kinds.ts';

/** Server-side apply. */
export function describeApply(tested: Tested): void {
  const { kind } = tested;
  const apply = (name: string, value: string, query = 'fieldManager=a') =>
    tested.patch(`${tested.path(name)}?${query}`, tested.changed(name, value), 'apply');

  describe('server-side apply', () => {
    it('an apply creates the object and owns what it applied', async () => {
      const made = ok(await apply('applied', 'a'), 201);
      assert.equal(kind.valueOf(made), 'a');
      const [entry] = made.metadata.managedFields;
      assert.deepEqual([entry.manager, entry.operation, entry.apiVersion], ['a', 'Apply', tested.apiVersion]);
      const again = ok(await apply('applied', 'a'));
      assert.equal(again.metadata.resourceVersion, made.metadata.resourceVersion);
      refused(
        await tested.patch(tested.path('applied'), tested.changed('applied', 'x'), 'apply'),
        422,
        'Invalid',
      );
    });

    it('an apply of a field of another manager is a conflict that names it, unless forced', async () => {
      ok(await apply('conflict', 'a'), 201);
      const { details, message } = refused(await apply('conflict', 'b', 'fieldManager=b'), 409, 'Conflict');
      assert.match(message, /conflict with "a"/);
      assert.deepEqual(
        details.causes.map(({ reason }: Json) => reason),
        ['FieldManagerConflict'],
      );
      const forced = ok(await apply('conflict', 'b', 'fieldManager=b&force=true'));
      assert.equal(kind.valueOf(forced), 'b');
    });

    it('an apply removes a field that the manager no longer applies', async () => {
      const name = 'removes';
      const labelled = merged(tested.changed(name, 'a'), { metadata: { labels: { a: '1' } } });
      const path = `${tested.path(name)}?fieldManager=a`;
      ok(await tested.patch(path, labelled, 'apply'), 201);
      const after = ok(await apply(name, 'a'));
      assert.equal(after.metadata.labels, undefined);
    });

    it('an apply is not stored in a dry run, of a creation and of a change', async () => {
      ok(await apply('dry-apply', 'a', 'fieldManager=a&dryRun=All'), 201);
      refused(await tested.api.get(tested.path('dry-apply')), 404, 'NotFound');
      const made = ok(await apply('dry-apply', 'a'), 201);
      assert.equal(kind.valueOf(ok(await apply('dry-apply', 'b', 'fieldManager=a&dryRun=All'))), 'b');
      assert.deepEqual(await tested.read('dry-apply'), made);
    });

    it('an apply accepts a resourceVersion and a uid as preconditions', async () => {
      const { metadata } = ok(await apply('pre-apply', 'a'), 201);
      const path = `${tested.path('pre-apply')}?fieldManager=a`;
      const withMeta = (value: string, more: object) =>
        merged(tested.changed('pre-apply', value), { metadata: more });
      const { resourceVersion } = metadata;
      ok(await tested.patch(path, withMeta('b', { resourceVersion }), 'apply'));
      refused(await tested.patch(path, withMeta('c', { resourceVersion }), 'apply'), 409, 'Conflict');
      refused(await tested.patch(path, withMeta('c', { uid: 'other' }), 'apply'), 409, 'Conflict');
    });
  });
}
