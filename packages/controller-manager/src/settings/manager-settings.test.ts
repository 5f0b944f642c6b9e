import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import type { KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';
import { flagValues, splitCommandLine } from '@orch/program';
import { managerFlags } from '../flags/index.ts';
import { controllerSettings } from './controller-settings.ts';
import { fixedContent } from './key-files.ts';
import { managerSettings } from './manager-settings.ts';

const work = mkdtempSync(join(tmpdir(), 'orch-manager-'));
after(() => rmSync(work, { recursive: true }));

const file = (name: string, content: string): string => {
  const path = join(work, name);
  writeFileSync(path, content);
  return path;
};

const authority = (commonName: string): KeyPair => testCertificate({ commonName, use: 'authority' });
const ca = authority('ca');
const other = authority('other');
const leaf = testCertificate({ commonName: 'leaf', use: 'client' }, ca);

const caCert = file('ca.crt', ca.cert);
const caKey = file('ca.key', ca.key);
const otherCert = file('other.crt', other.cert);
const otherKey = file('other.key', other.key);
const nonsense = file('nonsense', 'nonsense');
const absent = join(work, 'absent');
const ed25519 = file(
  'ed25519.key',
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
);
const publicKey = file(
  'public.key',
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString(),
);

const flagsOf = (...argv: readonly string[]) =>
  flagValues(managerFlags, splitCommandLine(managerFlags, argv).given);
const settingsOf = (...argv: readonly string[]) => managerSettings(flagsOf(...argv));

describe('the settings of a controller manager', () => {
  it('flags have the default values of compatible controller managers', () => {
    const { controllers, election, ops } = settingsOf();
    const { options } = controllers;
    assert.equal(ops, undefined);
    assert.equal(controllers.useAccounts, false);
    assert.deepEqual(election, {
      namespace: 'orch-system',
      name: 'orch-controller-manager',
      leaseDurationMs: 15_000,
      renewDeadlineMs: 10_000,
      retryPeriodMs: 2_000,
    });
    assert.deepEqual(options.concurrency, {
      garbageCollector: 20,
      namespace: 10,
      resourceQuota: 5,
      serviceAccountToken: 5,
      ttlAfterFinished: 5,
      certificate: 5,
    });
    assert.equal(options.signing.durationMs, 365 * 24 * 3_600_000);
    assert.deepEqual(options.signing.authorities, {});
    assert.equal(options.podGc.terminatedThreshold, 12_500);
    assert.equal(options.namespace.resyncMs, 300_000);
    assert.equal(options.resourceQuota.resyncMs, 300_000);
    assert.equal(options.serviceAccountKey, undefined);
    assert.equal(options.rootCa, undefined);
    assert.equal(options.featureGate('Anything'), undefined);
  });

  it('the lease has the name of the naming, unless flags set another name or disable the election', () => {
    const { election } = settingsOf('--naming=kubernetes');
    assert.equal(`${election?.namespace}/${election?.name}`, 'kube-system/kube-controller-manager');
    const own = settingsOf(
      '--leader-elect-resource-name=mine',
      '--leader-elect-resource-namespace=here',
      '--leader-elect-lease-duration=1m',
      '--leader-elect-renew-deadline=40s',
      '--leader-elect-retry-period=5s',
    ).election;
    assert.deepEqual(own, {
      namespace: 'here',
      name: 'mine',
      leaseDurationMs: 60_000,
      renewDeadlineMs: 40_000,
      retryPeriodMs: 5_000,
    });
    assert.equal(settingsOf('--leader-elect=false').election, undefined);
  });

  it('one authority is for all signers, or for the configured ones', async () => {
    const all = settingsOf(`--cluster-signing-cert-file=${caCert}`, `--cluster-signing-key-file=${caKey}`);
    const { authorities } = all.controllers.options.signing;
    assert.deepEqual(Object.keys(authorities), [
      'apiserverClient',
      'apiserverClientNodeagent',
      'nodeagentServing',
      'legacyUnknown',
    ]);
    assert.equal(await authorities.legacyUnknown?.cert.read(), ca.cert);
    // Names of the ecosystem are read as well.
    const single = settingsOf(
      `--cluster-signing-kubelet-serving-cert-file=${otherCert}`,
      `--cluster-signing-kubelet-serving-key-file=${otherKey}`,
    ).controllers.options.signing.authorities;
    assert.deepEqual(Object.keys(single), ['nodeagentServing']);
    assert.equal(await single.nodeagentServing?.key.read(), other.key);
  });

  it('key files are read on every use', async () => {
    const path = file('root.crt', ca.cert);
    const { rootCa } = settingsOf(`--root-ca-file=${path}`).controllers.options;
    assert.equal(await rootCa?.read(), ca.cert);
    writeFileSync(path, other.cert);
    assert.equal(await rootCa?.read(), other.cert);
    assert.equal(rootCa?.origin, `--root-ca-file ${path}`);
  });

  it('flags take precedence over the keys of the process', async () => {
    const fallback = { cert: fixedContent('own', ca.cert), key: fixedContent('own', ca.key) };
    const context = { names: namesFor('orch'), gates: new Map() };
    const own = controllerSettings(flagsOf(), context, { authority: fallback, rootCa: fallback.cert });
    assert.equal(own.options.signing.authorities.apiserverClient, fallback);
    assert.equal(own.options.rootCa, fallback.cert);
    const said = controllerSettings(
      flagsOf(
        `--cluster-signing-cert-file=${otherCert}`,
        `--cluster-signing-key-file=${otherKey}`,
        `--root-ca-file=${otherCert}`,
      ),
      context,
      { authority: fallback, rootCa: fallback.cert },
    );
    assert.equal(await said.options.signing.authorities.apiserverClient?.cert.read(), other.cert);
    assert.equal(await said.options.rootCa?.read(), other.cert);
  });

  it('feature gates are read by the names of the naming', () => {
    const { featureGate } = settingsOf('--feature-gates=A=true,B=false,A=false').controllers.options;
    assert.deepEqual([featureGate('A'), featureGate('B'), featureGate('C')], [false, false, undefined]);
  });

  for (const [title, argv, error, message] of [
    ['half of a pair', [`--cluster-signing-cert-file=${caCert}`], 'UsageError', /must be given together/],
    [
      'a key of another certificate',
      [`--cluster-signing-cert-file=${caCert}`, `--cluster-signing-key-file=${otherKey}`],
      'StartError',
      /--cluster-signing-cert-file .*ca\.crt, --cluster-signing-key-file .*other\.key: .*not that of/,
    ],
    [
      'a certificate that is not an authority',
      [
        `--cluster-signing-nodeagent-client-cert-file=${file('leaf.crt', leaf.cert)}`,
        `--cluster-signing-nodeagent-client-key-file=${file('leaf.key', leaf.key)}`,
      ],
      'StartError',
      /not that of an authority/,
    ],
    [
      'an authority that cannot be read',
      [`--cluster-signing-cert-file=${nonsense}`, `--cluster-signing-key-file=${caKey}`],
      'StartError',
      /nonsense.*no certificate/,
    ],
    [
      'a file that is not there',
      [`--cluster-signing-cert-file=${absent}`, `--cluster-signing-key-file=${caKey}`],
      'StartError',
      /--cluster-signing-cert-file: ENOENT.*absent/,
    ],
    [
      'a common authority and one of a signer',
      [
        `--cluster-signing-cert-file=${caCert}`,
        `--cluster-signing-key-file=${caKey}`,
        `--cluster-signing-legacy-unknown-cert-file=${otherCert}`,
        `--cluster-signing-legacy-unknown-key-file=${otherKey}`,
      ],
      'UsageError',
      /cannot be used with those of single signers/,
    ],
    [
      'a root without certificates',
      [`--root-ca-file=${nonsense}`],
      'StartError',
      /it contains no certificate/,
    ],
    ['a root that is not there', [`--root-ca-file=${absent}`], 'StartError', /--root-ca-file: ENOENT/],
    [
      'a public key to sign tokens with',
      [`--service-account-private-key-file=${publicKey}`],
      'StartError',
      /it contains no private key/,
    ],
    [
      'a key of a kind that signs no tokens',
      [`--service-account-private-key-file=${ed25519}`],
      'StartError',
      /ed25519 cannot sign tokens/,
    ],
    ['an unknown controller', ['--controllers=*,deployments'], 'UsageError', /"deployments"/],
    ['a gate without a value', ['--feature-gates=A'], 'UsageError', /Name=true or Name=false/],
    ['a gate with another value', ['--feature-gates=A=yes'], 'UsageError', /Name=true or Name=false/],
    ['certificates that end at once', ['--cluster-signing-duration=1m'], 'UsageError', /10m or more/],
    [
      'a leader that holds on for too long',
      ['--leader-elect-renew-deadline=15s'],
      'UsageError',
      /less than --leader-elect-lease-duration/,
    ],
    ['a leader without a second try', ['--leader-elect-retry-period=9s'], 'UsageError', /well below/],
    ['attempts without a pause', ['--leader-elect-retry-period=0'], 'UsageError', /greater than zero/],
    [
      'a lease of no time',
      ['--leader-elect-lease-duration=10ms', '--leader-elect-renew-deadline=5ms'],
      'UsageError',
      /1s or more/,
    ],
    ['an address that is none', ['--ops-bind-address=here'], 'UsageError', /--ops-bind-address/],
    ['no workers', ['--concurrent-gc-syncs=0'], 'UsageError', /between 1 and/],
    ['an unknown lock', ['--leader-elect-resource-lock=endpoints'], 'UsageError', /must be one of leases/],
  ] as const) {
    it(`settings are rejected: ${title}`, () => {
      assert.throws(() => settingsOf(...argv), { name: error, message });
    });
  }
});
