import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operationsOf, parsed, v2, v2Text, v3 } from '../../testing/parsed-documents.ts';
import { widgetApi } from '../../testing/widget-api.ts';
import { openApi } from '../documents.ts';

describe('operations of OpenAPI', () => {
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
    ['get /api/v1/watch/namespaces/{namespace}/widgets', 'watchCoreV1NamespacedWidgetList', 'watchlist'],
    ['get /api/v1/watch/namespaces/{namespace}/widgets/{name}', 'watchCoreV1NamespacedWidget', 'watch'],
    ['get /api/v1/watch/widgets', 'watchCoreV1WidgetListForAllNamespaces', 'watchlist'],
    ['get /apis/coordination.orch.io/v1/clusters', 'listCoordinationV1Cluster', 'list'],
    ['post /apis/coordination.orch.io/v1/clusters', 'createCoordinationV1Cluster', 'post'],
    ['get /apis/coordination.orch.io/v1/clusters/{name}', 'readCoordinationV1Cluster', 'get'],
  ];

  it('operations have their standard names and actions in both versions', async () => {
    const documents = (await Promise.all([v2(), v3('api/v1'), v3('apis/coordination.orch.io/v1')])).map(
      operationsOf,
    );
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
    assert.equal(documents[0]?.size, expected.length + 2 * 7 - 2 + 4 + discovery.length);
  });

  const discovery: readonly (readonly [string, string, string, string])[] = [
    ['api', '/api/', 'getCoreAPIVersions', 'APIVersions'],
    ['api/v1', '/api/v1/', 'getCoreV1APIResources', 'APIResourceList'],
    ['apis', '/apis/', 'getAPIVersions', 'APIGroupList'],
    ['apis/coordination.orch.io', '/apis/coordination.orch.io/', 'getCoordinationAPIGroup', 'APIGroup'],
    [
      'apis/coordination.orch.io/v1',
      '/apis/coordination.orch.io/v1/',
      'getCoordinationV1APIResources',
      'APIResourceList',
    ],
    ['version', '/version/', 'getCodeVersion', 'Info'],
  ];

  it('discovery operations have no kind and separate documents in version 3', async () => {
    const whole = operationsOf(await v2());
    for (const [document, path, id, answer] of discovery) {
      const part = operationsOf(await v3(document));
      for (const operation of [whole.get(`get ${path}`), part.get(`get ${path}`)]) {
        assert.equal(operation?.['operationId'], id);
        assert.match(JSON.stringify(operation?.['responses']?.['200']), new RegExp(`\\.${answer}"`));
        assert.equal(
          Object.keys(operation ?? {}).some((field) => field.startsWith('x-')),
          false,
        );
      }
    }
  });

  it('operations have unique names and no duplicate parameters', async () => {
    const operations = [...operationsOf(await v2()).values()];
    const ids = operations.map((operation) => operation['operationId']);
    assert.equal(new Set(ids).size, ids.length);
    for (const [path, item] of Object.entries((await v2())['paths'] ?? {})) {
      for (const [method, operation] of Object.entries(item)) {
        if (method === 'parameters') continue;
        const listed = [item, operation].flatMap((of) => Object.values(of['parameters'] ?? []));
        const names = listed.map((parameter) => String(parameter['name']));
        assert.equal(new Set(names).size, names.length, `${method} ${path}`);
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        assert.deepEqual(
          inPath.filter((name) => !names.includes(name ?? '')),
          [],
          path,
        );
      }
    }
  });

  it('patch operations document creation from the release that introduced it', async () => {
    const codes = async (patchCreates: boolean) => {
      const document = await parsed(openApi({ ...widgetApi(), patchCreates }).v2Json());
      const patch = operationsOf(document).get('patch /api/v1/namespaces/{namespace}/widgets/{name}');
      return Object.keys(patch?.['responses'] ?? {});
    };
    assert.deepEqual(
      [await codes(true), await codes(false)],
      [
        ['200', '201', '401'],
        ['200', '401'],
      ],
    );
  });

  it('operations contain the kind of their objects', async () => {
    const operations = operationsOf(await v2());
    const kindOf = (key: string) =>
      operations.get(`get /api/v1/namespaces/{namespace}/widgets/{name}${key}`)?.[
        'x-orch-group-version-kind'
      ];
    assert.deepEqual(kindOf(''), { group: '', version: 'v1', kind: 'Widget' });
    assert.deepEqual(kindOf('/log'), { group: '', version: 'v1', kind: 'Widget' });
    assert.deepEqual(kindOf('/scale'), { group: 'autoscaling', version: 'v1', kind: 'Scale' });
    assert.deepEqual(kindOf('/exec'), { group: '', version: 'v1', kind: 'WidgetExecOptions' });
  });

  it('operations list the parameters that clients use', async () => {
    const patch = operationsOf(await v2()).get('patch /api/v1/namespaces/{namespace}/widgets/{name}');
    const names = ((patch?.['parameters'] ?? []) as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(names, ['body', 'dryRun', 'fieldManager', 'fieldValidation', 'force']);
    const without = await v2Text({ ...widgetApi(), fieldValidation: false });
    assert.equal(without.includes('fieldValidation'), false);
  });

  it('operations of version 2 declare their media types, bodies and responses', async () => {
    const operations = operationsOf(await v2());
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
            'How unknown and duplicate fields are treated: Ignore, Warn or Strict.',
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

  it('operations of version 3 declare their media types, bodies and responses', async () => {
    const operations = operationsOf(await v3('api/v1'));
    const { requestBody, responses } =
      operations.get('put /api/v1/namespaces/{namespace}/widgets/{name}/scale') ?? {};
    const schema = { $ref: '#/components/schemas/io.orch.api.autoscaling.v1.Scale' };
    assert.deepEqual(requestBody, { content: { '*/*': { schema } }, required: true });
    assert.deepEqual(responses?.['200'], { description: 'OK', content: { 'application/json': { schema } } });
    const list = operations.get('get /api/v1/widgets')?.['responses']?.['200']?.['content'];
    assert.deepEqual(Object.keys(list ?? {}), ['application/json', 'application/json;stream=watch']);
  });
});
