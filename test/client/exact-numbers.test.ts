import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { after, before, describe, it } from 'node:test';
import type { Resource } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { adminClient, type ConnectedClient } from './connection.ts';

const gizmos: Resource = {
  group: 'example.com',
  version: 'v1',
  resource: 'gizmos',
  kind: 'Gizmo',
  namespaced: true,
};

interface Gizmo extends ApiObject {
  spec: { big: number; other?: number };
}

const definition = {
  metadata: { name: 'gizmos.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gizmos', kind: 'Gizmo' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

describe('numbers beyond 2^53 on a server', { timeout: 120_000 }, () => {
  let server: LaunchedServer;
  let connected: ConnectedClient;
  before(async () => {
    server = await launchServer({ naming: 'kubernetes' });
    connected = adminClient(server, 'kubernetes');
  });
  after(async () => {
    await connected[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  it('exact numbers are compared, printed and cloned, and a program that writes the object back loses no digit', async () => {
    const path = '/apis/example.com/v1/namespaces/default/gizmos';
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    assert.equal((await server.client.send('POST', definitions, { body: definition })).status, 201);
    const body =
      '{"kind":"Gizmo","apiVersion":"example.com/v1","metadata":{"name":"g1"},"spec":{"big":9007199254740993}}';
    await poll('the resource is served', 30_000, async () => {
      const { status } = await server.client.send('POST', path, { body });
      return status === 201;
    });
    const client = connected.client.resource<Gizmo>({ ...gizmos }, 'default');
    const read = await client.get('g1');
    assert.ok(read.spec.big > 5);
    assert.equal(`${read.spec.big}`, '9007199254740992');
    const copy = structuredClone(read);
    copy.spec.other = 1;
    await client.update(copy);
    const { text } = await server.client.send('GET', `${path}/g1`);
    assert.match(text, /"big":9007199254740993,"other":1/);
  });

  it('a token with a blank behind it is the same user over HTTP/1.1 and HTTP/2', async () => {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const authorization = 'Bearer none ';
    const first = await fetchStatus(server, path, authorization);
    const session = connect(server.url, { ca: server.config.ca });
    const stream = session.request({ ':path': path, authorization });
    const second = await new Promise<number>((resolve, reject) => {
      stream.on('response', (headers) => resolve(headers[':status'] ?? 0)).on('error', reject);
    });
    session.destroy();
    assert.deepEqual([first, second], [401, 401]);
  });
});

/** The status of a GET over HTTP/1.1 without a certificate. */
async function fetchStatus({ config }: LaunchedServer, path: string, authorization: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(new URL(path, config.server), { ca: config.ca, headers: { authorization } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
