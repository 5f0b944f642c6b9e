import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldElement } from '../fields/element.ts';
import { type FieldSet, singlePath } from '../fields/field-set.ts';
import { union } from '../fields/set-algebra.ts';
import { conflictCauses, conflictMessage, conflictsOf, managerText } from './conflicts.ts';
import { type ManagerId, Owner } from './owner.ts';

const applier: ManagerId = { manager: 'alice', operation: 'Apply', apiVersion: 'apps/v1', subresource: '' };
const updater: ManagerId = { manager: 'bob', operation: 'Update', apiVersion: 'apps/v1', subresource: '' };
const replicas = singlePath([fieldElement('spec'), fieldElement('replicas')]);
const image = singlePath(['f:spec', 'f:template', 'f:spec', 'f:containers', 'k:{"name":"nginx"}', 'f:image']);
const taken = (id: ManagerId, set: FieldSet) => ({ owner: Owner.of(id, undefined, set), set });

describe('descriptions of conflicts', () => {
  it('conflicts name appliers, updaters with their version, and subresources', () => {
    assert.equal(managerText(applier), '"alice"');
    assert.equal(managerText(updater), '"bob" using apps/v1');
    assert.equal(
      managerText({ ...updater, subresource: 'scale' }),
      '"bob" with subresource "scale" using apps/v1',
    );
    assert.equal(managerText({ ...applier, subresource: 'status' }), '"alice" with subresource "status"');
    assert.equal(managerText({ ...applier, manager: 'a"b' }), '"a\\"b"');
  });

  it('conflicts are causes of a Status with the manager and the field', () => {
    assert.deepEqual(conflictCauses(conflictsOf([taken(updater, image)])), [
      {
        reason: 'FieldManagerConflict',
        message: 'conflict with "bob" using apps/v1',
        field: '.spec.template.spec.containers[name="nginx"].image',
      },
    ]);
  });

  it('the message for one conflict is one line', () => {
    assert.equal(
      conflictMessage(conflictsOf([taken(applier, replicas)])),
      'Apply failed with 1 conflict: conflict with "alice": .spec.replicas',
    );
  });

  it('several conflicts are listed by manager, with the fields in order', () => {
    const both = union(image, replicas);
    assert.equal(
      conflictMessage(conflictsOf([taken(updater, both), taken(applier, replicas)])),
      [
        'Apply failed with 3 conflicts: conflicts with "alice":',
        '- .spec.replicas',
        'conflicts with "bob" using apps/v1:',
        '- .spec.replicas',
        '- .spec.template.spec.containers[name="nginx"].image',
      ].join('\n'),
    );
  });
});
