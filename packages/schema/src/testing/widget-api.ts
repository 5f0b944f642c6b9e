import { type Naming, namesFor } from '@orch/machinery';
import { f, items, struct } from '../declare.ts';
import type { OpenApiInput } from '../openapi/input.ts';
import { discoveryKinds } from './discovery-kinds.ts';
import { DeleteOptions, ListMeta, ObjectMeta, Status, WatchEvent, Widget } from './widget.ts';

const Scale = struct(
  'autoscaling.v1.Scale',
  'How many.',
  { metadata: f.struct(1, ObjectMeta, { presence: 'always' }) },
  { typeMeta: true },
);

const ExecOptions = struct('test.v1.WidgetExecOptions', 'What to run.', {
  stdin: f.bool(1, { doc: 'Passes input on.' }),
  command: f.list(2, items.string, { doc: 'The command.' }),
});

const Cluster = struct(
  'coordination.v1.Cluster',
  'Something without a namespace.',
  { metadata: f.struct(1, ObjectMeta, { presence: 'always' }), size: f.quantity(2, { presence: 'pointer' }) },
  { typeMeta: true },
);

/** A server with two kinds, for the tests of the OpenAPI documents. */
export function widgetApi(naming: Naming = 'orch'): OpenApiInput {
  const names = namesFor(naming);
  const core = { group: '', version: 'v1' };
  return {
    names,
    title: 'Test',
    version: 'v1.24.0',
    meta: {
      listMeta: ListMeta,
      deleteOptions: DeleteOptions,
      status: Status,
      watchEvent: WatchEvent,
      ...discoveryKinds,
    },
    objectMediaTypes: ['application/json'],
    streamMediaTypes: ['application/json;stream=watch'],
    patchMediaTypes: ['application/merge-patch+json'],
    fieldValidation: true,
    patchCreates: true,
    resources: [
      {
        ...core,
        kind: 'Widget',
        resource: 'widgets',
        namespaced: true,
        verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
        schema: Widget,
        deleteReturnsObject: true,
        subresources: [
          {
            name: 'exec',
            kind: { ...core, kind: 'WidgetExecOptions' },
            verbs: ['create', 'get'],
            type: 'stream',
            schema: ExecOptions,
          },
          { name: 'log', kind: { ...core, kind: 'Widget' }, verbs: ['get'], type: 'text' },
          { name: 'proxy', kind: { ...core, kind: 'WidgetProxyOptions' }, verbs: ['get'], type: 'proxy' },
          {
            name: 'scale',
            kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
            verbs: ['get', 'update', 'patch'],
            type: 'object',
            schema: Scale,
          },
          {
            name: 'status',
            kind: { ...core, kind: 'Widget' },
            verbs: ['get', 'update', 'patch'],
            type: 'object',
            schema: Widget,
          },
        ],
      },
      {
        group: names.group('coordination'),
        version: 'v1',
        kind: 'Cluster',
        resource: 'clusters',
        namespaced: false,
        verbs: ['create', 'get', 'list'],
        schema: Cluster,
        subresources: [],
      },
    ],
  };
}
