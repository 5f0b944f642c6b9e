import type { OpenApiInput, OpenApiResource } from '../input.ts';
import { createOperation, readAndWrite } from './object-operations.ts';
import { type Operation, OperationMaker, type PathOperations } from './operation.ts';
import { subresourcePaths } from './subresource-operations.ts';

/** The operations of one resource and of its subresources, by path. */
export function resourcePaths(input: OpenApiInput, resource: OpenApiResource): readonly PathOperations[] {
  const make = new OperationMaker(input, resource);
  const collection = make.collection();
  const all = [
    make.path(collection, false, collectionOperations(make)),
    make.path(`${collection}/{name}`, true, objectOperations(make)),
    ...resource.subresources.flatMap((sub) => subresourcePaths(make, sub)),
    ...watchPaths(make),
  ];
  if (resource.namespaced && make.has('list')) {
    all.push(make.path(resource.resource, false, [listOperation(make, true)]));
  }
  return all.filter((path) => path.operations.length > 0);
}

function listOperation(make: OperationMaker, everywhere: boolean): Operation {
  const { objectMediaTypes, streamMediaTypes } = make.mediaTypes;
  const produces = make.has('watch') ? [...objectMediaTypes, ...streamMediaTypes] : objectMediaTypes;
  const id = make.id('list', { everywhere });
  const description = listDescription(make, everywhere);
  return make.operation(['get', 'list', id], description, make.list(), { produces });
}

/** The description of a list: its kind, its part of the cluster, and how it is followed. */
function listDescription(make: OperationMaker, everywhere: boolean): string {
  const { kind, namespaced } = make.resource;
  const where = namespaced ? (everywhere ? ' in all namespaces' : ' in the namespace') : '';
  const listed = `Lists objects of kind ${kind}${where}. Returns a ${kind}List: its items, and in its metadata the resourceVersion at which they were read.`;
  if (!make.has('watch')) return listed;
  return `${listed} With watch=true it returns a stream of WatchEvent instead, one for each change after the given resourceVersion: list first, then watch from the resourceVersion of the list.`;
}

const deleteBody = (make: OperationMaker): NonNullable<Operation['body']> => ({
  content: make.definition('meta.v1.DeleteOptions'),
  required: false,
});

function collectionOperations(make: OperationMaker): Operation[] {
  const { kind } = make.resource;
  const operations: Operation[] = [];
  if (make.has('list')) operations.push(listOperation(make, false));
  if (make.has('create'))
    operations.push(createOperation(make, { what: `a ${kind}`, suffix: '', content: make.self() }));
  if (make.has('deletecollection')) {
    const id = make.id('delete', { before: 'Collection' });
    const answer = make.definition('meta.v1.Status');
    const description = `Deletes a collection of ${kind}.`;
    const extra = { body: deleteBody(make) };
    operations.push(make.operation(['delete', 'deletecollection', id], description, answer, extra));
  }
  return operations;
}

function objectOperations(make: OperationMaker): Operation[] {
  const { kind, verbs, deleteReturnsObject } = make.resource;
  const operations = readAndWrite(make, verbs, { what: `the ${kind}`, suffix: '', content: make.self() });
  if (make.has('delete')) {
    const answer = deleteReturnsObject === true ? make.self() : make.definition('meta.v1.Status');
    const extra = { body: deleteBody(make), codes: [200, 202] };
    operations.push(
      make.operation(['delete', 'delete', make.id('delete')], `Deletes a ${kind}.`, answer, extra),
    );
  }
  return operations;
}

/** The deprecated paths of watches; the parameter `watch` of a list is equivalent. */
function watchPaths(make: OperationMaker): PathOperations[] {
  if (!make.has('watch')) return [];
  const { kind, namespaced, resource } = make.resource;
  const collection = `watch/${make.collection()}`;
  const list = (everywhere: boolean): Operation =>
    watchOperation(
      make,
      'watchlist',
      make.id('watch', { suffix: 'List', everywhere }),
      `objects of kind ${kind}`,
    );
  const paths = [make.path(collection, false, [list(false)], [])];
  if (make.has('get')) {
    const one = watchOperation(make, 'watch', make.id('watch'), `one ${kind}`);
    paths.push(make.path(`${collection}/{name}`, true, [one], []));
  }
  if (namespaced) paths.push(make.path(`watch/${resource}`, false, [list(true)], []));
  return paths;
}

function watchOperation(
  make: OperationMaker,
  action: 'watch' | 'watchlist',
  id: string,
  what: string,
): Operation {
  const { objectMediaTypes, streamMediaTypes } = make.mediaTypes;
  const produces = [...objectMediaTypes, ...streamMediaTypes];
  const description = `Watches ${what}. Returns a stream of WatchEvent. Deprecated: list with watch=true instead${action === 'watch' ? ', and with a fieldSelector for metadata.name' : ''}.`;
  const answer = make.definition('meta.v1.WatchEvent');
  return make.operation(['get', action, id], description, answer, { produces });
}
