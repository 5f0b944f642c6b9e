import { errors, type FieldError, fieldError, type Names } from '@orch/machinery';
import { exactInteger, isJsonObject, type JsonObject } from '@orch/machinery/json';
import { type ApiRequest, integerParameter, optionalBoolean, type Query } from '@orch/request';
import type { RequestPath } from '../context/paths.ts';
import { readOptionalBody } from './body.ts';
import { IGNORES_READ_ERRORS, ignoresReadErrorsIn, unsafeDeletionProblems } from './unsafe-deletion.ts';
import {
  dryRunProblems,
  isDryRun,
  type OptionsObject,
  optionsTypeMeta,
  refuseOptions,
} from './write-options.ts';

export type Propagation = 'Orphan' | 'Background' | 'Foreground';

/** The options of a deletion (spec 4.10). Absent fields leave the choice to the resource. */
export interface DeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly propagation: Propagation | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly dryRun: boolean;
  /** Also deletes an object that cannot be decrypted. */
  readonly ignoresReadErrors: boolean;
}

export const defaultDeleteOptions: DeleteOptions = Object.freeze({
  gracePeriodSeconds: undefined,
  uid: undefined,
  resourceVersion: undefined,
  propagation: undefined,
  orphanDependents: undefined,
  dryRun: false,
  ignoresReadErrors: false,
});

/** Reads the options of a delete: the body when there is one, else the query; either may request a dry run. */
export async function readDeleteOptions(
  request: ApiRequest,
  query: Query,
  path: RequestPath,
): Promise<DeleteOptions> {
  const body = await readOptionalBody(request, {
    limitBytes: path.limits.bodyBytes,
    protobuf: path.auxiliaryProtobuf('meta', 'v1', 'DeleteOptions'),
    cbor: path.features.cbor,
    turns: path.turns,
    yaml: path.yaml,
  });
  const dryRun = query.all('dryRun');
  refuseOptions(dryRunProblems(dryRun), 'DeleteOptions', path.names);
  if (body === undefined) return checked(fromQuery(query, isDryRun(dryRun)), path.names);
  const options = deleteOptionsOf(body.value, path);
  return isDryRun(dryRun) ? { ...options, dryRun: true } : options;
}

/** Parses options from an untrusted JSON value: 400 for another kind or wrong types, 422 for contradictory values. */
export function deleteOptionsOf(value: unknown, path: RequestPath): DeleteOptions {
  if (!isJsonObject(value))
    throw errors.badRequest('the body of a delete must be an object of kind DeleteOptions');
  const { kind } = value;
  if (kind !== undefined && kind !== '' && kind !== 'DeleteOptions') {
    throw errors.badRequest(
      `the body of a delete must be of kind DeleteOptions, not ${JSON.stringify(kind)}`,
    );
  }
  return decodedOptions(value, path, ignoresReadErrorsIn(value));
}

/** Parses the options within another object, whose kind means nothing there, without that of objects that cannot be read. */
export const nestedDeleteOptions = (value: JsonObject, path: RequestPath): DeleteOptions =>
  decodedOptions(value, path, false);

function decodedOptions(value: JsonObject, path: RequestPath, ignoresReadErrors: boolean): DeleteOptions {
  const { value: decoded, problems } = path.auxiliary('meta', 'v1', 'DeleteOptions').decode(value);
  const wrong = problems.find((problem) => problem.kind === 'type');
  if (wrong !== undefined)
    throw errors.badRequest(`the body cannot be read as DeleteOptions: ${wrong.message}`);
  return checked({ ...fromObject(decoded), ignoresReadErrors }, path.names);
}

type FromObject = Omit<Unchecked, 'ignoresReadErrors'>;

type Unchecked = Omit<DeleteOptions, 'propagation' | 'dryRun'> & {
  readonly propagation: string | undefined;
  readonly dryRun: readonly string[];
};

function fromQuery(query: Query, dryRun: boolean): Unchecked {
  return {
    gracePeriodSeconds: integerParameter(query, 'gracePeriodSeconds'),
    uid: undefined,
    resourceVersion: undefined,
    propagation: query.get('propagationPolicy') || undefined,
    orphanDependents: optionalBoolean(query, 'orphanDependents'),
    dryRun: dryRun ? ['All'] : [],
    ignoresReadErrors: optionalBoolean(query, IGNORES_READ_ERRORS) ?? false,
  };
}

function fromObject(decoded: Readonly<Record<string, unknown>>): FromObject {
  const preconditions = isJsonObject(decoded['preconditions']) ? decoded['preconditions'] : {};
  const grace = exactInteger(decoded['gracePeriodSeconds']);
  return {
    gracePeriodSeconds: grace === undefined ? undefined : Number(grace),
    uid: textOf(preconditions['uid']),
    resourceVersion: textOf(preconditions['resourceVersion']),
    propagation: textOf(decoded['propagationPolicy']),
    orphanDependents:
      typeof decoded['orphanDependents'] === 'boolean' ? decoded['orphanDependents'] : undefined,
    dryRun: Array.isArray(decoded['dryRun']) ? decoded['dryRun'] : [],
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const propagations: readonly string[] = ['Orphan', 'Background', 'Foreground'] satisfies Propagation[];

function checked(options: Unchecked, names: Names): DeleteOptions {
  const { propagation, orphanDependents } = options;
  const problems: FieldError[] = [...dryRunProblems(options.dryRun)];
  if (propagation !== undefined && orphanDependents !== undefined) {
    problems.push(
      fieldError.invalid(
        'propagationPolicy',
        propagation,
        'orphanDependents and propagationPolicy cannot be both set',
      ),
    );
  }
  if (propagation !== undefined && !propagations.includes(propagation)) {
    problems.push(fieldError.notSupported('propagationPolicy', propagation, propagations));
  }
  problems.push(...unsafeDeletionProblems(options));
  refuseOptions(problems, 'DeleteOptions', names);
  return {
    ...options,
    propagation: propagation as Propagation | undefined,
    dryRun: isDryRun(options.dryRun),
  };
}

/** The options of a deletion as an object, for admission plugins. */
export const deleteOptionsObject =
  (options: DeleteOptions, names: Names): OptionsObject =>
  () => {
    const { gracePeriodSeconds, uid, resourceVersion, propagation, orphanDependents, dryRun } = options;
    const { ignoresReadErrors } = options;
    const preconditions = present({ uid, resourceVersion });
    return {
      ...optionsTypeMeta('DeleteOptions', names),
      ...present({
        gracePeriodSeconds,
        preconditions: Object.keys(preconditions).length === 0 ? undefined : preconditions,
        orphanDependents,
        propagationPolicy: propagation,
        dryRun: dryRun ? ['All'] : undefined,
        [IGNORES_READ_ERRORS]: ignoresReadErrors ? true : undefined,
      }),
    };
  };

const present = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
