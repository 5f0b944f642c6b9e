import { atLeast } from '@orch/apis';
import type { RequestParts } from '@orch/registry/testing';
import type { TypedObject } from './client.ts';
import { collectionOf, type ServedKind, type ServedSubresource } from './served-kinds.ts';

/** A request that writes or connects, and how admission plugins see it. */
export interface AdmittedWrite {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly parts: RequestParts;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly subresource: string;
  readonly name: string;
  readonly dryRun: boolean;
}

/** An object as it is created, and as it is stored; the same for kinds that are not stored. */
export interface Written {
  readonly served: ServedKind;
  readonly object: TypedObject;
  readonly stored: TypedObject;
}

type Target = Pick<AdmittedWrite, 'path' | 'operation' | 'subresource' | 'name'>;

const patches = {
  'JSON patch': 'application/json-patch+json',
  'merge patch': 'application/merge-patch+json',
  'strategic merge patch': 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** The release from which apply is tracked for all clients. */
const APPLY_SINCE = '1.16';

/** All writes of a resource, of its objects and of their subresources, that discovery lists; each also as a dry run. */
export function writesOf(
  written: Written,
  posted: ReadonlyMap<string, TypedObject>,
): readonly AdmittedWrite[] {
  const { served } = written;
  const main = mainWrites(written);
  const below = served.subresources.flatMap((subresource) => subresourceWrites(written, subresource, posted));
  return [...main, ...below];
}

function mainWrites({ served, object, stored }: Written): readonly AdmittedWrite[] {
  const collection = collectionOf(served);
  const name = object.metadata?.name ?? '';
  const path = `${collection}/${name}`;
  const has = (verb: string): boolean => served.verbs.includes(verb);
  const target = (operation: Target['operation'], at = path): Target => ({
    path: at,
    operation,
    subresource: '',
    name,
  });
  return [
    ...(has('create') ? write('create', 'POST', target('CREATE', collection), { body: object }) : []),
    ...(has('update') ? write('update', 'PUT', target('UPDATE'), { body: stored }) : []),
    ...(has('patch') ? patchWrites(served, target('UPDATE'), object) : []),
    ...(has('patch') && !namedByContent.has(served.kind) ? appliedWrites(served, collection, object) : []),
    ...(has('delete') ? write('delete', 'DELETE', target('DELETE')) : []),
    ...(has('deletecollection') ? write('deletecollection', 'DELETE', target('DELETE', collection)) : []),
  ];
}

/** Kinds whose objects cannot have just any name. */
const namedByContent = new Set(['APIService', 'CustomResourceDefinition', 'IPAddress']);

/** An apply of an object that does not exist creates it. */
function appliedWrites(
  served: ServedKind,
  collection: string,
  object: TypedObject,
): readonly AdmittedWrite[] {
  if (!atLeast(served.release, APPLY_SINCE)) return [];
  const { name: _name, ...metadata } = object.metadata;
  const name = `${object.metadata.name ?? ''}-new`;
  const target = { path: `${collection}/${name}`, operation: 'CREATE', subresource: '', name } as const;
  const sent = { ...object, metadata: { ...metadata, name } };
  return write('apply that creates', 'PATCH', target, { body: sent, contentType: patches.apply });
}

function patchWrites(served: ServedKind, target: Target, object: TypedObject): readonly AdmittedWrite[] {
  const { apiVersion, kind, metadata } = object;
  const annotations = { 'suite.example/mark': 'patched' };
  const bodies: Readonly<Record<keyof typeof patches, unknown>> = {
    'JSON patch': [{ op: 'add', path: '/metadata/annotations', value: annotations }],
    'merge patch': { metadata: { annotations } },
    'strategic merge patch': { metadata: { annotations } },
    apply: { apiVersion, kind, metadata: { name: metadata.name, annotations } },
  };
  return Object.entries(patches).flatMap(([title, contentType]) =>
    title === 'apply' && !atLeast(served.release, APPLY_SINCE)
      ? []
      : write(title, 'PATCH', target, { body: bodies[title as keyof typeof patches], contentType }),
  );
}

/** Subresources through which clients connect, with what a request needs. */
const connections: Readonly<Record<string, string>> = {
  exec: '?command=ls&stdout=true',
  attach: '?stdout=true',
  portforward: '?ports=80',
  proxy: '/a/b',
};

function subresourceWrites(
  { served, stored }: Written,
  { name: subresource, verbs, apiVersion, kind }: ServedSubresource,
  posted: ReadonlyMap<string, TypedObject>,
): readonly AdmittedWrite[] {
  const name = stored.metadata.name ?? '';
  const path = `${collectionOf(served)}/${name}/${subresource}`;
  const connection = connections[subresource];
  if (connection !== undefined)
    return ['GET', 'POST'].map((method) => ({
      title: `${method} of ${subresource}`,
      method,
      path: path + connection,
      parts: {},
      operation: 'CONNECT',
      subresource,
      name,
      dryRun: false,
    }));
  const target = (operation: Target['operation']): Target => ({ path, operation, subresource, name });
  const sent = kind === served.kind ? stored : { apiVersion, kind, metadata: { name }, ...scaleOf(kind) };
  const of = (title: string): string => `${title} of ${subresource}`;
  return [
    ...(verbs.includes('create')
      ? write(of('create'), 'POST', target('CREATE'), {
          body: named(posted.get(`${apiVersion} ${kind}`), name),
        })
      : []),
    ...(verbs.includes('update') ? write(of('update'), 'PUT', target('UPDATE'), { body: sent }) : []),
    ...(verbs.includes('patch')
      ? patchWrites(served, target('UPDATE'), sent).map((one) => ({ ...one, title: of(one.title) }))
      : []),
  ];
}

/** A body for the object with a name. */
const named = (body: TypedObject | undefined, name: string): object =>
  body?.metadata === undefined ? { ...body, name } : { ...body, metadata: { ...body.metadata, name } };

const scaleOf = (kind: string): object => (kind === 'Scale' ? { spec: { replicas: 7 } } : {});

/** A request, and the same as a dry run. */
function write(
  title: string,
  method: string,
  target: Target,
  parts: RequestParts = {},
): readonly AdmittedWrite[] {
  const isCollection = title === 'deletecollection';
  const query = queryOf({ contentType: parts.contentType, isCollection, name: target.name });
  const path = `${target.path}?${query}`;
  const one = { ...target, title, method, parts, path, dryRun: false };
  return [one, { ...one, title: `${title} in a dry run`, path: `${path}&dryRun=All`, dryRun: true }];
}

/** Other objects of a collection may have rules against their deletion. */
function queryOf(of: {
  readonly contentType: string | undefined;
  readonly isCollection: boolean;
  readonly name: string;
}): string {
  if (of.isCollection) return `fieldSelector=metadata.name%3D${of.name}`;
  return of.contentType === patches.apply ? 'fieldManager=suite&force=true' : '';
}
