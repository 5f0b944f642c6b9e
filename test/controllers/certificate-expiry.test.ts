import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Resource, ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { systemClock, systemRandom } from '@orch/machinery/env';
import { issueCertificate } from '@orch/pki/x509';
import { base64, requests as samples } from '@orch/pki/x509/testing';
import { type Cluster, controllers, eventually, fileContent, startCluster } from './accounts-cluster.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const core = (resource: string, kind: string): Resource => ({
  group: '',
  version: 'v1',
  resource,
  kind,
  namespaced: true,
});

const certificateOf = (request: ApiObject): X509Certificate | undefined => {
  const { certificate } = (request['status'] ?? {}) as Record<string, string>;
  return certificate === undefined ? undefined : new X509Certificate(Buffer.from(certificate, 'base64'));
};

describe('expiry of certificates', { timeout: 120_000 }, () => {
  let cluster: Cluster;
  let requests: ResourceClient;

  before(async () => {
    cluster = await startCluster();
    requests = cluster.requests();
  });
  after(() => cluster[Symbol.asyncDispose]());

  const make = async (name: string, spec: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    await requests.create({
      apiVersion: cluster.names.apiVersion('certificates', 'v1'),
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: {
        request: base64(samples.ellipticCurve),
        signerName: cluster.names.signers.apiserverClient,
        usages: ['client auth'],
        ...spec,
      },
    });
  };
  const decide = async (name: string, type: 'Approved' | 'Denied'): Promise<void> => {
    const current = await requests.get(name);
    const conditions = [{ type, status: 'True', reason: 'Test', message: 'by hand' }];
    await requests.subresource('approval').update({ ...current, status: { conditions } });
  };
  const issued = async (name: string): Promise<X509Certificate> => {
    await decide(name, 'Approved');
    return eventually(`the certificate of ${name}`, async () => certificateOf(await requests.get(name)));
  };
  const pair = (commonName: string, notAfter = Date.now() + 3650 * DAY_MS) =>
    issueCertificate(
      { commonName, use: 'authority', notBefore: Date.now() - DAY_MS, notAfter },
      systemRandom,
    );
  const file = (name: string, text: string): string => {
    const path = `${cluster.work}/${name}`;
    writeFileSync(path, text);
    return path;
  };
  const near = (text: string, expected: number): void =>
    assert.ok(Math.abs(Date.parse(text) - expected) < MINUTE_MS, `${text}, not ${new Date(expected)}`);

  it('the duration of a certificate is limited by its request and the signing option, and begins five minutes in the past', async () => {
    const options = cluster.options();
    const signing = { ...options.signing, durationMs: 2 * HOUR_MS };
    await using _manager = await cluster.manage(controllers('csrsigning'), {
      options: cluster.options({ signing }),
    });
    for (const [name, expirationSeconds, expected] of [
      ['short', 600, 10 * MINUTE_MS],
      ['middle', 3600, HOUR_MS],
      ['long', 86_400, 2 * HOUR_MS],
    ] as const) {
      await make(name, { expirationSeconds });
      const certificate = await issued(name);
      near(certificate.validFrom, Date.now() - 5 * MINUTE_MS);
      near(certificate.validTo, Date.now() + expected);
    }
    await make('unset');
    near((await issued('unset')).validTo, Date.now() + 2 * HOUR_MS);
  });

  it('certificates do not outlive the authority of their signer, which is reloaded from its files', async () => {
    const [own, next] = [pair('own-authority', Date.now() + HOUR_MS), pair('next')];
    const paths = { cert: file('own.crt', own.cert), key: file('own.key', own.key) };
    const options = cluster.options();
    const { authorities } = options.signing;
    const mine = { cert: fileContent(paths.cert), key: fileContent(paths.key) };
    const signing = { ...options.signing, authorities: { ...authorities, apiserverClient: mine } };
    await using _manager = await cluster.manage(controllers('csrsigning'), {
      options: cluster.options({ signing }),
    });
    await make('bounded');
    const bounded = await issued('bounded');
    assert.equal(bounded.issuer, 'CN=own-authority');
    near(bounded.validTo, Date.now() + HOUR_MS);
    const usages = ['digital signature', 'key encipherment', 'server auth'];
    const signerName = cluster.names.signers.nodeagentServing;
    await make('of-another-signer', { request: base64(samples.nodeServing), usages, signerName });
    assert.equal((await issued('of-another-signer')).issuer, 'CN=signers');

    writeFileSync(paths.cert, next.cert);
    await make('while-half-is-written');
    assert.equal((await issued('while-half-is-written')).issuer, 'CN=own-authority');
    writeFileSync(paths.key, next.key);
    await make('renewed');
    assert.equal((await issued('renewed')).issuer, 'CN=next');
  });

  it('an expired authority signs nothing until it is replaced', async () => {
    const over = pair('over', Date.now() - HOUR_MS);
    const next = pair('after-it');
    const paths = { cert: file('over.crt', over.cert), key: file('over.key', over.key) };
    const options = cluster.options();
    const expired = { cert: fileContent(paths.cert), key: fileContent(paths.key) };
    const signing = { ...options.signing, authorities: { apiserverClient: expired } };
    await using _manager = await cluster.manage(controllers('csrsigning'), {
      options: cluster.options({ signing }),
    });
    await make('waiting');
    await decide('waiting', 'Approved');
    writeFileSync(paths.key, next.key);
    writeFileSync(paths.cert, next.cert);
    const certificate = await eventually('the certificate', async () =>
      certificateOf(await requests.get('waiting')),
    );
    assert.equal(certificate.issuer, 'CN=after-it');
  });

  /** The time of the machine, and an hour or a day more. */
  const later = (ms: number) => ({ ...systemClock, now: () => systemClock.now() + ms });
  const left = async (): Promise<readonly string[]> =>
    (await requests.list()).items.map(({ metadata }) => metadata.name ?? '').sort();

  it('certificate signing requests are deleted an hour after a decision, a day without one, and when their certificate expires', async () => {
    await requests.deleteCollection({});
    {
      await using _signer = await cluster.manage(controllers('csrsigning'));
      await make('issued');
      await issued('issued');
      await make('issued-for-minutes', { expirationSeconds: 600 });
      await issued('issued-for-minutes');
    }
    await make('approved');
    await decide('approved', 'Approved');
    await make('denied');
    await decide('denied', 'Denied');
    await make('pending');
    for (const [ms, expected] of [
      [11 * MINUTE_MS, ['approved', 'denied', 'issued', 'pending']],
      [61 * MINUTE_MS, ['pending']],
      [25 * HOUR_MS, []],
    ] as const) {
      const cleaner = await cluster.manage(controllers('csrcleaner'), { clock: later(ms) });
      const what = `what is left after ${ms / MINUTE_MS} minutes`;
      await eventually(what, async () => (await left()).length <= expected.length);
      await cleaner[Symbol.asyncDispose]();
      assert.deepEqual(await left(), expected);
    }
  });

  it('a changed root certificate is published to all config maps and token secrets', async () => {
    const { names } = cluster;
    const maps = cluster.as().resource(core('configmaps', 'ConfigMap'), 'default');
    const secrets = cluster.as().resource(core('secrets', 'Secret'), 'default');
    const wanted = controllers('serviceaccount', 'serviceaccount-token', 'root-ca-cert-publisher');
    await using _manager = await cluster.manage(wanted);
    const data = async (client: ResourceClient, name: string): Promise<Record<string, string>> =>
      client.get(name).then(
        (found) => (found['data'] ?? {}) as Record<string, string>,
        () => ({}),
      );
    await eventually('the config map', async () => (await data(maps, names.objects.rootCa))['ca.crt']);
    const accounts = cluster.as().resource(core('serviceaccounts', 'ServiceAccount'), 'default');
    await eventually('the account', () => accounts.get('default').catch(() => undefined));
    await secrets.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'kept', annotations: { [names.annotations.serviceAccountName]: 'default' } },
      type: names.secretTypes.serviceAccountToken,
    });
    const { token } = await eventually('the token', async () => {
      const found = await data(secrets, 'kept');
      return found['token'] === undefined ? undefined : found;
    });
    const next = pair('next-root').cert;
    writeFileSync(cluster.files.rootCa, next);
    const isNew = async (): Promise<boolean> => {
      const [map, secret] = [await data(maps, names.objects.rootCa), await data(secrets, 'kept')];
      return map['ca.crt'] === next && secret['ca.crt'] === base64(next);
    };
    // Files are looked at every ten seconds.
    await eventually('the new certificate', isNew, 30_000);
    assert.equal((await data(secrets, 'kept'))['token'], token);
  });
});
