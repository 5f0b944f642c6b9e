import type { ApiObject } from '@orch/machinery';
import { asObject, asObjects, asStrings, asText, specOf, statusOf } from '@orch/machinery/json';
import { noReferences, type SchemaField, schemaTree } from './schema-field.ts';

/** A version of a custom resource. */
export interface DefinedVersion {
  readonly name: string;
  readonly isServed: boolean;
  readonly isStored: boolean;
  readonly isDeprecated: boolean;
  readonly schema: SchemaField;
}

/** A definition of a custom resource as the page shows it. */
export interface Definition {
  readonly versions: readonly DefinedVersion[];
  /** Versions in which objects may be stored. */
  readonly storedVersions: readonly string[];
  /** The strategy that converts objects between versions. */
  readonly conversion: string;
}

export function definitionOf(object: ApiObject): Definition {
  const spec = specOf(object);
  const conversion = asObject(spec['conversion']);
  const client = asObject(asObject(conversion['webhook'])['clientConfig']);
  const service = asObject(client['service']);
  const target = asText(client['url']) || `${asText(service['namespace'])}/${asText(service['name'])}`;
  return {
    versions: asObjects(spec['versions']).map((each) => ({
      name: asText(each['name']),
      isServed: each['served'] === true,
      isStored: each['storage'] === true,
      isDeprecated: each['deprecated'] === true,
      schema: schemaTree(asObject(asObject(each['schema'])['openAPIV3Schema']), noReferences),
    })),
    storedVersions: asStrings(statusOf(object)['storedVersions']),
    conversion:
      conversion['strategy'] === 'Webhook' ? `by the webhook ${target}` : 'only the version changes',
  };
}
