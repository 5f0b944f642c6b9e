import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { setPath } from '../../testing/set-path.ts';
import { writePath } from '../../testing/write-path.ts';
import { endpointSlices as type } from './index.ts';

const v1 = writePath(undefined, '1.24', { version: 'discovery/v1' });
const v1beta1 = writePath(undefined, '1.24', { version: 'discovery/v1beta1' });

const slice = (endpoint: object): object => ({
  metadata: { name: 'x' },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['1.2.3.4'], ...endpoint }],
  ports: [{ name: 'http', port: 80 }],
});

type Endpoint = Readonly<Record<string, unknown>>;

function endpointOf(object: ApiObject): Endpoint {
  const [endpoint] = object['endpoints'] as readonly Endpoint[];
  assert.ok(endpoint);
  const { addresses: _addresses, conditions: _conditions, ...rest } = endpoint;
  return rest;
}

const host = 'orch.io/hostname';
const zone = 'topology.orch.io/zone';

describe('the place of an endpoint', () => {
  for (const [title, older, hub] of [
    [
      'node and zone',
      { nodeName: 'n', topology: { [host]: 'n', [zone]: 'z' } },
      { nodeName: 'n', zone: 'z' },
    ],
    ['a zone', { topology: { [zone]: 'z' } }, { zone: 'z' }],
    [
      'other labels',
      { nodeName: 'n', topology: { [host]: 'n', 'a.b/c': 'd' } },
      { nodeName: 'n', deprecatedTopology: { 'a.b/c': 'd' } },
    ],
    [
      'a node that labels name otherwise',
      { nodeName: 'n', topology: { [host]: 'm' } },
      { nodeName: 'n', deprecatedTopology: { [host]: 'm' } },
    ],
    ['no place', {}, {}],
  ] as const) {
    it(`the place of an endpoint: ${title}: labels in v1beta1, fields in v1`, () => {
      const { object, errors } = v1beta1.create(type, slice(older));
      assert.deepEqual(errors, []);
      assert.deepEqual(endpointOf(object), hub);
      assert.deepEqual(endpointOf(v1beta1.show(type, object)), older);
      assert.equal(object.metadata.annotations, undefined);
    });
  }

  it('the place of an endpoint is a node also when only a label names it, and reads as it was written', () => {
    const older = { topology: { [host]: 'n' } };
    const { object } = v1beta1.create(type, slice(older));
    assert.deepEqual(endpointOf(object), { nodeName: 'n' });
    assert.deepEqual(endpointOf(v1beta1.show(type, object)), older);
  });

  it('the place of an endpoint in v1beta1 is that of v1 as topology labels', () => {
    const { object } = v1.create(type, slice({ nodeName: 'n', zone: 'z' }));
    assert.deepEqual(endpointOf(v1beta1.show(type, object)), {
      topology: { [host]: 'n', [zone]: 'z' },
      nodeName: 'n',
    });
  });

  it('the place of an endpoint is taken from the labels in releases without node names', () => {
    const path = writePath(undefined, '1.19', { version: 'discovery/v1beta1' });
    const { object } = path.create(type, slice({ nodeName: 'n', topology: { [host]: 'm' } }));
    assert.deepEqual(endpointOf(object), { nodeName: 'm' });
  });

  it('the place of an endpoint uses the labels of the naming', () => {
    const kubernetes = writePath(namesFor('kubernetes'), '1.24', { version: 'discovery/v1beta1' });
    const { object } = kubernetes.create(
      type,
      slice({ topology: { 'topology.kubernetes.io/zone': 'z', [zone]: 'y' } }),
    );
    assert.deepEqual(endpointOf(object), { deprecatedTopology: { [zone]: 'y' }, zone: 'z' });
  });
});

describe('labels of older versions', () => {
  const { object: stored } = v1beta1.create(type, slice({ topology: { a: 'b' } }));

  it('a change of labels increases the generation of a slice, one of annotations does not', () => {
    const created = v1.create(type, { metadata: { name: 's' }, addressType: 'IPv4', endpoints: [] }).object;
    const changed = (field: string): number | undefined => {
      const input = cloneJson(created);
      setPath(input, `metadata.${field}`, { a: 'b' });
      return v1.update(type, created, input).object.metadata.generation;
    };
    assert.deepEqual([changed('labels'), changed('annotations')], [1, created.metadata.generation]);
  });

  it('labels of older versions cannot be written by v1', () => {
    const { object } = v1.create(type, slice({ deprecatedTopology: { a: 'b' } }));
    assert.deepEqual(endpointOf(object), {});
  });

  it('labels of older versions stay when v1 leaves the endpoints alone, and go when it does not', () => {
    const next = cloneJson(stored);
    setPath(next, 'metadata.labels', { x: 'y' });
    assert.deepEqual(endpointOf(v1.update(type, stored, next).object), { deprecatedTopology: { a: 'b' } });
    setPath(next, 'endpoints[0].hostname', 'h');
    assert.deepEqual(endpointOf(v1.update(type, stored, next).object), { hostname: 'h' });
  });

  it('labels of older versions are few, and labels', () => {
    const topology = Object.fromEntries(
      Array.from({ length: 17 }, (_, i) => [`k${i}`, i === 0 ? 'a b' : 'v']),
    );
    const { errors } = v1beta1.create(type, slice({ topology }));
    assert.deepEqual(
      errors.map(({ type: reason, field }) => `${reason} ${field}`),
      ['FieldValueTooMany endpoints[0].topology', 'FieldValueInvalid endpoints[0].topology'],
    );
  });
});

describe('endpoint slices', () => {
  const errors = (object: object): unknown =>
    v1.create(type, object).errors.map(({ type: reason, field }) => `${reason} ${field}`);
  const many = (count: number, item: (i: number) => unknown): unknown[] =>
    Array.from({ length: count }, (_, i) => item(i));

  it('endpoint slices have at most 1000 endpoints of 100 addresses', () => {
    const endpoints = many(1001, () => ({ addresses: ['1.2.3.4'] }));
    assert.deepEqual(errors({ ...slice({}), endpoints }), ['FieldValueTooMany endpoints']);
    const addresses = many(101, () => '1.2.3.4');
    assert.deepEqual(errors(slice({ addresses })), ['FieldValueTooMany endpoints[0].addresses']);
  });

  it('endpoint slices name no node with an empty name', () =>
    assert.deepEqual(
      v1.create(type, slice({ nodeName: '' })).errors.map(({ field }) => field),
      ['endpoints[0].nodeName'],
    ));

  it('endpoint slices of IPv6 have no IPv4 addresses in IPv6 format, and those of IPv4 from 1.36 on', () => {
    const errorsIn = (release: string, addressType: string): unknown =>
      writePath(undefined, release)
        .create(type, {
          metadata: { name: 'x' },
          addressType,
          endpoints: [{ addresses: ['::ffff:1.2.3.4'] }],
        })
        .errors.map(({ field }) => field);
    const wrong = ['endpoints[0].addresses[0]'];
    assert.deepEqual([errorsIn('1.36', 'IPv4'), errorsIn('1.36', 'IPv6')], [wrong, wrong]);
    assert.deepEqual([errorsIn('1.34', 'IPv4'), errorsIn('1.34', 'IPv6')], [[], wrong]);
    assert.deepEqual([errorsIn('1.24', 'IPv4'), errorsIn('1.24', 'IPv6')], [[], wrong]);
  });

  it('addresses of IPv6 have their shortest form from 1.33 on', () => {
    const errorsIn = (release: string): unknown =>
      writePath(undefined, release)
        .create(type, {
          metadata: { name: 'x' },
          addressType: 'IPv6',
          endpoints: [{ addresses: ['FD00::01'] }],
        })
        .errors.map(({ field }) => field);
    assert.deepEqual(['1.32', '1.33'].map(errorsIn), [[], ['endpoints[0].addresses[0]']]);
  });

  it('endpoint slices keep endpoints that earlier releases did not refuse, from 1.33 on', () => {
    const { update } = writePath(undefined, '1.36');
    const { object: old } = v1.create(type, slice({ addresses: ['::ffff:1.2.3.4'] }));
    const labelled = { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } };
    const fieldsOf = (next: object): readonly unknown[] =>
      update(type, old, next as ApiObject).errors.map(({ field }) => field);
    assert.deepEqual(fieldsOf(labelled), []);
    const changed = { ...labelled, endpoints: [{ addresses: ['::ffff:1.2.3.5'] }] };
    assert.deepEqual(fieldsOf(changed), ['endpoints[0].addresses[0]']);
  });

  it('endpoint slices have no two ports of one name, the empty one included', () => {
    assert.deepEqual(errors({ ...slice({}), ports: [{ port: 1 }, { port: 2 }] }), [
      'FieldValueDuplicate ports[1].name',
    ]);
  });

  for (const [addressType, address, wrong] of [
    ['IPv4', '::1', true],
    ['IPv4', '169.254.1.1', true],
    ['IPv6', '1.2.3.4', true],
    ['IPv6', 'fd00::1', false],
    ['IPv6', 'fe80::1', true],
    ['FQDN', 'a.example', false],
    ['FQDN', 'a.example.', false],
    ['FQDN', 'a', true],
    ['FQDN', '..', true],
  ] as const) {
    it(`endpoint slices ${wrong ? 'refuse' : 'take'} ${address} as ${addressType}`, () => {
      assert.deepEqual(
        errors({ ...slice({ addresses: [address] }), addressType }),
        wrong ? ['FieldValueInvalid endpoints[0].addresses[0]'] : [],
      );
    });
  }

  it('endpoint slices give hints for at most eight zones, none twice', () => {
    const zones = many(9, (i) => ({ name: `z${i % 8}` }));
    assert.deepEqual(errors(slice({ hints: { forZones: zones } })), [
      'FieldValueTooMany endpoints[0].hints.forZones',
      'FieldValueDuplicate endpoints[0].hints.forZones[8].name',
    ]);
  });

  it('endpoint slices are shown by their first ports and addresses', () => {
    const metadata = { name: 'x', creationTimestamp: '2024-01-01T00:00:00Z' };
    const row = (object: object): unknown =>
      type.table?.cells({ metadata, addressType: 'IPv4', ...object }, namesFor('orch')).slice(1, 4);
    assert.deepEqual(row({ endpoints: [], ports: null }), ['IPv4', '<unset>', '<unset>']);
    assert.deepEqual(
      row({
        endpoints: [{ addresses: ['a', 'b'] }, { addresses: ['c', 'd', 'e'] }],
        ports: [{ port: 1 }, { name: 'n' }, { name: '' }],
      }),
      ['IPv4', '1,n,*', 'a,b,c + 2 more...'],
    );
  });
});
