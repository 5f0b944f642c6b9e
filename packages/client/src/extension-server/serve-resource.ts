import { type ApiObject, errors, type Names } from '@orch/machinery';
import { asStringMap, asText } from '@orch/machinery/json';
import { parseFieldSelector, parseLabelSelector, SelectorError } from '@orch/machinery/selectors';
import type { DelegatedAuthorizer } from './delegated-authorizer.ts';
import type { ExtensionApi, ResourcePath } from './extension-api.ts';
import type { RequestUser } from './request-user.ts';
import { acceptedForm, tableOf } from './table.ts';

export interface ResourceServing {
  readonly api: ExtensionApi;
  readonly names: Names;
  readonly authorizer: Pick<DelegatedAuthorizer, 'isAllowed'>;
}

export interface ResourceRequest extends ResourcePath {
  readonly user: RequestUser;
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  readonly signal: AbortSignal;
}

/** The response to a GET of an object or a list, if its user may read it. Throws `ApiError`. */
export async function serveResource(serving: ResourceServing, request: ResourceRequest): Promise<object> {
  const { api, names } = serving;
  const { resource, query } = request;
  await authorize(serving, request);
  const form = acceptedForm(request.accept, names);
  const version = `${api.group}/${api.version}`;
  const isList = request.name === '';
  const objects = (isList ? await listed(request) : [await found(api, request)]).map((object) => ({
    ...object,
    kind: resource.kind,
    apiVersion: version,
  }));
  const [only] = objects;
  if (form !== 'objects')
    return tableOf(resource, objects, { names, version: form, include: query.get('includeObject') ?? '' });
  if (!isList && only !== undefined) return only;
  return { kind: `${resource.kind}List`, apiVersion: version, metadata: {}, items: objects };
}

function verbOf({ name, query }: ResourceRequest): string {
  if (name !== '') return 'get';
  return ['true', '1'].includes(query.get('watch') ?? '') ? 'watch' : 'list';
}

async function authorize({ api, authorizer }: ResourceServing, request: ResourceRequest): Promise<void> {
  const { user, name, namespace, resource, signal } = request;
  const { group, version } = api;
  const verb = verbOf(request);
  const access = { verb, group, version, resource: resource.resource, namespace, name };
  if (!(await authorizer.isAllowed(user, access, signal))) {
    const subject = { group, kind: resource.resource, ...(name === '' ? {} : { name }) };
    throw errors.forbidden(
      subject,
      `user ${JSON.stringify(user.name)} cannot ${verb} ${resource.resource} in the API group ${JSON.stringify(group)}`,
    );
  }
  if (verb === 'watch') throw errors.methodNotAllowed('watch');
}

async function listed({
  resource,
  namespace,
  query,
  signal,
}: ResourceRequest): Promise<readonly ApiObject[]> {
  if (resource.list === undefined) throw errors.methodNotAllowed('list');
  return selected(await resource.list({ namespace, signal }), query);
}

async function found(
  { group }: ExtensionApi,
  { resource, namespace, name, signal }: ResourceRequest,
): Promise<ApiObject> {
  if (resource.get === undefined) throw errors.methodNotAllowed('get');
  const object = await resource.get(name, { namespace, signal });
  if (object === undefined) throw errors.notFound({ group, kind: resource.resource, name });
  return object;
}

/** The objects that the selectors of a request select. Throws for invalid selectors, and for fields other than name and namespace. */
function selected(objects: readonly ApiObject[], query: URLSearchParams): readonly ApiObject[] {
  const labels = parsed(parseLabelSelector, query.get('labelSelector') ?? '');
  const fields = parsed(parseFieldSelector, query.get('fieldSelector') ?? '');
  for (const { field } of fields.requirements)
    if (field !== 'metadata.name' && field !== 'metadata.namespace')
      throw errors.badRequest(`field label not supported: ${field}`);
  return objects.filter(
    ({ metadata }) =>
      labels.matches(asStringMap(metadata.labels)) &&
      fields.matches((field) => asText(field === 'metadata.name' ? metadata.name : metadata.namespace)),
  );
}

function parsed<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SelectorError) throw errors.badRequest(error.message);
    throw error;
  }
}
