import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor, namings } from '@orch/machinery';
import { configMap, type RequestParts } from '@orch/registry/testing';
import { ApiFixture } from '../testing/index.ts';

const ns = '/api/v1/namespaces/default';

for (const naming of namings) {
  const otherNaming = naming === 'orch' ? 'kubernetes' : 'orch';
  const own = namesFor(naming);
  const other = namesFor(otherNaming);
  const rbac = `/apis/${other.group('rbac')}`;
  const meta = other.group('meta');

  describe(`a client of the naming ${otherNaming} at a server of the naming ${naming}`, () => {
    const cases: readonly (readonly [string, string, string, number, RequestParts?])[] = [
      ['discovery of a group', 'GET', rbac, 404],
      ['discovery of a version', 'GET', `${rbac}/v1`, 404],
      ['discovery of a version with a slash at its end', 'GET', `${rbac}/v1/`, 404],
      ['a list', 'GET', `${rbac}/v1/clusterroles`, 404],
      ['an object', 'GET', `${rbac}/v1/clusterroles/x`, 404],
      ['a watch', 'GET', `${rbac}/v1/clusterroles?watch=1`, 404],
      ['a creation', 'POST', `${rbac}/v1/clusterroles`, 404, { body: {} }],
      ['a deletion', 'DELETE', `${rbac}/v1/clusterroles/x`, 404],
      ['a subresource', 'GET', `${rbac}/v1/namespaces/default/roles/x/status`, 404],
      ['an unknown group of its domain', 'GET', `/apis/x.${other.group('metrics')}/v1/things`, 404],
      ['an unknown version', 'GET', `${rbac}/v9`, 404],
      ['the OpenAPI document of a group', 'GET', `/openapi/v3/apis/${other.group('rbac')}/v1`, 404],
      [
        'an access review',
        'POST',
        `/apis/${other.group('authorization')}/v1/selfsubjectaccessreviews`,
        404,
        { body: {} },
      ],
      [
        'an object of its version in a body',
        'POST',
        `/apis/${own.group('rbac')}/v1/clusterroles`,
        400,
        {
          body: { apiVersion: other.apiVersion('rbac', 'v1'), kind: 'ClusterRole', metadata: { name: 'x' } },
        },
      ],
      [
        'an eviction of another group',
        'POST',
        `${ns}/configmaps`,
        400,
        { body: { ...configMap('x'), apiVersion: other.apiVersion('events', 'v1') } },
      ],
      [
        'an apply of its version',
        'PATCH',
        `/apis/${own.group('rbac')}/v1/clusterroles/x?fieldManager=m`,
        400,
        {
          contentType: 'application/apply-patch+yaml',
          body: { apiVersion: other.apiVersion('rbac', 'v1'), kind: 'ClusterRole', metadata: { name: 'x' } },
        },
      ],
      [
        'a body in its Protobuf',
        'POST',
        `${ns}/configmaps`,
        415,
        { contentType: other.mediaTypes.protobuf, body: 'k8s' },
      ],
      [
        'a patch in its Protobuf',
        'PATCH',
        `${ns}/configmaps/x`,
        415,
        { contentType: other.mediaTypes.protobuf, body: 'k8s' },
      ],
      [
        'nothing but its Protobuf as an answer',
        'GET',
        `${ns}/configmaps`,
        406,
        { accept: other.mediaTypes.protobuf },
      ],
      [
        'nothing but its tables',
        'GET',
        `${ns}/configmaps`,
        406,
        { accept: `application/json;as=Table;v=v1;g=${meta}` },
      ],
      ['its Protobuf of discovery', 'GET', '/apis', 406, { accept: other.mediaTypes.protobuf }],
    ];
    for (const [title, method, path, code, parts = {}] of cases)
      it(`the message names the required --naming flag: ${title}`, async () => {
        await using api = await ApiFixture.open({ naming });
        const { status, json, text } = await api.send(method, path, parts);
        assert.equal(status, code, text);
        assert.equal(json?.kind, 'Status', text);
        assert.match(
          json.message,
          new RegExp(`; such clients need a server that was started with --naming=${otherNaming}$`),
        );
      });

    for (const [title, method, path, parts = {}] of [
      ['an unknown group', 'GET', '/apis/example.com/v1/things'],
      ['a version of a group of this server', 'GET', `/apis/${own.group('rbac')}/v9`],
      ['an object that is not there', 'GET', `${ns}/configmaps/x`],
      [
        'an object that is not there, requested as a table of the other naming',
        'GET',
        `${ns}/configmaps/x`,
        { accept: `application/json;as=Table;v=v1;g=${meta},application/json` },
      ],
      [
        'an invalid object with a label of the other naming',
        'POST',
        `${ns}/configmaps`,
        { body: configMap('x', {}, { labels: { [`${other.group('rbac')}/x`]: '-' } }) },
      ],
      [
        'an object whose version differs from that of the path',
        'POST',
        `${ns}/configmaps`,
        { body: { ...configMap('x'), apiVersion: own.apiVersion('rbac', 'v1') } },
      ],
      ['an unknown media type', 'GET', `${ns}/configmaps`, { accept: 'text/html' }],
    ] as const)
      it(`the message names no flag when naming is not the cause: ${title}`, async () => {
        await using api = await ApiFixture.open({ naming });
        const { status, text } = await api.send(method, path, parts as RequestParts);
        assert.ok(status >= 400, text);
        assert.doesNotMatch(text, /--naming/);
      });
  });
}
