import type { Work } from '@orch/machinery/concurrency';
import { isJsonObject, type MutableJsonObject } from '@orch/machinery/json';
import { emptySet } from '../fields/field-set.ts';
import type { ObjectShapes } from '../shape/shapes.ts';
import { checkConfig, checkingConfig } from '../typed/check-config.ts';
import { withoutFields } from '../typed/remove.ts';
import { own } from '../values/own.ts';
import type { ApplyInput, Refused } from './apply-result.ts';
import { managedFieldsOf } from './encode.ts';

/** A configuration that can be applied: without fields that this way of writing leaves alone. */
export interface ReadConfig {
  readonly config: MutableJsonObject;
}

const refused = (reason: Refused['reason'], message: string, rest: Partial<Refused> = {}): Refused => ({
  kind: 'refused',
  reason,
  message,
  errors: [],
  unknown: [],
  ...rest,
});

/** The fields of `metadata` that a new object takes from the configuration and that have no owner. */
const identity: readonly string[] = ['name', 'namespace'];

/** A configuration that becomes an object has nothing that only the server gives. */
function asNewObject(config: MutableJsonObject, shapes: ObjectShapes): MutableJsonObject {
  const metadata = shapes.root.fields.get('metadata')?.shape;
  const given = own(config, 'metadata');
  if (metadata?.kind !== 'struct' || !isJsonObject(given)) return config;
  const kept = Object.entries(given).filter(
    ([name]) => identity.includes(name) || metadata.fields.get(name)?.shape.kind !== 'ignored',
  );
  return { ...config, metadata: Object.fromEntries(kept) };
}

/** Checks the type and metadata of an applied configuration; undefined when nothing is wrong (spec 4.9 rule 2). */
export function refuseHead({ config, apiVersion, live }: ApplyInput): Refused | undefined {
  if (!isJsonObject(config)) return refused('malformed', 'an applied configuration must be an object');
  // The path names an object that exists.
  const isNamed = live !== undefined && own(config, 'metadata') === undefined;
  if (!isNamed && !isJsonObject(own(config, 'metadata')))
    return refused('malformed', 'an applied configuration must have metadata');
  const sent = managedFieldsOf(config);
  if (sent !== undefined && sent !== null) {
    return refused('managedFields', 'metadata.managedFields must not be set in an applied configuration');
  }
  const version = own(config, 'apiVersion');
  if (version === apiVersion) return undefined;
  const got = JSON.stringify(version) ?? 'none';
  return refused(
    'version',
    `the applied configuration is of version ${got}, expected ${JSON.stringify(apiVersion)}`,
  );
}

/** Reads the fields of an applied configuration, whose head has been checked: in pieces if the objects are large. */
export function* readingConfig(input: ApplyInput, shapes: ObjectShapes): Work<ReadConfig | Refused> {
  const { live, resetFields = emptySet, isLarge = false } = input;
  const sent = input.config as MutableJsonObject;
  const checked = isLarge ? yield* checkingConfig(sent, shapes.root) : checkConfig(sent, shapes.root);
  const { config, errors, unknown } = checked;
  if (errors.length > 0 || unknown.length > 0) {
    return refused('fields', fieldsMessage(errors, unknown), { errors, unknown });
  }
  return { config: live === undefined ? asNewObject(config, shapes) : withoutFields(config, resetFields) };
}

function fieldsMessage(errors: Refused['errors'], unknown: readonly string[]): string {
  const wrong = errors.map(({ field, message }) => `${field}: ${message}`);
  const strange = unknown.map((field) => `${field}: field not declared in schema`);
  return `the applied configuration does not match its kind: ${[...wrong, ...strange].join(', ')}`;
}
