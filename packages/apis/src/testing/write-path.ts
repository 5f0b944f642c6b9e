import { type ApiObject, type FieldError, type Names, namesFor, type ObjectMeta } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { validateObjectMeta } from '@orch/machinery/object-meta';
import { type Codec, codecCompiler, type DecodeProblem, type Lens, type StructSchema } from '@orch/schema';
import {
  DEFAULT_EMULATED_RELEASE,
  defaultedIn,
  fieldServedIn,
  omittedWhereEmpty,
  type Release,
  typeIn,
  typesAt,
} from '../lifecycle.ts';
import type { KindVersion, ResourceType, StrategyContext } from '../resource-type.ts';

/** The result of a write. */
export interface Written {
  /** In the hub version. */
  readonly object: ApiObject;
  readonly problems: readonly DecodeProblem[];
  readonly errors: readonly FieldError[];
  /** About a valid object. */
  readonly warnings: readonly string[];
}

/** Writes through schema and strategy as in the server, without server, admission and store. */
export interface WritePath {
  readonly names: Names;
  readonly context: StrategyContext;
  codec(type: ResourceType): Codec;
  create(type: ResourceType, input: unknown): Written;
  /**
   * `through` names a subresource that returns the object itself. `stored` is in the hub version, `input` in the
   * client's.
   */
  update(type: ResourceType, stored: ApiObject, input: unknown, through?: string): Written;
  /** An object of the hub version as the client reads it. */
  show(type: ResourceType, stored: ApiObject): ApiObject;
}

export interface WritePathOptions {
  /**
   * The version that clients use, with the key of its group (`extensions/v1beta1`); the hub where a resource does not
   * have it.
   */
  readonly version?: string;
  readonly user?: StrategyContext['user'];
  readonly openGates?: ReadonlySet<string>;
}

const stopped = (object: ApiObject, problems: readonly DecodeProblem[]): Written => ({
  object,
  problems,
  errors: [],
  warnings: [],
});

/** Restores the fields that a client cannot write. */
function restoreMetadata(next: ObjectMeta, old: ObjectMeta): void {
  next.creationTimestamp = old.creationTimestamp ?? null;
  if (old.generation === undefined) delete next.generation;
  else next.generation = old.generation;
}

const requestVersionOf = (type: ResourceType, { group = type.group, version }: KindVersion): string =>
  group === '' ? version : `${group}/${version}`;

/** One kind in the version of the client: its codec, and the conversions to the hub and back. */
interface ClientVersion {
  readonly requestVersion: string;
  readonly codec: Codec;
  /** The type with what differs in the version. */
  typeIn(type: ResourceType): ResourceType;
  toHub(object: ApiObject): ApiObject;
  fromHub(object: ApiObject): ApiObject;
}

/** A write path of one naming and release. */
export function writePath(
  names: Names = namesFor('orch'),
  release: Release = DEFAULT_EMULATED_RELEASE,
  options: WritePathOptions = {},
): WritePath {
  const quiet = omittedWhereEmpty(release);
  const includes = fieldServedIn(release, options.openGates);
  const compiler = codecCompiler(names, { includes, quiet, defaults: defaultedIn(release) });
  const whole = codecCompiler(names, { quiet });
  const context: StrategyContext = {
    names,
    now: '2024-05-06T07:08:09Z',
    requestVersion: options.version ?? 'v1',
    since: (since, gate) => includes({ since, ...(gate === undefined ? {} : { gate }) }),
    user: options.user ?? { name: 'tester', groups: [] },
    uuid: () => '00000000-0000-4000-8000-000000000001',
  };
  const hubOf = ({ versions: [hub], resource }: ResourceType): KindVersion => {
    if (hub === undefined) throw new TypeError(`${resource} has no version`);
    return hub;
  };
  /** The type with what differs in the release, unless it is that of a release already. */
  const inRelease = (type: ResourceType): ResourceType =>
    'served' in type ? type : (typesAt(release, [type], () => true)[0] ?? type);
  const codec = (type: ResourceType): Codec => compiler.compile(hubOf(type).schema);
  const clientVersionOf = (type: ResourceType): ClientVersion => {
    const hub = hubOf(type);
    const version = type.versions.find((one) => requestVersionOf(type, one) === options.version) ?? hub;
    const through = (lens: Lens['toHub'], schema: StructSchema, object: ApiObject): ApiObject => {
      const copy = cloneJson(object);
      lens(copy, { names, root: copy });
      return whole.compile(schema).decode(copy).value;
    };
    const { lens } = version;
    return {
      requestVersion: requestVersionOf(type, version),
      codec: compiler.compile(version.schema),
      typeIn: (served) => typeIn(served, version),
      toHub: (object) => (lens === undefined ? object : through(lens.toHub, hub.schema, object)),
      fromHub: (object) => (lens === undefined ? object : through(lens.fromHub, version.schema, object)),
    };
  };
  const metadataErrors = (type: ResourceType, meta: ObjectMeta, old?: ObjectMeta): readonly FieldError[] =>
    validateObjectMeta(meta, {
      namespaced: type.namespaced,
      nameFormat: type.nameFormat,
      ...(type.maxNameLength === undefined ? {} : { maxNameLength: type.maxNameLength }),
      unqualifiedFinalizers: type.unqualifiedFinalizers === true,
      names,
      since: codec(type).since,
      ...(old === undefined ? {} : { old }),
    });
  return {
    names,
    context,
    codec,
    show(type, stored) {
      const client = clientVersionOf(type);
      return client.codec.decode(client.fromHub(cloneJson(stored))).value;
    },
    create(type, input) {
      const client = clientVersionOf(type);
      const { value: sent, problems } = client.codec.decode(input, { defaults: true });
      const value = client.toHub(sent);
      if (problems.length > 0) return stopped(value, problems);
      const served = client.typeIn(inRelease(type));
      const { strategy } = served;
      const noted: string[] = [];
      const warn = (text: string): void => void noted.push(text);
      const strategist = { ...context, requestVersion: client.requestVersion, warn };
      const { metadata } = value;
      if (type.namespaced) metadata.namespace ??= 'm';
      if (metadata.name === undefined && metadata.generateName !== undefined) {
        metadata.name = `${metadata.generateName}x7k2p`;
      }
      metadata.creationTimestamp = context.now;
      strategy.prepareForCreate?.(value, strategist);
      const ofKind = [
        ...client.codec.validate(client.fromHub(value)),
        ...(strategy.validate?.(value, undefined, strategist) ?? []),
      ];
      const isLast = served.checksMetadataLast === true && ofKind.length > 0;
      const errors = isLast ? ofKind : [...metadataErrors(served, value.metadata), ...ofKind];
      if (errors.length > 0) return { object: value, problems, errors, warnings: [] };
      const warnings = [...noted, ...(strategy.warnings?.(value, undefined, strategist) ?? [])];
      strategy.canonicalize?.(value, strategist);
      return { object: value, problems, errors, warnings };
    },
    update(type, stored, input, through) {
      const client = clientVersionOf(type);
      const old = cloneJson(stored);
      const { value: sent, problems } = client.codec.decode(input, { defaults: true });
      const value = client.toHub(sent);
      if (problems.length > 0) return stopped(value, problems);
      restoreMetadata(value.metadata, old.metadata);
      const served = client.typeIn(inRelease(type));
      const { strategy } = served;
      const strategist = { ...context, requestVersion: client.requestVersion };
      const rules = through === undefined ? strategy : strategy.through?.[through];
      rules?.prepareForUpdate?.(value, old, strategist);
      const errors = [
        ...metadataErrors(served, value.metadata, old.metadata),
        ...client.codec.validate(client.fromHub(value), client.fromHub(old)),
        ...(rules?.validate?.(value, old, strategist) ?? []),
      ];
      if (errors.length > 0) return { object: value, problems, errors, warnings: [] };
      const warnings = rules?.warnings?.(value, old, strategist) ?? [];
      strategy.canonicalize?.(value, strategist);
      return { object: value, problems, errors, warnings };
    },
  };
}
