import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { namesFor } from '@orch/machinery';
import { atOnce } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import { withConditions } from './condition.ts';
import {
  approvalCondition,
  establishedCondition,
  nonStructuralCondition,
  terminatingCondition,
} from './conditions.ts';
import { acceptNames, type TakenNames, takenNames } from './names-accepted.ts';

const names = namesFor('orch');
const none: TakenNames = { resources: new Set(), kinds: new Set() };
const things = {
  plural: 'things',
  singular: 'thing',
  shortNames: ['th'],
  kind: 'Thing',
  listKind: 'ThingList',
};

const definition = (
  spec: JsonObject,
  status: JsonObject = {},
  annotations: Record<string, string> = {},
): CustomResourceDefinition =>
  ({
    kind: 'CustomResourceDefinition',
    apiVersion: names.apiVersion('apiextensions', 'v1'),
    metadata: { name: 'things.example.com', annotations },
    spec: { group: 'example.com', names: things, ...spec },
    status,
  }) as CustomResourceDefinition;

describe('names that a definition gets', () => {
  it('names that a definition gets are all that it asks for where none is taken', () => {
    const { acceptedNames, condition } = acceptNames(definition({}), none);
    assert.deepEqual(acceptedNames, things);
    assert.deepEqual([condition.status, condition.reason], ['True', 'NoConflicts']);
  });

  const rows: readonly (readonly [taken: JsonObject, reason: string, message: string, lost: string])[] = [
    [{ plural: 'things' }, 'PluralConflict', '"things" is already in use', 'plural'],
    [{ shortNames: ['thing'] }, 'SingularConflict', '"thing" is already in use', 'singular'],
    [{ singular: 'th' }, 'ShortNamesConflict', '"th" is already in use', 'shortNames'],
    [{ listKind: 'Thing' }, 'KindConflict', '"Thing" is already in use', 'kind'],
    [{ kind: 'ThingList' }, 'ListKindConflict', '"ThingList" is already in use', 'listKind'],
  ];
  for (const [acceptedNames, reason, message, lost] of rows) {
    it(`accepted names lack the ${lost} when another definition has it: ${reason}`, () => {
      const other = definition({ names: {} }, { acceptedNames });
      const decision = acceptNames(definition({}), takenNames([other], none));
      const { [lost]: _lost, ...rest } = things as JsonObject;
      assert.deepEqual(decision.acceptedNames, rest);
      assert.deepEqual(decision.condition, { type: 'NamesAccepted', status: 'False', reason, message });
    });
  }

  it('accepted names lack those of built-in resources of the group', () => {
    const taken = takenNames([], { resources: new Set(['things']), kinds: new Set(['Thing']) });
    assert.equal(acceptNames(definition({}), taken).condition.reason, 'KindConflict');
  });

  it('names that a definition gets stay accepted when another definition asks for them later', () => {
    const accepted = definition({}, { acceptedNames: things });
    const other = definition({}, { acceptedNames: things });
    assert.equal(acceptNames(accepted, takenNames([other], none)).condition.status, 'True');
  });

  it('names that a definition gets are given back when the definition asks for others', () => {
    const renamed = definition(
      { names: { ...things, singular: 'one', shortNames: [] } },
      { acceptedNames: things },
    );
    const { shortNames: _short, ...rest } = things;
    assert.deepEqual(acceptNames(renamed, none).acceptedNames, { ...rest, singular: 'one' });
  });
});

describe('conditions of a definition', () => {
  it('conditions of a definition say that it is established once its names are accepted, whatever comes later', () => {
    assert.equal(establishedCondition(definition({}), false).status, 'False');
    assert.equal(establishedCondition(definition({}), true).status, 'True');
    const established = definition({}, { conditions: [{ type: 'Established', status: 'True' }] });
    assert.equal(establishedCondition(established, false).status, 'True');
  });

  it('conditions of a definition say what keeps its schemas from being structural', () => {
    const version = (openAPIV3Schema: JsonObject) => ({ name: 'v1', schema: { openAPIV3Schema } });
    assert.equal(
      atOnce(nonStructuralCondition(definition({ versions: [version({ type: 'object' })] }), names)),
      undefined,
    );
    assert.deepEqual(atOnce(nonStructuralCondition(definition({ versions: [version({})] }), names)), {
      type: 'NonStructuralSchema',
      status: 'True',
      reason: 'Violations',
      message: 'spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root',
    });
  });

  it('conditions of a definition say that a schema has a part that is not supported, in which version', () => {
    const schema = { openAPIV3Schema: { type: 'object', properties: { a: { $ref: '#/x' } } } };
    assert.deepEqual(
      atOnce(nonStructuralCondition(definition({ versions: [{ name: 'v1', schema }] }), names)),
      {
        type: 'NonStructuralSchema',
        status: 'Unknown',
        reason: 'StructuralError',
        message: "failed to check validation schema for version v1: OpenAPIV3Schema '$ref' is not supported",
      },
    );
  });

  it('conditions of a definition say whether names of the project itself were approved', () => {
    const group = `things.${names.groups.apiextensions.slice('apiextensions.'.length)}`;
    const reasonFor = (annotation?: string): string | undefined => {
      const annotations = annotation === undefined ? {} : { [names.annotations.apiApproved]: annotation };
      const found = approvalCondition(definition({ group }, {}, annotations), names);
      return `${found?.status} ${found?.reason}`;
    };
    assert.equal(reasonFor(), 'False MissingAnnotation');
    assert.equal(reasonFor('unapproved, because'), 'False UnapprovedAnnotation');
    assert.equal(reasonFor('https://example.com/1'), 'True ApprovedAnnotation');
    assert.equal(reasonFor('yes'), 'False InvalidAnnotation');
    assert.equal(approvalCondition(definition({}), names), undefined);
  });

  it('conditions of a definition report the progress of its deletion', () => {
    const rows = [
      [{ step: 'deleting' }, 'True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress'],
      [{ step: 'completed' }, 'False', 'InstanceDeletionCompleted', 'removed all instances'],
      [{ step: 'neverEstablished' }, 'False', 'NeverEstablished', 'resource was never established'],
      [
        { step: 'overlapsBuiltIn' },
        'False',
        'OverlappingBuiltInResource',
        'instances overlap with built-in resources in storage',
      ],
      [{ step: 'failed', problem: 'x' }, 'True', 'InstanceDeletionFailed', 'x'],
      [
        { step: 'unconfirmed', problem: 'x' },
        'True',
        'InstanceDeletionCheck',
        'could not confirm zero CustomResources remaining: x',
      ],
    ] as const;
    for (const [progress, status, reason, message] of rows)
      assert.deepEqual(terminatingCondition(progress), { type: 'Terminating', status, reason, message });
  });

  it('change their time with their status only', () => {
    const accepted = (status: 'True' | 'False', reason: string) => ({
      type: 'A',
      status,
      reason,
      message: '',
    });
    const first = withConditions([], [accepted('True', 'x')], '1');
    assert.equal(withConditions(first, [accepted('True', 'x')], '2'), first);
    assert.equal(withConditions(first, [accepted('True', 'y')], '2')[0]?.['lastTransitionTime'], '1');
    assert.equal(withConditions(first, [accepted('False', 'y')], '2')[0]?.['lastTransitionTime'], '2');
  });
});
