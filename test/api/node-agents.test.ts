import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Naming, namesFor } from '@orch/machinery';
import { testCertificate } from '@orch/pki/x509/testing';
import { launchServer, startNodeAgent } from '@orch/testkit';

const work = mkdtempSync(join(tmpdir(), 'orch-agents-'));
after(() => rmSync(work, { recursive: true }));

const authority = testCertificate({ commonName: 'nodes', use: 'authority' });
const stranger = testCertificate({ commonName: 'other', use: 'authority' });
const serving = testCertificate({ commonName: 'agent', use: 'server' }, authority);
const client = testCertificate({ commonName: 'api', use: 'client' }, authority);
for (const [name, text] of Object.entries({
  ca: authority.cert,
  stranger: stranger.cert,
  cert: client.cert,
  key: client.key,
}))
  writeFileSync(join(work, name), text);

const shown = (prefix: string): readonly string[] => [
  `--${prefix}-client-certificate=${work}/cert`,
  `--${prefix}-client-key=${work}/key`,
];

/** The log of a pod, as a server with these flags gets it from an agent that insists on certificates. */
async function logWith(naming: Naming, args: readonly string[], query = '') {
  const names = namesFor(naming);
  await using agent = await startNodeAgent({ names, ...serving, clientCa: authority.cert });
  await using server = await launchServer({ naming, args });
  const node = {
    ...{ apiVersion: 'v1', kind: 'Node' },
    metadata: { name: 'n' },
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { [names.field('nodeagentEndpoint')]: { Port: agent.port } },
    },
  };
  await server.client.post('/api/v1/nodes', node);
  await server.client.put('/api/v1/nodes/n/status', node);
  await server.client.post('/api/v1/namespaces/default/pods', {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name: 'p' },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'x' }] },
  });
  const answer = await server.client.get(`/api/v1/namespaces/default/pods/p/log${query}`);
  return { ...answer, clients: agent.requests.map((request) => request.client) };
}

describe('node agents', () => {
  for (const [naming, prefix] of [
    ['orch', 'nodeagent'],
    ['kubernetes', 'nodeagent'],
    ['kubernetes', 'kubelet'],
  ] as const) {
    it(`connections to node agents use mutual TLS with ${naming} names and the flags --${prefix}-…`, async () => {
      const answer = await logWith(naming, [
        ...shown(prefix),
        `--${prefix}-certificate-authority=${work}/ca`,
      ]);
      assert.deepEqual([answer.status, answer.text], [200, 'line 1\nline 2\nline 3\n']);
      assert.deepEqual(answer.clients, ['api']);
    });
  }

  it('a node agent with a certificate of another authority is refused, unless the client disables verification', async () => {
    const flags = [...shown('nodeagent'), `--nodeagent-certificate-authority=${work}/stranger`];
    const refused = await logWith('orch', flags);
    assert.equal(refused.status, 503, refused.text);
    assert.match(refused.text, /error trying to reach the node agent of node \\"n\\" at 127\.0\.0\.1:\d+: /);
    assert.deepEqual(refused.clients, []);
    const insecure = await logWith('orch', flags, '?insecureSkipTLSVerifyBackend=true');
    assert.equal(insecure.status, 200, insecure.text);
  });

  it('the certificate of a node agent is not verified when no authority is configured', async () => {
    assert.equal((await logWith('orch', shown('nodeagent'))).status, 200);
  });

  it('the refusal of a node agent that requires a client certificate is reported to the client', async () => {
    const answer = await logWith('orch', []);
    assert.ok(answer.status === 502 || answer.status === 503, answer.text);
    assert.match(answer.text, /the node agent of node \\"n\\"/);
    assert.deepEqual(answer.clients, []);
  });
});

describe('flags about node agents', () => {
  for (const [flags, expected] of [
    [
      [`--nodeagent-client-certificate=${work}/cert`],
      /--nodeagent-client-certificate and --nodeagent-client-key must be given together/,
    ],
    [
      [`--nodeagent-client-certificate=${work}/ca`, `--nodeagent-client-key=${work}/key`],
      /--nodeagent-client-key is not the key of --nodeagent-client-certificate/,
    ],
    [
      [`--nodeagent-client-certificate=${work}/none`, `--nodeagent-client-key=${work}/key`],
      /--nodeagent-client-certificate: .*none/,
    ],
    [
      [`--nodeagent-certificate-authority=${work}/key`],
      /--nodeagent-certificate-authority .*it contains no certificate/,
    ],
    [
      ['--nodeagent-preferred-address-types=Street'],
      /must be one of Hostname, InternalDNS, InternalIP, ExternalDNS, ExternalIP/,
    ],
    [['--nodeagent-timeout=0s'], /--nodeagent-timeout: must be greater than zero/],
  ] as const) {
    it(`${flags.map((flag) => flag.replace(work, '')).join(' ')} is refused at the start`, async () => {
      await assert.rejects(launchServer({ args: flags }), expected);
    });
  }
});
