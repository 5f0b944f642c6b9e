import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { connect } from 'node:tls';
import type { Cancel, Clock } from '@orch/machinery';
import { systemClock } from '@orch/machinery/env';
import { until } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { adminOf, get, type Run, startWithClock } from '../testing/run-in-process.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The clock of the system, in the past; timers of an hour run when a test calls `reach`. */
class EarlierClock implements Clock {
  #earlierMs: number;
  #hourly: (() => void)[] = [];

  constructor(earlierMs: number) {
    this.#earlierMs = earlierMs;
  }

  now(): number {
    return systemClock.now() - this.#earlierMs;
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  schedule(delayMs: number, callback: () => void): Cancel {
    if (delayMs !== 60 * 60 * 1000) return systemClock.schedule(delayMs, callback);
    this.#hourly.push(callback);
    return () => {
      this.#hourly = this.#hourly.filter((other) => other !== callback);
    };
  }

  scheduleAwaited(delayMs: number, callback: () => void): Cancel {
    return delayMs === 60 * 60 * 1000
      ? this.schedule(delayMs, callback)
      : systemClock.scheduleAwaited(delayMs, callback);
  }

  /** Changes the time, and runs the timers of an hour. */
  reach(earlierMs: number): void {
    this.#earlierMs = earlierMs;
    for (const callback of this.#hourly.splice(0)) callback();
  }
}

/** The certificate that a server presents on a new connection. */
function presented(run: Run): Promise<X509Certificate> {
  const { hostname: host, port } = new URL(run.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      resolve(new X509Certificate(raw));
    }).on('error', reject);
  });
}

const isLong = (certificate: X509Certificate): boolean =>
  Date.parse(certificate.validTo) > Date.now() + 300 * DAY_MS;

describe('certificates that a running server has generated', { timeout: 60_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-renewal-'));
  after(() => rmSync(work, { recursive: true }));

  it('certificates that a running server has generated are renewed thirty days before they expire, for new connections and in the configuration of the administrator', async () => {
    const clock = new EarlierClock(340 * DAY_MS);
    const clientCa = join(work, 'client-ca.crt');
    writeFileSync(clientCa, testCertificate({ commonName: 'one', use: 'authority' }).cert);
    const run = await startWithClock(join(work, 'server'), clock, `--client-ca-file=${clientCa}`);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      const before = { admin: adminOf(run), serving: await presented(run) };
      assert.ok(!isLong(before.serving));
      assert.equal((await get(`${run.url}/api`, { ...before.admin, agent })).status, 200);
      // 35 days are left: nothing changes.
      clock.reach(10 * DAY_MS);
      assert.equal((await presented(run)).raw.equals(before.serving.raw), true);
      clock.reach(0);
      await until(async () => isLong(await presented(run)));
      await until(() => adminOf(run).cert !== before.admin.cert);
      const renewed = adminOf(run);
      assert.ok(isLong(new X509Certificate(renewed.cert)));
      assert.equal(renewed.ca, before.admin.ca);
      assert.equal((await get(`${run.url}/api`, renewed)).status, 200);
      // Clients with the earlier certificate, and their connections, continue.
      assert.equal((await get(`${run.url}/api`, { ...before.admin, agent })).status, 200);
      // A changed file of the flags does not bring the earlier certificate back.
      const serving = await presented(run);
      const two = testCertificate({ commonName: 'two', use: 'authority' });
      const ann = { ...testCertificate({ commonName: 'ann', use: 'client' }, two), ca: renewed.ca };
      assert.equal((await get(`${run.url}/api`, ann)).status, 401);
      writeFileSync(clientCa, two.cert);
      await until(async () => (await get(`${run.url}/api`, ann)).status !== 401);
      assert.ok((await presented(run)).raw.equals(serving.raw));
    } finally {
      agent.destroy();
      await run.stop();
    }
  });
});
