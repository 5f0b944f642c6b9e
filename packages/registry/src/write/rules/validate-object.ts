import type { StrategyContext } from '@orch/apis';
import { type ApiObject, errors, type FieldError, type Names } from '@orch/machinery';
import type { Turns, Work } from '@orch/machinery/concurrency';
import { cloneJson, hasManyParts } from '@orch/machinery/json';
import { type ObjectMetaRules, validateObjectMeta, validatingObjectMeta } from '@orch/machinery/object-meta';
import { formatTime } from '@orch/machinery/time';
import type { UserInfo } from '@orch/request';
import type { Codec, PostponedChecks } from '@orch/schema';
import type { WritePath } from '../../context/paths.ts';
import { fromHubInTurns, toHubInTurns } from '../../convert/version-converter.ts';
import { kindSubjectOf, type ServedResource } from '../../resource/served-resource.ts';

/** The context of strategies: the user and version of the request, the time, and random uuids. */
export const strategyContextOf = (
  path: Pick<WritePath, 'names' | 'env'>,
  resource: Pick<ServedResource, 'converter' | 'codec'> & { readonly hooks?: unknown },
  user: UserInfo,
): StrategyContext & { readonly warnings: readonly string[] } => new WriteContext(path, resource, user);

const noWarnings: readonly string[] = [];

/** A class, because an object literal with a getter takes ten times as long to create. */
class WriteContext implements StrategyContext {
  readonly names: Names;
  readonly requestVersion: string;
  readonly since: StrategyContext['since'];
  readonly hasHooks: boolean;
  readonly user: UserInfo;
  readonly #env: WritePath['env'];
  #now: string | undefined;
  #warnings: string[] | undefined;

  constructor(
    { names, env }: Pick<WritePath, 'names' | 'env'>,
    { converter, codec, hooks }: Parameters<typeof strategyContextOf>[1],
    user: UserInfo,
  ) {
    this.names = names;
    this.requestVersion = converter.canonicalVersion;
    this.since = codec.since;
    this.hasHooks = hooks !== undefined;
    this.user = user;
    this.#env = env;
  }

  /** The same for all fields of one write. */
  get now(): string {
    this.#now ??= formatTime(this.#env.clock.now());
    return this.#now;
  }

  uuid(): string {
    return this.#env.random.uuid();
  }

  /** What was warned of while the object was prepared. */
  get warnings(): readonly string[] {
    return this.#warnings ?? noWarnings;
  }

  warn(text: string): void {
    this.#warnings ??= [];
    this.#warnings.push(text);
  }
}

/**
 * The result of a validation in turns; undefined when the stored object does not have the declared types: it is then
 * validated at once.
 */
async function resultOf(
  turns: Turns,
  work: Work<readonly FieldError[]>,
): Promise<readonly FieldError[] | undefined> {
  try {
    return await turns.run(work);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

export interface ObjectToValidate {
  readonly next: ApiObject;
  readonly old?: ApiObject | undefined;
  /** Codec of the validated fields; that of the served fields when absent. */
  readonly codec?: Codec;
  readonly ofKind: () => readonly FieldError[];
  /** As `ofKind`, where it may take long, so that it is done in turns. */
  readonly inTurns: Work<readonly FieldError[]> | undefined;
  /** Each part of the validation waits for a turn. */
  readonly isLarge: boolean;
}

/**
 * Refuses an object that violates a rule of its metadata, its schema in the version of the client, or its kind, in this
 * order (422). `next` and `old` are in the hub version. A promise where a part of the validation waits for a turn.
 */
export function validateObject(
  path: Pick<WritePath, 'names' | 'turns'>,
  resource: ServedResource,
  object: ObjectToValidate,
): void | Promise<void> {
  if (object.isLarge || object.inTurns !== undefined) return validateInTurns(path, resource, object);
  const { next, old, codec = resource.codec, ofKind } = object;
  const { converter } = resource;
  const ofMetadata = validateObjectMeta(next.metadata, metadataRules(resource, path.names, old));
  const ofSchema = validatedBySchema(path.turns, codec, {
    value: converter.fromHub(next),
    old: old === undefined ? undefined : converter.fromHub(old),
    isLarge: false,
  });
  return ofSchema instanceof Promise
    ? ofSchema.then((found) => refuseInvalid(resource, object, [ofMetadata, [...found, ...ofKind()]]))
    : refuseInvalid(resource, object, [ofMetadata, [...ofSchema, ...ofKind()]]);
}

/** Refuses an object with problems. Those of metadata that is checked last are reported only where there are no others. */
function refuseInvalid(
  resource: ServedResource,
  { next, old }: Pick<ObjectToValidate, 'next' | 'old'>,
  [ofMetadata, others]: readonly [readonly FieldError[], readonly FieldError[]],
): void {
  const isLast = resource.type.checksMetadataLast === true && old === undefined && others.length > 0;
  const problems = isLast ? others : [...ofMetadata, ...others];
  if (problems.length > 0) throw errors.invalid(kindSubjectOf(resource, next.metadata.name ?? ''), problems);
}

async function validateInTurns(
  { names, turns }: Pick<WritePath, 'names' | 'turns'>,
  resource: ServedResource,
  object: ObjectToValidate,
): Promise<void> {
  const { next, old, codec = resource.codec, inTurns, ofKind, isLarge } = object;
  const { converter } = resource;
  if (isLarge) await turns.next();
  const found = inTurns === undefined ? undefined : await resultOf(turns, inTurns);
  const rules = metadataRules(resource, names, old);
  const ofMetadata = isLarge
    ? await turns.run(validatingObjectMeta(next.metadata, rules))
    : validateObjectMeta(next.metadata, rules);
  if (isLarge) await turns.next();
  const served = (object: ApiObject): ApiObject | Promise<ApiObject> =>
    isLarge ? fromHubInTurns({ turns }, converter, object) : converter.fromHub(object);
  const value = served(next);
  const oldValue = old === undefined ? undefined : served(old);
  const ofSchema = await validatedBySchema(turns, codec, {
    value: value instanceof Promise ? await value : value,
    old: oldValue instanceof Promise ? await oldValue : oldValue,
    isLarge,
  });
  if (isLarge) await turns.next();
  refuseInvalid(resource, object, [ofMetadata, [...ofSchema, ...(found ?? ofKind())]]);
}

const metadataRules = (
  { type, codec }: ServedResource,
  names: Names,
  old: ApiObject | undefined,
): ObjectMetaRules => ({
  namespaced: type.namespaced,
  nameFormat: type.nameFormat,
  maxNameLength: type.maxNameLength,
  unqualifiedFinalizers: type.unqualifiedFinalizers === true,
  names,
  since: codec.since,
  old: old?.metadata,
});

/** An object whose schema is checked. */
interface SchemaChecked extends Pick<ObjectToValidate, 'old' | 'isLarge'> {
  readonly value: ApiObject;
}

/** The violations of an object's schema. Long checks are done in turns. */
export function validatedBySchema(
  turns: Turns,
  codec: Codec,
  { old, value, isLarge }: SchemaChecked,
): readonly FieldError[] | Promise<readonly FieldError[]> {
  const postponed: PostponedChecks = [];
  const found = codec.validate(value, old, postponed, isLarge);
  return postponed.length === 0 ? found : turns.run(withPostponed(found, postponed));
}

function* withPostponed(
  found: readonly FieldError[],
  postponed: PostponedChecks,
): Work<readonly FieldError[]> {
  let all = found;
  for (const check of postponed) all = [...all, ...(yield* check)];
  return all;
}

export interface SentToHubOptions {
  /** The codec that decoded the object; that of the resource when absent. */
  readonly codec?: Codec;
  /** Restores the part that the write does not change (the status, or all else), in the version of the client. */
  readonly prepare: (object: ApiObject) => void;
}

/**
 * Converts an object that a client sent, which is consumed, to the hub version. Problems that only the sent version has
 * are refused here (422): fields that the hub version does not declare are lost, and the stored object is validated
 * without them.
 */
export function sentToHub(
  { turns }: Pick<WritePath, 'turns'>,
  resource: ServedResource,
  sent: ApiObject,
  { codec = resource.codec, prepare }: SentToHubOptions,
): ApiObject | Promise<ApiObject> {
  return resource.converter.losesFields === true
    ? unlessLost({ turns, resource, codec }, sent, prepare)
    : toHubInTurns({ turns }, resource.converter, sent);
}

interface LossCheck {
  readonly turns: Turns;
  readonly resource: ServedResource;
  readonly codec: Codec;
}

/** The object in the hub version. Rejects with the problems that only the version of the client has. */
async function unlessLost(
  { turns, resource, codec }: LossCheck,
  sent: ApiObject,
  prepare: SentToHubOptions['prepare'],
): Promise<ApiObject> {
  const { converter } = resource;
  const isLarge = hasManyParts(sent);
  if ((await validatedBySchema(turns, codec, { value: sent, isLarge })).length === 0)
    return converter.toHub(sent);
  const { name = '' } = sent.metadata;
  prepare(sent);
  const problems = await validatedBySchema(turns, codec, { value: sent, isLarge });
  const hub = converter.toHub(sent);
  const kept = await validatedBySchema(turns, codec, {
    value: converter.fromHub(cloneJson(hub)),
    isLarge,
  });
  const later = new Set(kept.map((one) => JSON.stringify(one)));
  const lost = problems.filter((one) => !later.has(JSON.stringify(one)));
  if (lost.length > 0) throw errors.invalid(kindSubjectOf(resource, name), lost);
  return hub;
}
