import { type Naming, namesFor, namings } from '@orch/machinery';
import { asList, asObjects, asText, isJsonObject, type JsonObject, objectAt } from '@orch/machinery/json';

/** A served version of a custom resource. */
export interface DefinedVersion {
  readonly name: string;
  /** Its `openAPIV3Schema`; empty where there is none. */
  readonly schema: JsonObject;
  readonly isDeprecated: boolean;
}

/** The parts of the definition of a custom resource that its types depend on. */
export interface Definition {
  /** `certificates.example.com`. */
  readonly name: string;
  /** The naming of the extensions in its schemas. */
  readonly naming: Naming;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly versions: readonly DefinedVersion[];
}

/** The cause of a failure in the sources of a command: a file, a document or a field of it. */
export class DefinitionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DefinitionError';
  }
}

/** Reports whether a document is the definition of a custom resource. */
export const isDefinition = (value: unknown): value is JsonObject =>
  isJsonObject(value) && value['kind'] === 'CustomResourceDefinition';

const groupForm = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const labelForm = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const kindForm = /^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/;

/** A name, which becomes a part of a file name and of identifiers. */
function nameIn(value: unknown, path: string, form: RegExp): string {
  if (typeof value !== 'string') throw new DefinitionError(`${path}: must be a string`);
  if (!form.test(value)) throw new DefinitionError(`${path}: ${JSON.stringify(value)} is not a valid name`);
  return value;
}

/** Reads a definition, of a file or of a server. Throws a DefinitionError that names the field. */
export function readDefinition(object: JsonObject): Definition {
  const apiVersion = asText(object['apiVersion']);
  const naming = namings.find((one) => apiVersion.startsWith(`${namesFor(one).group('apiextensions')}/`));
  if (naming === undefined)
    throw new DefinitionError(`apiVersion: ${JSON.stringify(apiVersion)} is not a version of definitions`);
  const spec = objectAt(object, 'spec');
  const names = objectAt(spec, 'names');
  const group = nameIn(spec['group'], 'spec.group', groupForm);
  const plural = nameIn(names['plural'], 'spec.names.plural', labelForm);
  return {
    name: `${plural}.${group}`,
    naming,
    group,
    kind: nameIn(names['kind'], 'spec.names.kind', kindForm),
    plural,
    namespaced: spec['scope'] !== 'Cluster',
    versions: versionsOf(spec, naming, apiVersion.endsWith('/v1beta1')),
  };
}

/** The served versions, in the order of the definition. In the first version of the API they may share a schema. */
function versionsOf(spec: JsonObject, naming: Naming, isOld: boolean): readonly DefinedVersion[] {
  const single = asText(spec['version']);
  const listed = asObjects(spec['versions']);
  const versions = listed.length === 0 && single !== '' ? [{ name: single, served: true }] : listed;
  const served = versions.filter((version: JsonObject) => version['served'] !== false);
  if (served.length === 0) throw new DefinitionError('spec.versions: must have a version that is served');
  const shared = isJsonObject(spec['validation']) ? spec['validation'] : {};
  const preserves = spec['preserveUnknownFields'] ?? isOld;
  return served.map((version: JsonObject, i) => {
    const name = nameIn(version['name'], `spec.versions[${i}].name`, labelForm);
    const validation = isJsonObject(version['schema']) ? version['schema'] : shared;
    const schema = validation['openAPIV3Schema'] ?? {};
    checkSchema(schema, `spec.versions[${i}].schema.openAPIV3Schema`);
    const open = { [namesFor(naming).schemaExtensions.preserveUnknownFields]: true };
    const isDeprecated = version['deprecated'] === true;
    return { name, schema: preserves === true ? { ...schema, ...open } : schema, isDeprecated };
  });
}

const types: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);

/** Throws for a value that is not a schema; the error names its field. */
function checkSchema(schema: unknown, path: string): asserts schema is JsonObject {
  if (!isJsonObject(schema)) throw new DefinitionError(`${path}: must be an object`);
  const { type, properties, additionalProperties: others } = schema;
  if ((type ?? '') !== '' && !types.has(type))
    throw new DefinitionError(`${path}.type: must be one of ${[...types].join(', ')}`);
  if (isPresent(properties) && !isJsonObject(properties))
    throw new DefinitionError(`${path}.properties: must be an object`);
  for (const [name, property] of Object.entries(properties ?? {}))
    checkSchema(property, `${path}.properties.${name}`);
  if (typeof others === 'object' && others !== null) checkSchema(others, `${path}.additionalProperties`);
  for (const field of ['items', 'not'])
    if (isPresent(schema[field])) checkSchema(schema[field], `${path}.${field}`);
  for (const field of ['allOf', 'anyOf', 'oneOf'])
    for (const [i, one] of asList(schema[field]).entries()) checkSchema(one, `${path}.${field}[${i}]`);
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
