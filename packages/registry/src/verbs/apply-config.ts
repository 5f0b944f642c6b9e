import { atLeast } from '@orch/apis';
import {
  type Applied,
  type ApplyResult,
  applyConfig,
  conflictCauses,
  conflictMessage,
  type RawEntry,
  type Refused,
} from '@orch/apply';
import {
  type ApiObject,
  errors,
  formatTime,
  isJsonObject,
  jsonEquals,
  messageWithoutValue,
} from '@orch/machinery';
import { entriesOf, type OwnersAfter, type Writer } from '../convert/ownership.ts';
import { type ExpectedKind, parseBody } from '../request/body.ts';
import { strictError, unreadable } from '../request/decode-object.ts';
import type { ApplyOptions } from '../request/write-options.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import { type StoredResource, subjectOf } from '../resource/served-resource.ts';
import type { Change, Current } from '../write/change-object.ts';
import { checkName, checkNamespace, staleVersion, uidConflict } from '../write/object-meta.ts';
import { type Updating, updated } from '../write/update-object.ts';

/** A configuration that a client applies, as it was sent: neither decoded nor defaulted. */
export interface SentConfig {
  readonly config: Readonly<Record<string, unknown>>;
  /** Members that it says twice. */
  readonly warnings: readonly string[];
}

const OPENING_BRACE = 0x7b;

/** Reads the body of an apply: YAML, of which JSON is a part that is read faster (400). */
export function readConfig(
  bytes: Buffer,
  { kind }: ExpectedKind,
  { fieldValidation }: Pick<ApplyOptions, 'fieldValidation'>,
): SentConfig {
  const { value, duplicates } = parsed(bytes, fieldValidation !== 'Ignore');
  if (!isJsonObject(value))
    throw errors.malformedRequest(`an applied configuration must be an object of kind ${kind}`);
  for (const member of ['kind', 'apiVersion']) {
    if (typeof value[member] !== 'string' || value[member] === '')
      throw errors.malformedRequest(`an applied configuration must have a ${member}`);
  }
  if (value['kind'] !== kind)
    throw errors.badRequest(
      `the applied configuration is of kind ${JSON.stringify(value['kind']).slice(0, 100)}, this path takes ${JSON.stringify(kind)}`,
      `the applied configuration is of another kind, this path takes ${JSON.stringify(kind)}`,
    );
  const warnings = duplicates.map((field) => `duplicate field ${JSON.stringify(field)}`);
  if (fieldValidation === 'Strict' && warnings.length > 0) throw strictError(warnings);
  return { config: value, warnings };
}

function parsed(bytes: Buffer, reportDuplicates: boolean): ReturnType<typeof parseBody> {
  if (bytes[0] !== OPENING_BRACE) return parseBody(bytes, 'application/yaml', reportDuplicates);
  try {
    return parseBody(bytes, 'application/json', reportDuplicates);
  } catch {
    // What begins like JSON may go on like YAML; if it is neither, the message is about YAML.
    return parseBody(bytes, 'application/yaml', reportDuplicates);
  }
}

/** One apply: what is applied, by whom, and how. */
export interface Applying {
  readonly sent: SentConfig;
  readonly writer: Writer;
  readonly options: ApplyOptions;
  readonly namespace: string;
  readonly name: string;
}

/** An object after an apply: decoded and defaulted, in the version of the client. */
export interface AppliedObject {
  readonly object: ApiObject;
  readonly owners: readonly RawEntry[];
}

/** The release from which unknown members are left out, where the client does not mind. */
const DROPS_UNKNOWN_SINCE = '1.25';

/** Carries out an apply on an object in the version of the client; undefined for one that is to be created. */
export function applied(
  context: RegistryContext,
  resource: StoredResource,
  { sent, writer, options }: Applying,
  live: ApiObject | undefined,
): Applied {
  const { names, release, env } = context;
  const { ownership, apiVersion } = resource;
  const drops = atLeast(release, DROPS_UNKNOWN_SINCE) && options.fieldValidation !== 'Strict';
  const result = applyConfig({
    versions: ownership.versions,
    apiVersion,
    manager: writer.manager,
    subresource: ownership.subresourceOf(writer),
    resetFields: ownership.resetFields(writer.subresource),
    now: formatTime(env.clock.now()),
    force: options.force,
    unknownFields: drops ? 'drop' : 'refuse',
    live,
    config: sent.config,
    ...(writer.manager === names.programs.ctl
      ? { lastAppliedAnnotation: names.annotations.lastApplied }
      : {}),
  });
  return successOf(result, sent, options);
}

function successOf(result: ApplyResult, { config }: SentConfig, { fieldValidation }: ApplyOptions): Applied {
  switch (result.kind) {
    case 'applied':
      return result;
    case 'conflict':
      throw errors.applyConflict(conflictMessage(result.conflicts), conflictCauses(result.conflicts));
    case 'refused': {
      const { reason, unknown, message } = result;
      if (reason === 'fields' && result.errors.length === 0 && fieldValidation === 'Strict')
        throw strictError(unknown.map((field) => `unknown field ${JSON.stringify(field)}`));
      if (reason === 'version') throw errors.wrongApiVersion(message, { unrecognized: apiVersionOf(config) });
      throw errors.badRequest(message, reason === 'fields' ? fieldsWithoutValues(result) : undefined);
    }
  }
}

const apiVersionOf = ({ apiVersion }: SentConfig['config']): string =>
  typeof apiVersion === 'string' ? apiVersion : '';

/** What is wrong with the fields of a configuration, for an object that holds credentials. */
function fieldsWithoutValues({ errors: wrong, unknown }: Refused): string {
  const texts = [
    ...wrong.map((error) => `${error.field}: ${messageWithoutValue(error)}`),
    ...unknown.map((field) => `${field}: field not declared in schema`),
  ];
  return `the applied configuration does not fit its kind: ${texts.join(', ')}`;
}

/** What there is to say about an apply that went well. */
export const remarksOf = (
  { sent, options }: Pick<Applying, 'sent' | 'options'>,
  unknown: readonly string[],
): readonly string[] =>
  options.fieldValidation === 'Warn'
    ? [...unknown.map((field) => `unknown field ${JSON.stringify(field)}`), ...sent.warnings]
    : [];

/** Decodes what an apply led to, with the defaults of fields that were dropped (400). */
export function decodeApplied(
  resource: StoredResource,
  { object, managedFields }: Applied,
  { namespace, name }: Pick<Applying, 'namespace' | 'name'>,
  live: ApiObject | undefined,
): AppliedObject & Pick<Updating, 'codec'> {
  const { codec, finish } = live === undefined ? { codec: resource.codec } : resource.codecs.over(live);
  const { managedFields: _owners, ...metadata } = object['metadata'] as ApiObject['metadata'];
  const typeMeta = { kind: resource.type.kind, apiVersion: resource.apiVersion };
  const { value, problems } = codec.decode({ ...object, metadata }, { defaults: true, typeMeta });
  const wrong = problems.find((problem) => problem.kind === 'type');
  if (wrong !== undefined)
    throw unreadable(`the applied configuration cannot be read as ${typeMeta.kind}`, [wrong]);
  finish?.(value);
  checkName(value, name);
  checkNamespace(value, resource, namespace);
  return { object: value, owners: managedFields, codec };
}

/** Decides on an apply to an object that is there. */
export function decideApply(
  context: RegistryContext,
  resource: StoredResource,
  {
    current,
    applying,
    told,
  }: { readonly current: Current; readonly applying: Applying; readonly told: Told },
  { user, rules }: Pick<Updating, 'user' | 'rules'>,
): Change {
  checkIdentity(resource, applying, current);
  // An apply leaves the object as it is: it may share what it has with the stored one.
  const live = resource.form.lower(current.object);
  const result = applied(context, resource, applying, live);
  told(result.unknown);
  if (!result.changed) return { kind: 'keep' };
  const { object, owners, codec } = decodeApplied(resource, result, applying, live);
  return updated(context, resource, current, {
    sent: object,
    codec,
    user,
    rules,
    owners: ownersApplied(owners),
  });
}

/** Is given the paths of members that were left out. */
export type Told = (unknown: readonly string[]) => void;

/** Which object a configuration is for, where it says so: its uid, and its version (409). */
function checkIdentity(
  resource: StoredResource,
  { sent, name, namespace }: Applying,
  { object, rev }: Current,
): void {
  const { uid, resourceVersion } = identityOf(sent, { resource, name, namespace });
  if (uid !== '' && uid !== object.metadata.uid)
    throw uidConflict(subjectOf(resource, name), uid, object.metadata.uid);
  if (resourceVersion !== '' && resourceVersion !== '0' && resourceVersion !== String(rev))
    throw staleVersion(resource, name);
}

/** The identity that a configuration claims; 400 when it is that of another path, or cannot be read. */
export function identityOf(
  { config }: SentConfig,
  { resource, name, namespace }: Pick<Applying, 'name' | 'namespace'> & { readonly resource: StoredResource },
): { readonly uid: string; readonly resourceVersion: string } {
  const metadata = isJsonObject(config['metadata']) ? config['metadata'] : {};
  const text = (member: string): string => {
    const value = metadata[member] ?? '';
    if (typeof value === 'string') return value;
    throw errors.malformedRequest(`metadata.${member} of the applied configuration must be a string`);
  };
  const claimed: ApiObject = { metadata: { name: text('name'), namespace: text('namespace') } };
  checkName(claimed, name);
  checkNamespace(claimed, resource, namespace);
  return { uid: text('uid'), resourceVersion: text('resourceVersion') };
}

/**
 * The owners after an apply. Where the kind has undone all that the apply did, nothing changed after all, and no time
 * moves on.
 */
const ownersApplied =
  (owners: readonly RawEntry[]): OwnersAfter =>
  (next, old) => {
    const before = entriesOf(old.metadata);
    return jsonEquals(owners.map(timeless), before.map(timeless)) && jsonEquals(content(next), content(old))
      ? before
      : owners;
  };

const timeless = ({ time: _time, ...entry }: RawEntry): RawEntry => entry;

function content({ metadata, ...object }: ApiObject): object {
  const { managedFields: _owners, resourceVersion: _version, ...rest } = metadata;
  return { ...object, metadata: rest };
}
