import {
  type Applied,
  type ApplyResult,
  applyingConfig,
  conflictCauses,
  conflictMessage,
  type RawEntry,
  type Refused,
} from '@orch/apply';
import { type ApiObject, errors, messageWithoutValue } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { hasManyParts, isJsonObject, jsonEquals } from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';
import type { WritePath } from '../context/paths.ts';
import { refuseOversized } from '../convert/decoding.ts';
import { entriesOf, type OwnersAfter, type Writer } from '../convert/ownership.ts';
import { fromHubInTurns } from '../convert/version-converter.ts';
import type { SentConfig } from '../request/applied-config.ts';
import { unreadable } from '../request/decode-object.ts';
import { addWarnings } from '../request/reply.ts';
import type { ApplyOptions } from '../request/write-options.ts';
import { type StoredResource, subjectOf } from '../resource/served-resource.ts';
import type { Current, Decision } from './change.ts';
import { checkName, checkNamespace, staleVersion, uidConflict } from './rules/object-meta.ts';
import { strategyContextOf } from './rules/validate-object.ts';
import { type Updating, updated } from './update-object.ts';

/** The configuration of an apply, its field manager and its options. */
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

/** Merges a configuration, in pieces, into an object in the version of the client; `live` is undefined when the object does not exist. */
export function* mergingConfig(
  path: WritePath,
  resource: StoredResource,
  { sent, writer, options }: Applying,
  live: ApiObject | undefined,
): Work<Applied> {
  const { names, env } = path;
  const { ownership, apiVersion } = resource;
  const result = yield* applyingConfig({
    versions: ownership.versions,
    apiVersion,
    manager: writer.manager,
    subresource: ownership.subresourceOf(writer),
    resetFields: ownership.resetFields(writer.subresource),
    now: formatTime(env.clock.now()),
    force: options.force,
    live,
    config: sent.config,
    isLarge: hasManyParts(sent.config) || hasManyParts(live),
    ...(writer.manager === names.programs.ctl
      ? { lastAppliedAnnotation: names.annotations.lastApplied }
      : {}),
  });
  return successOf(result, sent);
}

function successOf(result: ApplyResult, { config }: SentConfig): Applied {
  switch (result.kind) {
    case 'applied':
      return result;
    case 'conflict':
      throw errors.applyConflict(conflictMessage(result.conflicts), conflictCauses(result.conflicts));
    case 'refused': {
      const { reason, message } = result;
      if (reason === 'version') throw errors.wrongApiVersion(message, { unrecognized: apiVersionOf(config) });
      throw errors.badRequest(message, reason === 'fields' ? fieldsWithoutValues(result) : undefined);
    }
  }
}

const apiVersionOf = ({ apiVersion }: SentConfig['config']): string =>
  typeof apiVersion === 'string' ? apiVersion : '';

/** The field errors of a configuration without values, for kinds that hold credentials. */
function fieldsWithoutValues({ errors: wrong, unknown }: Refused): string {
  const texts = [
    ...wrong.map((error) => `${error.field}: ${messageWithoutValue(error)}`),
    ...unknown.map((field) => `${field}: field not declared in schema`),
  ];
  return `the applied configuration does not match its kind: ${texts.join(', ')}`;
}

/** Decodes the result of an apply, with the defaults of fields that were removed (400). In pieces. */
export function* decodeApplied(
  resource: StoredResource,
  { object, managedFields }: Applied,
  { namespace, name }: Pick<Applying, 'namespace' | 'name'>,
  live: ApiObject | undefined,
): Work<AppliedObject & Pick<Updating, 'codec'>> {
  const { codec, finish } =
    live === undefined ? { codec: resource.codec } : resource.codecs.forUpdateOf(live);
  const { managedFields: _owners, ...metadata } = object['metadata'] as ApiObject['metadata'];
  const typeMeta = { kind: resource.type.kind, apiVersion: resource.apiVersion };
  const options = { defaults: true, typeMeta };
  const { value, problems } = yield* codec.decodeInPieces({ ...object, metadata }, options);
  const wrong = problems.find((problem) => problem.kind === 'type');
  if (wrong !== undefined)
    throw unreadable(`the applied configuration cannot be read as ${typeMeta.kind}`, [wrong]);
  refuseOversized(problems, typeMeta.kind);
  finish?.(value);
  checkName(value, name);
  checkNamespace(value, resource, namespace);
  return { object: value, owners: managedFields, codec };
}

/** Decides on an apply to an existing object. */
export async function decideApply(
  path: WritePath,
  resource: StoredResource,
  current: Current,
  { applying, user, rules, trace }: ApplyDecision,
): Promise<Decision> {
  checkIdentity(resource, applying, current);
  // Merging does not modify the object: it may share values with the stored one.
  const live = await fromHubInTurns(path, resource.converter, current.object);
  const run = <T>(work: Work<T>): T | Promise<T> => (current.isLarge ? path.turns.run(work) : atOnce(work));
  const result = await run(mergingConfig(path, resource, applying, live));
  if (!result.changed && !current.mutates) {
    const { object } = current;
    if (rules.warnings !== undefined)
      addWarnings(trace, rules.warnings(object, object, strategyContextOf(path, resource, user)));
    return { kind: 'keep' };
  }
  const { object, owners, codec } = await run(decodeApplied(resource, result, applying, live));
  return updated(path, resource, current, {
    sent: object,
    codec,
    user,
    rules,
    owners: ownersApplied(owners),
    trace,
  });
}

export interface ApplyDecision extends Pick<Updating, 'user' | 'rules' | 'trace'> {
  readonly applying: Applying;
}

/** Checks the uid and the resourceVersion of a configuration, where it has them (409). */
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

/** The uid and the resourceVersion in a configuration; 400 when its name or namespace is not that of the path. */
export function identityOf(
  { config }: SentConfig,
  { resource, name, namespace }: Pick<Applying, 'name' | 'namespace'> & { readonly resource: StoredResource },
): { readonly uid: string; readonly resourceVersion: string } {
  const metadata = isJsonObject(config['metadata']) ? config['metadata'] : {};
  const text = (field: string): string => {
    const value = metadata[field] ?? '';
    if (typeof value === 'string') return value;
    throw errors.malformedRequest(`metadata.${field} of the applied configuration must be a string`);
  };
  const named: ApiObject = { metadata: { name: text('name'), namespace: text('namespace') } };
  checkName(named, name);
  checkNamespace(named, resource, namespace);
  return { uid: text('uid'), resourceVersion: text('resourceVersion') };
}

/** The owners after an apply, with the former times when the kind's strategy has undone all of its changes. */
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
