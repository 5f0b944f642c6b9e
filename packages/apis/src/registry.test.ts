import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { isFormatName } from '@orch/machinery/formats';
import { resolveRef, type Schema, type StructSchema } from '@orch/schema';
import { findKind } from './find-kind.ts';
import { typesAt } from './lifecycle.ts';
import { builtinTypes, findType, findTypeOfKind, kindsOf } from './registry.ts';
import { writePath } from './testing/write-path.ts';

const all = 'create,delete,deletecollection,get,list,patch,update,watch';

/** Resource, kind, singular, namespaced, short names, categories, verbs, subresources. */
const expected: readonly (readonly [
  string,
  string,
  string,
  boolean,
  string,
  string,
  string,
  readonly string[],
])[] = [
  ['bindings', 'Binding', 'binding', true, '', '', 'create', []],
  ['componentstatuses', 'ComponentStatus', 'componentstatus', false, 'cs', '', 'get,list', []],
  ['configmaps', 'ConfigMap', 'configmap', true, 'cm', '', all, []],
  ['endpoints', 'Endpoints', 'endpoints', true, 'ep', '', all, []],
  ['events', 'Event', 'event', true, 'ev', '', all, []],
  ['limitranges', 'LimitRange', 'limitrange', true, 'limits', '', all, []],
  [
    'namespaces',
    'Namespace',
    'namespace',
    false,
    'ns',
    '',
    'create,delete,get,list,patch,update,watch',
    ['finalize=v1/Namespace:update', 'status=v1/Namespace:get,patch,update'],
  ],
  [
    'nodes',
    'Node',
    'node',
    false,
    'no',
    '',
    all,
    ['proxy=v1/NodeProxyOptions:create,delete,get,patch,update', 'status=v1/Node:get,patch,update'],
  ],
  [
    'persistentvolumeclaims',
    'PersistentVolumeClaim',
    'persistentvolumeclaim',
    true,
    'pvc',
    '',
    all,
    ['status=v1/PersistentVolumeClaim:get,patch,update'],
  ],
  [
    'persistentvolumes',
    'PersistentVolume',
    'persistentvolume',
    false,
    'pv',
    '',
    all,
    ['status=v1/PersistentVolume:get,patch,update'],
  ],
  [
    'pods',
    'Pod',
    'pod',
    true,
    'po',
    'all',
    all,
    [
      'attach=v1/PodAttachOptions:create,get',
      'binding=v1/Binding:create',
      'ephemeralcontainers=v1/Pod:get,patch,update',
      'eviction=policy/v1/Eviction:create',
      'exec=v1/PodExecOptions:create,get',
      'log=v1/Pod:get',
      'portforward=v1/PodPortForwardOptions:create,get',
      'proxy=v1/PodProxyOptions:create,delete,get,patch,update',
      'resize=v1/Pod:get,patch,update',
      'status=v1/Pod:get,patch,update',
    ],
  ],
  ['podtemplates', 'PodTemplate', 'podtemplate', true, '', '', all, []],
  [
    'replicationcontrollers',
    'ReplicationController',
    'replicationcontroller',
    true,
    'rc',
    'all',
    all,
    ['scale=autoscaling/v1/Scale:get,patch,update', 'status=v1/ReplicationController:get,patch,update'],
  ],
  [
    'resourcequotas',
    'ResourceQuota',
    'resourcequota',
    true,
    'quota',
    '',
    all,
    ['status=v1/ResourceQuota:get,patch,update'],
  ],
  ['secrets', 'Secret', 'secret', true, '', '', all, []],
  [
    'serviceaccounts',
    'ServiceAccount',
    'serviceaccount',
    true,
    'sa',
    '',
    all,
    ['token=authentication/v1/TokenRequest:create'],
  ],
  [
    'services',
    'Service',
    'service',
    true,
    'svc',
    'all',
    all,
    ['proxy=v1/ServiceProxyOptions:create,delete,get,patch,update', 'status=v1/Service:get,patch,update'],
  ],
  ['leasecandidates', 'LeaseCandidate', 'leasecandidate', true, '', '', all, []],
  ['leases', 'Lease', 'lease', true, '', '', all, []],
];

describe('built-in resources', () => {
  for (const [
    resource,
    kind,
    singular,
    namespaced,
    shortNames,
    categories,
    verbs,
    subresources,
  ] of expected) {
    it(resource, () => {
      const type = builtinTypes.find((one) => one.resource === resource);
      assert.ok(type);
      assert.deepEqual([type.kind, type.singular, type.namespaced], [kind, singular, namespaced]);
      assert.deepEqual(
        [type.shortNames.join(), type.categories.join(), type.verbs.join()],
        [shortNames, categories, verbs],
      );
      const text = type.subresources.map(({ name, kind: body, verbs: can }) => {
        const group = body.group === '' ? '' : `${body.group}/`;
        return `${name}=${group}${body.version}/${body.kind}:${can.join()}`;
      });
      assert.deepEqual(text, subresources);
    });
  }

  it('built-in resources are all of core and the leases', () => {
    assert.deepEqual(
      builtinTypes
        .filter(({ group }) => group === '' || group === 'coordination')
        .map((type) => type.resource),
      expected.map(([resource]) => resource),
    );
  });

  it('built-in resources have names of a declared format and a stored version', () => {
    for (const type of builtinTypes) {
      assert.ok(isFormatName(type.nameFormat), type.nameFormat);
      for (const release of ['1.15', '1.20', '1.24', '1.27']) {
        const [served] = typesAt(release, [type]);
        assert.ok(served === undefined || type.versions.includes(served.stored), type.resource);
      }
    }
  });

  it('built-in resources have subresources whose bodies are declared kinds', () => {
    for (const { subresources } of builtinTypes) {
      for (const { kind, accepts = [] } of subresources) {
        for (const body of [kind, ...accepts])
          assert.ok(findKind(body.group, body.version, body.kind), body.kind);
      }
    }
  });

  it('built-in resources index and distinguish only fields that can be selected', () => {
    for (const { fields, indexedFields = [], distinctFields = [] } of builtinTypes)
      for (const field of [...indexedFields, ...distinctFields]) assert.ok(field in fields);
  });

  it('built-in resources are found by resource and by kind', () => {
    assert.equal(findType('coordination', 'leases')?.kind, 'Lease');
    assert.equal(findType('', 'leases'), undefined);
    assert.equal(findTypeOfKind('', 'v1', 'Pod')?.resource, 'pods');
    assert.equal(findTypeOfKind('', 'v2', 'Pod'), undefined);
    assert.equal(findKind('meta', 'v1', 'DeleteOptions')?.schema.name, 'meta.v1.DeleteOptions');
    assert.equal(findKind('policy', 'v1beta1', 'Eviction')?.schema.name, 'policy.v1beta1.Eviction');
  });
});

/** Every struct reachable from the kinds, by name. */
function structs(): ReadonlyMap<string, StructSchema> {
  const found = new Map<string, StructSchema>();
  const visit = (schema: Schema): void => {
    if (schema.kind === 'list') visit(resolveRef(schema.items));
    else if (schema.kind === 'map') visit(resolveRef(schema.values));
    else if (schema.kind === 'struct') {
      const known = found.get(schema.name);
      assert.ok(known === undefined || known === schema, `${schema.name} is declared twice`);
      if (known !== undefined) return;
      found.set(schema.name, schema);
      for (const field of schema.fields) visit(resolveRef(field.schema));
    }
  };
  for (const { schema } of kindsOf()) visit(schema);
  return found;
}

describe('declarations of kinds', () => {
  it('declarations document every struct and every field', () => {
    for (const { name, doc, fields } of structs().values()) {
      assert.match(doc, /\.$/, name);
      for (const field of fields) if (!field.inline) assert.match(field.doc, /\.$/, `${name}.${field.name}`);
    }
  });

  it('declarations use every Protobuf number once', () => {
    for (const { name, fields } of structs().values()) {
      const numbers = fields.map((field) => field.num);
      assert.equal(new Set(numbers).size, numbers.length, name);
      for (const number of numbers) assert.ok(number > 0 && number < 100, `${name}: ${number}`);
    }
  });

  it('declarations name only formats that exist', () => {
    for (const { name, fields } of structs().values()) {
      for (const { format, name: fieldName } of fields) {
        assert.ok(format === undefined || isFormatName(format), `${name}.${fieldName}: ${format}`);
      }
    }
  });

  it('declarations have defaults that satisfy their own constraints, and an empty object decodes', () => {
    for (const naming of ['orch', 'kubernetes'] as const) {
      const path = writePath(namesFor(naming));
      for (const type of builtinTypes) {
        const { value, problems } = path.codec(type).decode({}, { defaults: true });
        assert.deepEqual(problems, [], type.kind);
        const again = path.codec(type).decode(structuredClone(value), { defaults: true });
        assert.deepEqual(again.value, value, `${type.kind}: defaulting twice is defaulting once`);
      }
    }
  });
});
