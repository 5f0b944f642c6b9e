import { type ApiRequest, isLongRunning, queryValue, type RequestInfo } from '@orch/request';

/** Label values that say which request it was; `verb` in the spelling of the metrics. */
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
 * Labels of a request that the server knows: a served resource, or a route (whose path is the label `subresource`, as
 * the ecosystem's dashboards expect). Everything else shares one set of labels, so that made-up paths cannot make series.
 */
export function labelsOf(
  info: RequestInfo | undefined,
  isServed: (info: RequestInfo) => boolean,
): RequestLabels {
  if (info === undefined || !isServed(info)) return unknownRequest;
  if (!info.isResource) {
    // The method is the client's text: `constructor` must not find what every object has.
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

/** Label `dry_run`: what a mutating request asked for; other values are not told apart. */
export function dryRunOf(info: RequestInfo, request: ApiRequest): '' | 'All' {
  if (!info.isResource || info.verb === 'get' || info.verb === 'list' || info.verb === 'watch') return '';
  return queryValue(request.rawQuery, 'dryRun') === 'All' ? 'All' : '';
}
