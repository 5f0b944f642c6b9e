import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Naming } from '@orch/machinery';
import { struct } from '../declare.ts';
import { widgetApi } from '../testing/widget-api.ts';
import { openApi } from './documents.ts';

interface Json {
  readonly [member: string]: Json;
}

const parse = (body: Buffer | undefined): Json => JSON.parse(String(body)) as Json;
const v2 = (naming?: Naming): Json => parse(openApi(widgetApi(naming)).v2Json().body);
const v3 = (path: string, naming?: Naming): Json => parse(openApi(widgetApi(naming)).v3(path)?.body);

/** `method path` → operation. */
const operationsOf = (document: Json): ReadonlyMap<string, Json> =>
  new Map(
    Object.entries(document['paths'] ?? {}).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]): [string, Json] => [`${method} ${path}`, operation]),
    ),
  );

describe('operations', () => {
  const expected: readonly (readonly [string, string, string])[] = [
    ['get /api/v1/namespaces/{namespace}/widgets', 'listCoreV1NamespacedWidget', 'list'],
    ['post /api/v1/namespaces/{namespace}/widgets', 'createCoreV1NamespacedWidget', 'post'],
    [
      'delete /api/v1/namespaces/{namespace}/widgets',
      'deleteCoreV1CollectionNamespacedWidget',
      'deletecollection',
    ],
    ['get /api/v1/namespaces/{namespace}/widgets/{name}', 'readCoreV1NamespacedWidget', 'get'],
    ['put /api/v1/namespaces/{namespace}/widgets/{name}', 'replaceCoreV1NamespacedWidget', 'put'],
    ['patch /api/v1/namespaces/{namespace}/widgets/{name}', 'patchCoreV1NamespacedWidget', 'patch'],
    ['delete /api/v1/namespaces/{namespace}/widgets/{name}', 'deleteCoreV1NamespacedWidget', 'delete'],
    [
      'get /api/v1/namespaces/{namespace}/widgets/{name}/exec',
      'connectCoreV1GetNamespacedWidgetExec',
      'connect',
    ],
    [
      'post /api/v1/namespaces/{namespace}/widgets/{name}/exec',
      'connectCoreV1PostNamespacedWidgetExec',
      'connect',
    ],
    ['get /api/v1/namespaces/{namespace}/widgets/{name}/log', 'readCoreV1NamespacedWidgetLog', 'get'],
    [
      'head /api/v1/namespaces/{namespace}/widgets/{name}/proxy',
      'connectCoreV1HeadNamespacedWidgetProxy',
      'connect',
    ],
    [
      'put /api/v1/namespaces/{namespace}/widgets/{name}/proxy/{path}',
      'connectCoreV1PutNamespacedWidgetProxyWithPath',
      'connect',
    ],
    ['get /api/v1/namespaces/{namespace}/widgets/{name}/scale', 'readCoreV1NamespacedWidgetScale', 'get'],
    [
      'put /api/v1/namespaces/{namespace}/widgets/{name}/status',
      'replaceCoreV1NamespacedWidgetStatus',
      'put',
    ],
    ['get /api/v1/widgets', 'listCoreV1WidgetForAllNamespaces', 'list'],
    ['get /apis/coordination.orch.io/v1/clusters', 'listCoordinationV1Cluster', 'list'],
    ['post /apis/coordination.orch.io/v1/clusters', 'createCoordinationV1Cluster', 'post'],
    ['get /apis/coordination.orch.io/v1/clusters/{name}', 'readCoordinationV1Cluster', 'get'],
  ];

  it('have their standard names and actions, in both versions', () => {
    const documents = [v2(), v3('api/v1'), v3('apis/coordination.orch.io/v1')].map(operationsOf);
    for (const [key, id, action] of expected) {
      const found = documents
        .map((operations) => operations.get(key))
        .filter((operation) => operation !== undefined);
      assert.equal(found.length, 2, key);
      for (const operation of found) {
        assert.equal(operation['operationId'], id);
        assert.equal(operation['x-orch-action'], action);
      }
    }
    assert.equal(documents[0]?.size, expected.length + 2 * 7 - 2 + 4);
  });

  it('carry the kind that they are about', () => {
    const operations = operationsOf(v2());
    const kindOf = (key: string) =>
      operations.get(`get /api/v1/namespaces/{namespace}/widgets/{name}${key}`)?.[
        'x-orch-group-version-kind'
      ];
    assert.deepEqual(kindOf(''), { group: '', version: 'v1', kind: 'Widget' });
    assert.deepEqual(kindOf('/log'), { group: '', version: 'v1', kind: 'Widget' });
    assert.deepEqual(kindOf('/scale'), { group: 'autoscaling', version: 'v1', kind: 'Scale' });
    assert.deepEqual(kindOf('/exec'), { group: '', version: 'v1', kind: 'WidgetExecOptions' });
  });

  it('list the parameters that clients look for', () => {
    const patch = operationsOf(v2()).get('patch /api/v1/namespaces/{namespace}/widgets/{name}');
    const names = ((patch?.['parameters'] ?? []) as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(names, ['body', 'dryRun', 'fieldManager', 'fieldValidation', 'force']);
    const without = openApi({ ...widgetApi(), fieldValidation: false })
      .v2Json()
      .body.toString();
    assert.equal(without.includes('fieldValidation'), false);
  });

  it('say in version 2 what they take and answer', () => {
    const operations = operationsOf(v2());
    assert.deepEqual(operations.get('post /api/v1/namespaces/{namespace}/widgets'), {
      description: 'Creates a Widget.',
      consumes: ['*/*'],
      produces: ['application/json'],
      schemes: ['https'],
      tags: ['core_v1'],
      operationId: 'createCoreV1NamespacedWidget',
      parameters: [
        {
          name: 'body',
          in: 'body',
          required: true,
          schema: { $ref: '#/definitions/io.orch.api.test.v1.Widget' },
        },
        ...['dryRun', 'fieldManager', 'fieldValidation'].map((name, i) => ({
          uniqueItems: true,
          type: 'string',
          description: [
            'With All the request is processed in full, but nothing is stored.',
            'Name under which the changed fields are recorded.',
            'What to do about unknown and duplicate fields: Ignore, Warn or Strict.',
          ][i],
          name,
          in: 'query',
        })),
      ],
      responses: {
        200: { description: 'OK', schema: { $ref: '#/definitions/io.orch.api.test.v1.Widget' } },
        201: { description: 'Created', schema: { $ref: '#/definitions/io.orch.api.test.v1.Widget' } },
        202: { description: 'Accepted', schema: { $ref: '#/definitions/io.orch.api.test.v1.Widget' } },
        401: { description: 'Unauthorized' },
      },
      'x-orch-action': 'post',
      'x-orch-group-version-kind': { group: '', version: 'v1', kind: 'Widget' },
    });
  });

  it('say in version 3 what they take and answer', () => {
    const operations = operationsOf(v3('api/v1'));
    const { requestBody, responses } =
      operations.get('put /api/v1/namespaces/{namespace}/widgets/{name}/scale') ?? {};
    const schema = { $ref: '#/components/schemas/io.orch.api.autoscaling.v1.Scale' };
    assert.deepEqual(requestBody, { content: { '*/*': { schema } }, required: true });
    assert.deepEqual(responses?.['200'], { description: 'OK', content: { 'application/json': { schema } } });
    const list = operations.get('get /api/v1/widgets')?.['responses']?.['200']?.['content'];
    assert.deepEqual(Object.keys(list ?? {}), ['application/json', 'application/json;stream=watch']);
  });
});

describe('definitions', () => {
  const spec = 'io.orch.api.test.v1.WidgetSpec';

  it('are the kinds, their lists, and all that they refer to', () => {
    const definitions = v2()['definitions'] ?? {};
    assert.deepEqual(Object.keys(definitions), [
      'io.orch.api.autoscaling.v1.Scale',
      'io.orch.api.coordination.v1.Cluster',
      'io.orch.api.coordination.v1.ClusterList',
      'io.orch.api.test.v1.Port',
      'io.orch.api.test.v1.Probe',
      'io.orch.api.test.v1.Tree',
      'io.orch.api.test.v1.Widget',
      'io.orch.api.test.v1.WidgetList',
      'io.orch.api.test.v1.WidgetSpec',
      'io.orch.api.test.v1.WidgetStatus',
      'io.orch.apimachinery.pkg.api.resource.Quantity',
      'io.orch.apimachinery.pkg.apis.meta.v1.DeleteOptions',
      'io.orch.apimachinery.pkg.apis.meta.v1.Duration',
      'io.orch.apimachinery.pkg.apis.meta.v1.ListMeta',
      'io.orch.apimachinery.pkg.apis.meta.v1.MicroTime',
      'io.orch.apimachinery.pkg.apis.meta.v1.ObjectMeta',
      'io.orch.apimachinery.pkg.apis.meta.v1.OwnerReference',
      'io.orch.apimachinery.pkg.apis.meta.v1.Patch',
      'io.orch.apimachinery.pkg.apis.meta.v1.Status',
      'io.orch.apimachinery.pkg.apis.meta.v1.Time',
      'io.orch.apimachinery.pkg.apis.meta.v1.WatchEvent',
      'io.orch.apimachinery.pkg.util.intstr.IntOrString',
    ]);
  });

  it('describe a kind', () => {
    const kind = { description: 'Which kind of object this is.', type: 'string' };
    const apiVersion = {
      description: 'Group and version of the schema that this object follows.',
      type: 'string',
    };
    assert.deepEqual(v2()['definitions']?.['io.orch.api.test.v1.Widget'], {
      description: 'A thing to test with.',
      type: 'object',
      properties: {
        apiVersion,
        kind,
        metadata: {
          description: 'Name and labels.',
          $ref: '#/definitions/io.orch.apimachinery.pkg.apis.meta.v1.ObjectMeta',
        },
        spec: { description: 'What the owner wants.', $ref: `#/definitions/${spec}` },
        status: { $ref: '#/definitions/io.orch.api.test.v1.WidgetStatus' },
      },
      'x-orch-group-version-kind': [{ group: '', kind: 'Widget', version: 'v1' }],
    });
    assert.deepEqual(v2()['definitions']?.['io.orch.api.test.v1.WidgetList']?.['required'], ['items']);
  });

  it('describe members of every type', () => {
    const properties = v2()['definitions']?.[spec]?.['properties'] ?? {};
    const reference = (name: string) => ({ $ref: `#/definitions/io.orch.${name}` });
    const quantity = reference('apimachinery.pkg.api.resource.Quantity');
    for (const [name, expected] of [
      ['replicas', { type: 'integer', format: 'int32' }],
      ['large', { type: 'integer', format: 'int64' }],
      ['ratio', { type: 'number', format: 'double' }],
      ['paused', { type: 'boolean' }],
      ['key', { type: 'string', format: 'byte' }],
      ['mode', { type: 'string', enum: ['Fast', 'Slow'] }],
      ['size', quantity],
      ['limits', { type: 'object', additionalProperties: quantity }],
      ['args', { type: 'array', items: { type: 'string' } }],
      ['since', reference('apimachinery.pkg.apis.meta.v1.Time')],
      ['extra', { type: 'object' }],
      ['anything', {}],
      ['name', { type: 'string' }],
      ['image', { description: 'What to run.', type: 'string' }],
      ['tree', reference('api.test.v1.Tree')],
      ['selector', { type: 'object', additionalProperties: { type: 'string' }, 'x-orch-map-type': 'atomic' }],
      [
        'ports',
        {
          type: 'array',
          items: reference('api.test.v1.Port'),
          'x-orch-list-map-keys': ['port', 'protocol'],
          'x-orch-list-type': 'map',
          'x-orch-patch-merge-key': 'port',
          'x-orch-patch-strategy': 'merge',
        },
      ],
    ] as const) {
      assert.deepEqual(properties[name], expected, name);
    }
  });

  it('require what is always written, unless declared otherwise', () => {
    const definitions = v2()['definitions'] ?? {};
    assert.deepEqual(definitions['io.orch.api.test.v1.Port']?.['required'], ['port']);
    assert.deepEqual(definitions['io.orch.api.test.v1.WidgetStatus']?.['required'], ['ready']);
    assert.equal(definitions[spec]?.['required'], undefined);
  });

  it('differ in version 3: references stand in allOf, defaults are shown, numbers may stand for strings', () => {
    const schemas = v3('api/v1')['components']?.['schemas'] ?? {};
    assert.deepEqual(schemas['io.orch.api.test.v1.Widget']?.['properties']?.['spec'], {
      description: 'What the owner wants.',
      allOf: [{ $ref: `#/components/schemas/${spec}` }],
    });
    assert.deepEqual(schemas[spec]?.['properties']?.['mode'], {
      type: 'string',
      enum: ['Fast', 'Slow'],
      default: 'Fast',
    });
    assert.deepEqual(schemas['io.orch.apimachinery.pkg.api.resource.Quantity']?.['oneOf'], [
      { type: 'string' },
      { type: 'number' },
    ]);
  });

  it('carry the names of the naming that is served', () => {
    const definitions = v2('kubernetes')['definitions'] ?? {};
    const widget = definitions['io.k8s.api.test.v1.Widget'];
    assert.deepEqual(widget?.['x-kubernetes-group-version-kind'], [
      { group: '', kind: 'Widget', version: 'v1' },
    ]);
    const properties = definitions['io.k8s.api.test.v1.WidgetSpec']?.['properties'] ?? {};
    assert.equal('kubeletVersion' in properties && !('nodeagentVersion' in properties), true);
    assert.equal(openApi(widgetApi('kubernetes')).v2Json().body.includes('x-orch-'), false);
  });

  it('of two schemas with the same name are a mistake', () => {
    const api = widgetApi();
    const [widget, other] = api.resources;
    const copy = struct('test.v1.Widget', 'Another.', {});
    const resources = [widget, other && { ...other, schema: copy }].filter((r) => r !== undefined);
    assert.throws(() => openApi({ ...api, resources }).v2Json(), /two schemas are called test.v1.Widget/);
  });

  it('leave out members of other releases', () => {
    const text = (api = widgetApi()) => openApi(api).v2Json().body.toString();
    assert.equal(text().includes('"later"'), true);
    assert.equal(
      text({ ...widgetApi(), includes: (field) => field.since === undefined }).includes('"later"'),
      false,
    );
  });
});

describe('documents', () => {
  it('of version 3 are one per group version, found through an index with hashes', () => {
    const api = openApi(widgetApi());
    assert.deepEqual(api.v3Paths(), ['api/v1', 'apis/coordination.orch.io/v1']);
    const { hash, etag } = api.v3('api/v1') ?? {};
    assert.match(hash ?? '', /^[0-9A-F]{64}$/);
    assert.equal(etag, `"${hash}"`);
    const index = parse(api.v3Index().body)['paths'];
    assert.deepEqual(index?.['api/v1'], { serverRelativeURL: `/openapi/v3/api/v1?hash=${hash}` });
    assert.equal(api.v3('apis/apps/v1'), undefined);
    assert.equal(api.v3('__proto__'), undefined);
  });

  it('name their own content type, one that clients can parse', () => {
    const api = openApi(widgetApi());
    for (const document of [api.v2Json(), api.v3Index(), api.v3('api/v1')]) {
      assert.equal(document?.contentType, 'application/json');
    }
    assert.doesNotMatch(api.v2Protobuf().contentType, /@/);
  });

  it('are built once, and equal for equal resources', () => {
    const api = openApi(widgetApi());
    assert.equal(api.v2Json(), api.v2Json());
    assert.equal(api.v2Json().hash, openApi(widgetApi()).v2Json().hash);
    assert.notEqual(api.v2Json().hash, openApi(widgetApi('kubernetes')).v2Json().hash);
  });

  it('refer to nothing that is missing', () => {
    for (const document of [v2(), v3('api/v1'), v3('apis/coordination.orch.io/v1')]) {
      const known = document['definitions'] ?? document['components']?.['schemas'] ?? {};
      const references = JSON.stringify(document).matchAll(
        /"\$ref":"#\/(?:definitions|components\/schemas)\/([^"]+)"/g,
      );
      for (const [, name = ''] of references) assert.ok(name in known, name);
    }
  });
});
