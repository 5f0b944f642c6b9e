import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createMetrics, systemClock, systemRandom } from '@orch/machinery/env';
import { recordedLog } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import type { AuditSink } from '@orch/pipeline';
import type { KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';
import { flagValues, splitCommandLine } from '@orch/program';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { Reloads } from '../reload/reloads.ts';
import { settingsOf } from '../settings/settings.ts';
import { openAudit } from './audit-sinks.ts';

const issue = (commonName: string, use: 'authority' | 'server' | 'client', issuer?: KeyPair): KeyPair =>
  testCertificate({ commonName, use }, issuer);
const ca = issue('audit-ca', 'authority');
const otherCa = issue('other-ca', 'authority');
const serving = issue('audit', 'server', ca);
const own = issue('apiserver', 'client', ca);
const stranger = issue('stranger', 'client', otherCa);
const folder = mkdtempSync(join(tmpdir(), 'orch-audit-tls-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Received {
  readonly apiVersion: string;
  readonly items: readonly {
    readonly auditID: string;
    readonly apiVersion: string;
    readonly annotations?: object;
  }[];
}

let received: { readonly client: string | undefined; readonly list: Received }[] = [];
let answers: number[] = [];
const service = createServer(
  { ...serving, ca: ca.cert, requestCert: true, rejectUnauthorized: true },
  async (incoming, outgoing) => {
    let text = '';
    for await (const part of incoming) text += String(part);
    const client = (incoming.socket as TLSSocket).getPeerX509Certificate()?.subject;
    received.push({ client, list: JSON.parse(text) as Received });
    outgoing.writeHead(answers.shift() ?? 200);
    outgoing.end('what it says does not matter');
  },
);
before(() => new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve)));
after(() => {
  service.closeAllConnections();
  service.close();
});
beforeEach(() => {
  received = [];
  answers = [];
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A client configuration file for the service, with an authority and an identity. */
function configFile(authority: KeyPair, identity: KeyPair | undefined): string {
  const path = join(folder, `config-${Math.floor(Math.random() * 1e9)}`);
  const { port } = service.address() as AddressInfo;
  const user =
    identity === undefined
      ? {}
      : {
          'client-certificate-data': base64(identity.cert),
          'client-key-data': base64(identity.key),
        };
  writeFileSync(
    path,
    encodeYaml({
      kind: 'Config',
      apiVersion: 'v1',
      clusters: [
        {
          name: 'c',
          cluster: {
            server: `https://127.0.0.1:${port}/events`,
            'certificate-authority-data': base64(authority.cert),
          },
        },
      ],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  );
  return path;
}

type Event = Parameters<AuditSink['accept']>[0];

const eventOf = (auditID: string, more: Partial<Event> = {}): Event => ({
  kind: 'Event',
  apiVersion: 'audit.orch.io/v1',
  level: 'RequestResponse',
  auditID,
  stage: 'ResponseComplete',
  requestURI: '/x',
  verb: 'get',
  user: {},
  requestReceivedTimestamp: '2024-01-01T00:00:00.000000Z',
  stageTimestamp: '2024-01-01T00:00:00.000000Z',
  ...more,
});

/** Sends events through a sink of the flags and closes it; returns the lost events and the log. */
async function sent(argv: readonly string[], events: readonly Event[]) {
  const recorded = recordedLog(systemClock);
  const metrics = createMetrics();
  const env = {
    clock: systemClock,
    random: systemRandom,
    log: recorded.log,
    metrics,
    reloads: new Reloads(),
  };
  const { given } = splitCommandLine(apiServerFlags, argv);
  const audit = openAudit(settingsOf(flagValues(apiServerFlags, given)), env);
  assert.ok(audit !== undefined);
  const taken = events.map((event) => audit.sinks.map((sink) => sink.accept(event)));
  await audit.close();
  return { taken, log: JSON.stringify(recorded.entries), metrics: metrics.text() };
}

const lost = 'apiserver_audit_error_total{plugin="webhook"}';
const webhook = (path: string): string[] => [
  `--audit-webhook-config-file=${path}`,
  '--audit-webhook-initial-backoff=1ms',
];

describe('the audit webhook over TLS', { timeout: 60_000 }, () => {
  it('the audit webhook over TLS receives events from a server with a client certificate', async () => {
    const { metrics } = await sent(webhook(configFile(ca, own)), [eventOf('a'), eventOf('b')]);
    assert.deepEqual(
      received.map(({ client, list }) => [client, list.items.map(({ auditID }) => auditID)]),
      [['CN=apiserver', ['a', 'b']]],
    );
    assert.ok(!metrics.includes(lost));
  });

  for (const [what, config] of [
    ['a service with a certificate of another authority', () => configFile(otherCa, own)],
    ['a service that does not trust the certificate of this server', () => configFile(ca, stranger)],
    ['a service that requires a certificate and receives none', () => configFile(ca, undefined)],
  ] as const) {
    it(`the audit webhook over TLS drops events for ${what}, counts them and logs the reason`, async () => {
      const { metrics, log } = await sent(webhook(config()), [
        eventOf('a', { requestURI: '/?secret=hunter2' }),
      ]);
      assert.deepEqual(received, []);
      assert.ok(metrics.includes(`${lost} 1`), metrics);
      assert.match(log, /certificate|alert|disconnected|ECONNRESET|closed the connection/i);
      assert.ok(!log.includes('hunter2') && !log.includes('PRIVATE KEY'));
    });
  }

  it('the audit webhook over TLS sends a batch that was not accepted again, unchanged', async () => {
    answers = [503, 429, 200];
    const { metrics } = await sent(webhook(configFile(ca, own)), [eventOf('a')]);
    assert.deepEqual(
      received.map(({ list }) => list.items[0]?.auditID),
      ['a', 'a', 'a'],
    );
    assert.ok(!metrics.includes(lost));
  });

  it('the audit webhook over TLS receives events of the version and the size in the flags', async () => {
    const large = { requestObject: { data: 'x'.repeat(5000) }, annotations: { why: 'because' } };
    const { taken } = await sent(
      [
        ...webhook(configFile(ca, own)),
        '--audit-webhook-version=audit.k8s.io/v1',
        '--audit-webhook-truncate-enabled',
        '--audit-webhook-truncate-max-event-size=2000',
        '--audit-webhook-truncate-max-batch-size=2000',
      ],
      [
        eventOf('a', { annotations: { a: 'y'.repeat(1000) } }),
        eventOf('b', large),
        eventOf('c', { annotations: { a: 'y'.repeat(1500) } }),
        eventOf('d', { requestURI: 'z'.repeat(3000) }),
      ],
    );
    assert.deepEqual(taken, [[true], [true], [true], [false]]);
    assert.deepEqual(
      received.map(({ list }) => list.items.map(({ auditID }) => auditID)),
      [['a', 'b'], ['c']],
    );
    const [{ list } = { list: undefined }] = received;
    assert.deepEqual([list?.apiVersion, list?.items[1]?.apiVersion], ['audit.k8s.io/v1', 'audit.k8s.io/v1']);
    assert.deepEqual(list?.items[1]?.annotations, { why: 'because', 'audit.orch.io/truncated': 'true' });
    assert.ok(!JSON.stringify(list).includes('xxxxx'));
  });
});
