import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@orch/machinery/testing';
import {
  type ApiResponse,
  buildGoProgram,
  type LaunchedServer,
  launchServer,
  observations,
} from '@orch/testkit';

const list = await buildGoProgram(join(import.meta.dirname, 'go', 'list'));

interface Listed {
  readonly resource: string;
  readonly names: readonly string[];
  readonly error?: string;
}

/** Numbers as a client may write them, from the usual to those that a double cannot hold. */
const tokens = [
  ...['0', '-0', '-0.0', '1.0', '1e0', '1E+2', '0.5', '0.1000000000000000055511151231257827'],
  ...['2147483648', '9007199254740993', '9007199254740993.0', '1.00000000000000000001', '1e18'],
  ...['9223372036854775807', '-9223372036854775808', '9223372036854775808', '18446744073709551616'],
  ...['1e19', '1e308', '-1e308', '1e-400', '5e-324', '1.8e308', '1e309', '1e400', '-1e400', '1e999999999'],
  '9'.repeat(400),
];

const GROUP = 'edges.example.com';
const edges = `/apis/${GROUP}/v1/namespaces/default/edges`;
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const properties = { whole: { type: 'integer' }, number: { type: 'number' }, free: open };
const definition = {
  metadata: { name: `edges.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'edges', kind: 'Edge' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties }, status: open },
          },
        },
      },
    ],
  },
};
const edge = (name: string, rest = '', version = ''): string =>
  `{"apiVersion":"${GROUP}/v1","kind":"Edge","metadata":{"name":"${name}"${version}}${rest}}`;

type Send = (method: string, path: string, body?: string, contentType?: string) => Promise<ApiResponse>;

const YAML = 'application/yaml';
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

/** A number in a field of a custom object that exists; `version` is the one that an update replaces. */
interface Edge {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly field: string;
  readonly token: string;
}

/** Every way in which a number may reach a stored object. */
const writes: readonly ((send: Send, edge: Edge) => Promise<ApiResponse>)[] = [
  (send, { path, name, version, field, token }) =>
    send('PUT', path, edge(name, `,"spec":{"${field}":${token}}`, version)),
  (send, { path, name, version, field, token }) => {
    const metadata = `{"name":"${name}"${version}}`;
    const text = `apiVersion: ${GROUP}/v1\nkind: Edge\nmetadata: ${metadata}\nspec:\n  ${field}: ${token}\n`;
    return send('PUT', path, text, YAML);
  },
  (send, { path, field, token }) => send('PATCH', path, `{"spec":{"${field}":${token}}}`, MERGE),
  (send, { path, field, token }) =>
    send('PATCH', path, `[{"op":"add","path":"/spec/${field}","value":${token}}]`, JSON_PATCH),
  (send, { path, name, field, token }) =>
    send('PATCH', `${path}?fieldManager=m&force=true`, edge(name, `,"spec":{"${field}":${token}}`), APPLY),
  (send, { path, name, version, token }) =>
    send('PUT', `${path}/status`, edge(name, `,"status":{"a":[${token}]}`, version)),
  (send, { path, token }) => send('PATCH', `${path}/status`, `{"status":{"a":[${token}]}}`, MERGE),
];

/** The resourceVersion of an object, as a field behind its name. */
async function versionOf(send: Send, path: string): Promise<string> {
  const { json } = await send('GET', path);
  const { metadata } = json as { readonly metadata: { readonly resourceVersion: string } };
  return `, "resourceVersion": "${metadata.resourceVersion}"`;
}

if (list.kind === 'missing') {
  describe('lists of client-go', () => {
    it.skip(`client-go lists objects of every number that was accepted: ${list.reason}`, () => {});
  });
} else {
  const { program } = list;

  describe('lists of client-go', { timeout: 180_000 }, () => {
    let server: LaunchedServer;
    before(async () => {
      server = await launchServer({ naming: 'kubernetes', release: 'latest' });
    });
    after(() => server[Symbol.asyncDispose]());

    it('client-go lists objects after every number was sent by every kind of write', async () => {
      const { client } = server;
      const send: Send = (method, path, body, contentType = 'application/json') =>
        client.send(method, path, body === undefined ? {} : { body, contentType });
      const made = await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
      assert.equal(made.status, 201, made.text);
      await eventually(
        () => client.get(edges),
        ({ status }) => status === 200,
      );
      const accepted = new Set<string>();
      for (const [i, token] of tokens.entries()) {
        const base = await send('POST', edges, edge(`base-${i}`, ',"spec":{"free":{}}'));
        assert.equal(base.status, 201, base.text);
        const answers: ApiResponse[] = [
          await send('POST', edges, edge(`new-${i}`, `,"spec":{"number":${token}}`)),
          await send(
            'POST',
            revisions,
            `{"metadata":{"name":"r-${i}"},"revision":1,"data":{"spec":{"x":[${token}]}}}`,
          ),
        ];
        for (const [way, write] of writes.entries())
          for (const field of ['whole', 'number', 'free']) {
            const name = `base-${i}`;
            const path = `${edges}/${name}`;
            const value = field === 'free' ? `{"x": ${token}}` : token;
            const version = await versionOf(send, path);
            const answer = await write(send, { path, name, version, field, token: value });
            if (token === '9223372036854775807') assert.equal(answer.status, 200, `${way}: ${answer.text}`);
            answers.push(answer);
          }
        for (const { status, text } of answers) assert.ok(status < 500, `${token}: ${text}`);
        if (answers.some(({ status }) => status < 300)) accepted.add(token);
      }
      for (const token of ['0', '-0', '1.0', '9223372036854775807', '1e308', '5e-324'])
        assert.ok(accepted.has(token), `${token} is accepted`);
      const found = observations<Listed>(
        await program.run(server, [`${GROUP}/v1/edges`, 'apps/v1/controllerrevisions']),
      );
      assert.deepEqual(
        found.map(({ resource, error }) => [resource, error]),
        [
          ['edges', undefined],
          ['controllerrevisions', undefined],
        ],
      );
      const [custom] = found;
      assert.ok(custom !== undefined && custom.names.length >= tokens.length, JSON.stringify(custom));
    });
  });
}
