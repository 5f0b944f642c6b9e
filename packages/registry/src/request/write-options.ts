import { errors, type FieldError, fieldError, type Names } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import {
  type ApiRequest,
  emptyQuery,
  optionalBoolean,
  type Query,
  queryValue,
  type ResourceRequest,
} from '@orch/request';
import type { RequestPath } from '../context/paths.ts';
import { managerOfAgent, type Writer } from '../convert/ownership.ts';
import { queryOf } from './reply.ts';

/** Query options of requests that write (spec 4.3, 4.8). */
export interface WriteOptions {
  /** The write is admitted and validated, but not stored. */
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
}

/** The context for parsing options. */
export type OptionsContext = Pick<RequestPath, 'names' | 'features'>;

export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/** Without parameters, in releases with and without validation of fields. */
const validating: WriteOptions = Object.freeze({ dryRun: false, fieldManager: '', fieldValidation: 'Warn' });
const plain: WriteOptions = Object.freeze({ ...validating, fieldValidation: 'Ignore' });

const MAX_FIELD_MANAGER = 128;

/** Reads and checks the options; 422 names the options kind. */
export function writeOptions(query: Query, kind: OptionsKind, context: OptionsContext): WriteOptions {
  const forced = kind === 'PatchOptions' && optionalBoolean(query, 'force') !== undefined;
  const problems = forced ? [fieldError.forbidden('force', 'it may only be set for apply')] : [];
  return readOptions(query, context, { kind, problems });
}

export interface ApplyOptions extends WriteOptions {
  /** Takes over fields that other managers own, instead of failing. */
  readonly force: boolean;
}

/** The options of an apply (spec 4.3, 4.9), which must name its manager. */
export function applyOptions(query: Query, context: OptionsContext): ApplyOptions {
  const isNamed = (query.get('fieldManager') ?? '') !== '';
  const problems = isNamed ? [] : [fieldError.required('fieldManager', 'an apply must name its manager')];
  const options = readOptions(query, context, { kind: 'PatchOptions', problems });
  return { ...options, force: optionalBoolean(query, 'force') ?? false };
}

interface OptionsCheck {
  readonly kind: OptionsKind;
  /** Errors that were found before. */
  readonly problems: readonly FieldError[];
}

function readOptions(
  query: Query,
  { names, features }: OptionsContext,
  { kind, problems }: OptionsCheck,
): WriteOptions {
  const validates = features.fieldValidation;
  if (query === emptyQuery && problems.length === 0) return validates ? validating : plain;
  const fieldValidation = validates ? (query.get('fieldValidation') ?? '') : '';
  const fieldManager = query.get('fieldManager') ?? '';
  const all = [
    ...dryRunProblems(query.all('dryRun')),
    ...managerProblems(fieldManager),
    ...validationProblems(fieldValidation),
    ...problems,
  ];
  refuseOptions(all, kind, names);
  return {
    dryRun: isDryRun(query.all('dryRun')),
    fieldManager,
    fieldValidation: fieldValidation === '' ? (validates ? 'Warn' : 'Ignore') : (fieldValidation as 'Warn'),
  };
}

/** The field manager that the request names, else the one derived from its user agent. */
export const writerOf = (
  request: ApiRequest,
  { subresource }: Pick<ResourceRequest, 'subresource'>,
  { fieldManager }: Pick<WriteOptions, 'fieldManager'>,
): Writer => ({
  manager: fieldManager === '' ? managerOfAgent(request.headers['user-agent']) : fieldManager,
  subresource,
});

/** As the manager of `writerOf`, of a request whose options were checked before. */
export function managerOf({ headers, rawQuery }: Pick<ApiRequest, 'headers' | 'rawQuery'>): string {
  const named = rawQuery.includes('fieldManager') ? (queryValue(rawQuery, 'fieldManager') ?? '') : '';
  return named === '' ? managerOfAgent(headers['user-agent']) : named;
}

export function refuseOptions(problems: readonly FieldError[], kind: OptionsKind, names: Names): void {
  if (problems.length > 0) throw errors.invalid({ group: names.group('meta'), kind }, problems);
}

export const isDryRun = (values: readonly string[]): boolean => values.includes('All');

export function dryRunProblems(values: readonly string[]): readonly FieldError[] {
  return values.every((value) => value === '' || value === 'All')
    ? []
    : [fieldError.notSupported('dryRun', values, ['All'])];
}

function managerProblems(manager: string): readonly FieldError[] {
  if (Buffer.byteLength(manager) > MAX_FIELD_MANAGER)
    return [fieldError.tooLong('fieldManager', MAX_FIELD_MANAGER)];
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(manager)
    ? []
    : [fieldError.invalid('fieldManager', manager, 'it should only contain printable characters')];
}

function validationProblems(value: string): readonly FieldError[] {
  return ['', 'Ignore', 'Warn', 'Strict'].includes(value)
    ? []
    : [fieldError.notSupported('fieldValidation', value, ['Ignore', 'Warn', 'Strict'])];
}

/** The options of a request as an object of their kind, for admission plugins; created on demand. */
export type OptionsObject = () => JsonObject | undefined;

/** The type of an options object. */
export const optionsTypeMeta = (kind: string, names: Names): JsonObject => ({
  kind,
  apiVersion: names.apiVersion('meta', 'v1'),
});

/** The options in the query of a request that creates or changes an object. A patch has those of an update. */
export const writeOptionsObject =
  (kind: 'CreateOptions' | 'UpdateOptions', request: ApiRequest, names: Names): OptionsObject =>
  () => {
    const query = queryOf(request);
    const dryRun = query.all('dryRun').filter((value) => value !== '');
    const text = (name: string): JsonObject => {
      const value = query.get(name) ?? '';
      return value === '' ? {} : { [name]: value };
    };
    return {
      ...optionsTypeMeta(kind, names),
      ...(dryRun.length === 0 ? {} : { dryRun }),
      ...text('fieldManager'),
      ...text('fieldValidation'),
    };
  };
