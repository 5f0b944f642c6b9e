import type { OpenApiKind, OpenApiSubresource } from '../input.ts';
import { createOperation, readAndWrite } from './object-operations.ts';
import {
  capital,
  type Method,
  type Operation,
  type OperationMaker,
  type PathOperations,
} from './operation.ts';
import { commonParameters, optionParameters } from './parameters.ts';

/** The operations of one subresource, by path. */
export function subresourcePaths(make: OperationMaker, sub: OpenApiSubresource): readonly PathOperations[] {
  const path = `${make.collection()}/{name}/${sub.name}`;
  if (sub.type === 'stream' || sub.type === 'proxy') return connections(make, path, sub);
  const operations = sub.type === 'text' ? [textOperation(make, sub)] : objectOperations(make, sub);
  return [
    make.path(
      path,
      true,
      operations.map((one) => ({ ...one, kind: kindOf(make, sub) })),
    ),
  ];
}

/** Text of an object is documented as a read of the object itself. */
function kindOf(make: OperationMaker, sub: OpenApiSubresource): OpenApiKind {
  const { group, version, kind } = make.resource;
  return sub.type === 'text' ? { group, version, kind } : sub.kind;
}

function textOperation(make: OperationMaker, sub: OpenApiSubresource): Operation {
  const extra = {
    produces: ['text/plain', ...make.mediaTypes.objectMediaTypes],
    query: optionParameters(sub.schema),
  };
  const description = `Reads the ${sub.name} of the ${make.resource.kind}.`;
  const id = make.id('read', { suffix: capital(sub.name) });
  return make.operation(['get', 'get', id], description, 'text', extra);
}

function objectOperations(make: OperationMaker, sub: OpenApiSubresource): Operation[] {
  const what = `the ${sub.name} of the ${make.resource.kind}`;
  const target = { what, suffix: capital(sub.name), content: make.bodyOf(sub) };
  const operations = readAndWrite(make, sub.verbs, target);
  if (sub.verbs.includes('create')) operations.push(createOperation(make, target));
  return operations;
}

const everyMethod: readonly Method[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

function connections(make: OperationMaker, path: string, sub: OpenApiSubresource): PathOperations[] {
  const methods = sub.type === 'proxy' ? everyMethod : (['get', 'post'] as const);
  const query = optionParameters(sub.schema);
  const at = (tail: string): Operation[] =>
    methods.map((method) => {
      const id = make.id('connect', { before: capital(method), suffix: capital(sub.name) + tail });
      const description = `Connects ${method.toUpperCase()} requests to the ${sub.name} of the ${make.resource.kind}.`;
      const extra = { produces: ['*/*'], query, kind: sub.kind };
      return make.operation([method, 'connect', id], description, 'text', extra);
    });
  const paths = [make.path(path, true, at(''), [])];
  if (sub.type === 'proxy') {
    paths.push(make.path(`${path}/{path}`, true, at('WithPath'), [commonParameters.proxyPath]));
  }
  return paths;
}
