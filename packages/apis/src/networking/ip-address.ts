import { SocketAddress } from 'node:net';
import type * as networking from '@orch/kinds/networking';
import { type FieldError, fieldError } from '@orch/machinery';
import { ip } from '@orch/machinery/formats';
import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { metadataField, specField } from '../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../resource-type.ts';
import { column, nameCell, nameColumn } from '../table.ts';

const ParentReference = struct(
  'networking.v1.ParentReference',
  'Names the object that an address belongs to.',
  {
    group: f.string(1, {
      doc: 'Group of the resource; empty for the core group.',
      format: 'dns1123subdomain',
    }),
    resource: f.string(2, {
      doc: 'Resource, such as services.',
      required: true,
      openapiRequired: true,
      format: 'pathSegment',
    }),
    namespace: f.string(3, { doc: 'Namespace of the object, when it has one.', format: 'pathSegment' }),
    name: f.string(4, {
      doc: 'Name of the object.',
      required: true,
      openapiRequired: true,
      format: 'pathSegment',
    }),
    uid: f.string(5, { doc: 'Identity of the object.', since: '1.27', until: '1.29' }),
  },
);

const IPAddressSpec = struct('networking.v1.IPAddressSpec', 'Owner of the address.', {
  parentRef: f.struct(1, ParentReference, {
    doc: 'Object that the address belongs to; cannot change.',
    presence: 'pointer',
    required: true,
    openapiRequired: true,
    immutable: true,
  }),
});

export const IPAddress = struct(
  'networking.v1.IPAddress',
  'An allocated address. Its name is the address in its shortest form.',
  {
    metadata: metadataField,
    spec: specField(IPAddressSpec, { openapiRequired: { since: '1.36', is: true } }),
  },
  { typeMeta: true },
);

/** `services/namespace/name`, or with the group: `widgets.example.com/name`. */
function parentText(parent: networking.ParentReference | undefined): string {
  if (parent === undefined) return '<none>';
  const { group, resource, namespace, name } = parent;
  const kind = [resource, group].filter((text = '') => text !== '');
  const path = [namespace, name].filter((text = '') => text !== '');
  return [kind.join('.').toLowerCase(), ...path].join('/');
}

const ipAddressTable: TableDefinition<networking.IPAddress> = {
  columns: [nameColumn, column('ParentRef', 'Object that the address belongs to.')],
  cells: (object) => [nameCell(object), parentText(object.spec?.parentRef)],
};

/** An address has exactly one name: its shortest form. */
function validateIpAddress({ metadata }: networking.IPAddress): readonly FieldError[] {
  const name = metadata.name ?? '';
  const at = 'metadata.name';
  const wrong = ip(name);
  if (name === '') return [];
  if (wrong !== undefined) return [fieldError.invalid(at, name, wrong)];
  const { address } = new SocketAddress({ address: name, family: name.includes(':') ? 'ipv6' : 'ipv4' });
  return address === name
    ? []
    : [fieldError.invalid(at, name, `must be in canonical form (${JSON.stringify(address)})`)];
}

export const ipAddresses: ResourceType = defineResource({
  group: 'networking',
  resource: 'ipaddresses',
  kind: 'IPAddress',
  namespaced: false,
  shortNames: ['ip'],
  versions: [
    { version: 'v1', schema: IPAddress, introduced: '1.33' },
    {
      version: 'v1beta1',
      schema: IPAddress,
      introduced: '1.31',
      deprecated: '1.34',
      removed: '1.37',
      servedByDefault: false,
      replacement: 'none',
    },
    {
      version: 'v1alpha1',
      schema: IPAddress,
      introduced: '1.27',
      deprecated: '1.30',
      removed: '1.33',
      replacement: 'none',
    },
  ],
  // Validation requires a canonical address, which is stricter than any name format.
  nameFormat: 'pathSegment',
  table: ipAddressTable,
  strategy: strategyOf<networking.IPAddress>({ validate: validateIpAddress }),
});
