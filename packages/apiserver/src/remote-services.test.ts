import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { deferred } from '@orch/machinery/concurrency';
import { eventually, testEnv } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { Reloads } from './reload/reloads.ts';
import { remotePost, remoteService, tlsService } from './remote-services.ts';

const authority = testCertificate({ commonName: 'authority', use: 'authority' });
const clientPair = (commonName: string) => testCertificate({ commonName, use: 'client' }, authority);
const never = new AbortController().signal;

/** A service that reports how it was called, and a folder with its client configuration file. */
class Service {
  readonly folder = mkdtempSync(join(tmpdir(), 'orch-remote-'));
  readonly file = join(this.folder, 'client.conf');
  /** Client and credentials of each request. */
  readonly calls: string[] = [];
  /** Answers wait for it. */
  gate: Promise<void> = Promise.resolve();
  readonly #server: Server;

  constructor() {
    const pair = testCertificate({ commonName: 'service', use: 'server' }, authority);
    const trust = { ca: authority.cert, requestCert: true, rejectUnauthorized: false };
    this.#server = createServer({ ...pair, ...trust }, (incoming, outgoing) => {
      const client = (incoming.socket as TLSSocket).getPeerX509Certificate()?.subject ?? 'no certificate';
      this.calls.push(`${client} ${incoming.headers.authorization ?? 'without token'}`);
      incoming.resume();
      void this.gate.then(() => outgoing.end('{}'));
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  write(name: string, content: string): void {
    writeFileSync(join(this.folder, name), content);
  }

  configure(
    user: object,
    server = `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`,
  ): void {
    const cluster = { server, 'certificate-authority-data': Buffer.from(authority.cert).toString('base64') };
    const content = {
      clusters: [{ name: 'a', cluster }],
      users: [{ name: 'a', user }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      'current-context': 'a',
    };
    this.write('client.conf', JSON.stringify(content));
  }

  [Symbol.dispose](): void {
    this.#server.closeAllConnections();
    this.#server.close();
    rmSync(this.folder, { recursive: true });
  }
}

const FLAG = 'some-webhook-config-file';

/** Runs the reloads of `parts` during `work`; `pass` lets them notice changed files. */
async function reloading(
  work: (
    parts: ReturnType<typeof testEnv> & { readonly reloads: Reloads },
    pass: () => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  const parts = { ...testEnv(), reloads: new Reloads() };
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  await work(parts, () => {
    running ??= parts.reloads.run(stop.signal);
    return parts.clock.advanceAsync(1_000);
  });
  stop.abort();
  await running;
}

type Parts = ReturnType<typeof testEnv> & { readonly reloads: Reloads };
type SenderOf = (service: Service, parts: Parts) => () => Promise<unknown>;

const byFlag: SenderOf = (service, parts) => {
  const remote = remoteService(FLAG, service.file, parts);
  return () => remote.query(parts.random.uuid(), {}, never);
};

const byConfiguration: SenderOf = (service, parts) => {
  const file = { flag: FLAG, path: service.file, name: `${FLAG}-plugin`, title: 'the plugin' };
  const remote = tlsService(file, 10, parts);
  return () => remote.query(parts.random.uuid(), {}, never);
};

const batches: SenderOf = (service, parts) => {
  const post = remotePost(FLAG, service.file, parts);
  return () => post(Buffer.from('[]'), never);
};

/** Ways to send a question to the service of a file. */
const senders: readonly (readonly [what: string, senderOf: SenderOf])[] = [
  ['a service that a flag names', byFlag],
  ['a service that a configuration names', byConfiguration],
  ['a destination of batches', batches],
];

describe('client configuration files of services', () => {
  for (const [what, senderOf] of senders) {
    let service: Service;
    before(async () => {
      service = new Service();
      await service.start();
    });
    after(() => service[Symbol.dispose]());

    it(`client configuration files of ${what} are reloaded when a token file that they name changes`, async () => {
      service.calls.splice(0);
      service.write('token', 'first\n');
      service.configure({ tokenFile: 'token' });
      await reloading(async (parts, pass) => {
        const send = senderOf(service, parts);
        await send();
        service.write('token', 'second\n');
        await pass();
        await send();
        assert.deepEqual(service.calls, ['no certificate Bearer first', 'no certificate Bearer second']);
        assert.ok(
          parts.metrics.text().includes(`apiserver_file_reloads_total{flag="${FLAG}",status="success"} 1\n`),
        );
      });
    });

    it(`client configuration files of ${what} remain in use while certificate and key do not fit, which log, metric and health check report`, async () => {
      service.calls.splice(0);
      const [first, second] = [clientPair('first'), clientPair('second')];
      service.write('client.crt', first.cert);
      service.write('client.key', first.key);
      service.configure({ 'client-certificate': 'client.crt', 'client-key': 'client.key' });
      await reloading(async (parts, pass) => {
        const send = senderOf(service, parts);
        const [check] = parts.reloads.checks;
        service.write('client.crt', second.cert);
        await pass();
        await send();
        assert.equal((await check?.run(never))?.ok, false);
        assert.ok(
          parts.metrics.text().includes(`apiserver_file_reloads_total{flag="${FLAG}",status="failure"} 1\n`),
        );
        assert.match(String(parts.entries.at(-1)?.msg), /cannot be used; keeping the previous one$/);
        service.write('client.key', second.key);
        await pass();
        await send();
        assert.equal((await check?.run(never))?.ok, true);
        assert.deepEqual(service.calls, ['CN=first without token', 'CN=second without token']);
      });
    });

    it(`client configuration files of ${what} can be replaced during a call, which ends with its own credentials`, async () => {
      service.calls.splice(0);
      service.configure({ token: 'first' });
      const gate = deferred<void>();
      service.gate = gate.promise;
      await reloading(async (parts, pass) => {
        const send = senderOf(service, parts);
        const pending = send();
        await eventually(
          async () => service.calls.length,
          (count) => count === 1,
        );
        service.configure({ token: 'second' });
        await pass();
        gate.resolve();
        await pending;
        await send();
        assert.deepEqual(service.calls, ['no certificate Bearer first', 'no certificate Bearer second']);
      });
    });
  }

  it('a changed file that permits connections without TLS has no effect where TLS is required', async () => {
    using service = new Service();
    await service.start();
    service.configure({ token: 'a' });
    await reloading(async (parts, pass) => {
      const send = byConfiguration(service, parts);
      service.configure({ token: 'b' }, 'http://127.0.0.1:1/');
      await pass();
      await send();
      assert.deepEqual(service.calls, ['no certificate Bearer a']);
      assert.match(String(parts.entries.at(-1)?.['error']), /TLS is required/);
    });
  });
});
