import { type ApiRequest, isLongRunning, queryValue, type RequestInfo } from '@orch/request';

/** Label values of a request; `verb` in the spelling of the metrics. */
export interface RequestLabels {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: '' | 'resource' | 'namespace' | 'cluster';
}

const methodVerbs: Readonly<Record<string, string>> = {
  get: 'GET',
  head: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

const apiVerbs: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  apply: 'APPLY',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
  proxy: 'CONNECT',
};

/**
 * Labels of a served resource, or of a route (whose path is the label `subresource`, as
 * the ecosystem's dashboards expect). All other requests share one set of labels, so that clients cannot create series.
 */
export function labelsOf(
  info: RequestInfo | undefined,
  isServed: (info: RequestInfo) => boolean,
): RequestLabels {
  if (info === undefined || !isServed(info)) return unknownRequest;
  if (!info.isResource) {
    // The method is text of the client: `constructor` must not find inherited properties.
    const verb = Object.hasOwn(methodVerbs, info.verb) ? methodVerbs[info.verb] : undefined;
    return { ...unknownRequest, verb: verb ?? 'other', subresource: info.path };
  }
  const { group, version, resource, subresource } = info;
  const verb = isLongRunning(info) && info.verb !== 'watch' ? 'CONNECT' : (apiVerbs[info.verb] ?? 'other');
  return { verb, group, version, resource, subresource, scope: scopeOf(info.name, info.namespace) };
}

const unknownRequest: RequestLabels = {
  verb: 'other',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  scope: '',
};

const scopeOf = (name: string, namespace: string): RequestLabels['scope'] =>
  name !== '' ? 'resource' : namespace !== '' ? 'namespace' : 'cluster';

/** Label `dry_run` of a mutating request; unknown values count as unset. */
export function dryRunOf(info: RequestInfo, request: ApiRequest): '' | 'All' {
  if (!info.isResource || info.verb === 'get' || info.verb === 'list' || info.verb === 'watch') return '';
  return queryValue(request.rawQuery, 'dryRun') === 'All' ? 'All' : '';
}

/** The requested treatment of unknown fields in a write; '' when the parameter is absent. */
export type FieldValidation = '' | 'Ignore' | 'Warn' | 'Strict';

const validations: readonly string[] = ['Ignore', 'Warn', 'Strict'];
const writes: readonly string[] = ['create', 'update', 'patch', 'apply'];

/** Label `field_validation` of a write; undefined for other requests and for unknown values, which are refused. */
export function fieldValidationOf(info: RequestInfo, request: ApiRequest): FieldValidation | undefined {
  if (!info.isResource || !writes.includes(info.verb)) return undefined;
  const value = queryValue(request.rawQuery, 'fieldValidation') ?? '';
  return value === '' || validations.includes(value) ? (value as FieldValidation) : undefined;
}
