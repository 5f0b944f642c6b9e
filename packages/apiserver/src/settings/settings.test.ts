import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findType, NEWEST_RELEASE } from '@orch/apis';
import { flagValues, splitCommandLine } from '@orch/program';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { type Settings, settingsOf } from './settings.ts';

const settings = (...argv: readonly string[]): Settings =>
  settingsOf(flagValues(apiServerFlags, splitCommandLine(apiServerFlags, argv).given));

describe('settings of the lifecycle', () => {
  for (const [argv, message] of [
    [['--runtime-config=nonsense/v1'], /^invalid value for --runtime-config: unknown API "nonsense\/v1"/],
    [
      ['--feature-gates=Nonsense=true'],
      /^invalid value for --feature-gates: unknown feature gate "Nonsense"/,
    ],
    [['--threads=65'], /^invalid value "65" for --threads: must be between 0 and 64$/],
    [
      ['--threads=2', '--migration-target-file=/target'],
      /^--threads=2 needs --etcd-servers with --migration-target-file$/,
    ],
    [
      ['--etcd-servers-overrides=/events#http://b:1'],
      /^--etcd-servers-overrides needs --etcd-servers: the embedded store has all resources$/,
    ],
    ...['ftp://a:1', 'http://', 'https://a:1/path', 'a b', 'http://a:99999'].map(
      (server) =>
        [
          [`--etcd-servers=http://b:1,${server}`],
          new RegExp(`^invalid value "${server}" for --etcd-servers: must be the URL of a member such as `),
        ] as const,
    ),
    [['--goaway-chance=0.021'], /--goaway-chance.*0\.02/],
    [['--feature-gates=ServerSideApply=false'], /--feature-gates: .*ServerSideApply cannot be disabled/],
    [
      ['--storage-media-type=application/yaml'],
      /^invalid value "application\/yaml" for --storage-media-type: must be application\/json or application\/vnd\.orch\.protobuf$/,
    ],
    [
      ['--naming=kubernetes', '--storage-media-type=application/vnd.orch.protobuf'],
      /must be application\/json or application\/vnd\.kubernetes\.protobuf$/,
    ],
    [['--show-hidden-metrics-for-version=1.22'], /must be 1\.23, the release before 1\.24$/],
    [
      ['--emulated-version=1.20', '--show-hidden-metrics-for-version=x'],
      /must be 1\.19, the release before 1\.20$/,
    ],
  ] as const) {
    it(`settings refuse the flags ${argv.join(' ')}`, () => {
      assert.throws(
        () => settings(...argv),
        (error) => error instanceof Error && error.name === 'UsageError' && message.test(error.message),
      );
    });
  }

  it('--runtime-config disables APIs, also when it is given several times', () => {
    const { isEnabled } = settings('--runtime-config=v1/pods=false', '--runtime-config=v1/services=false');
    const served = (resource: string): boolean | undefined => {
      const type = findType('', resource);
      const [version] = type?.versions ?? [];
      return type !== undefined && version !== undefined ? isEnabled(type, version, '1.24') : undefined;
    };
    assert.deepEqual(['pods', 'services', 'secrets'].map(served), [false, false, true]);
  });

  it('a server stores objects as JSON, or as Protobuf in either naming', () => {
    assert.equal(settings().storedAs, 'json');
    const protobuf = (naming: string) => `--storage-media-type=application/vnd.${naming}.protobuf`;
    assert.equal(settings(protobuf('orch')).storedAs, 'protobuf');
    assert.equal(settings('--naming=kubernetes', protobuf('kubernetes')).storedAs, 'protobuf');
  });

  for (const [argv, release] of [
    [[], '1.24'],
    [['--naming=kubernetes'], NEWEST_RELEASE],
    [['--emulated-version=latest'], NEWEST_RELEASE],
    [['--naming=kubernetes', '--emulated-version=1.24'], '1.24'],
    [['--naming=kubernetes', '--emulated-version=v1.30.2'], '1.30'],
  ] as const) {
    it(`a server with the flags [${argv.join(' ')}] emulates release ${release}`, () => {
      assert.equal(settings(...argv).release, release);
    });
  }

  it('the settings enable the feature gates of the emulated release', () => {
    assert.ok(!settings('--emulated-version=1.22').gates.open.has('EphemeralContainers'));
    assert.ok(settings('--emulated-version=1.23').gates.open.has('EphemeralContainers'));
    const { gates } = settings('--emulated-version=1.22', '--feature-gates=EphemeralContainers=true');
    assert.ok(gates.open.has('EphemeralContainers'));
  });

  it('a server warns of deprecated feature gates', () => {
    assert.match(settings('--feature-gates=ServerSideApply=true').gates.warnings.join(), /non-operational/);
  });

  it('a server shows hidden metrics for the previous release only', () => {
    assert.deepEqual(settings('--show-hidden-metrics-for-version=1.23').metricRelease, {
      release: '1.24',
      showHidden: true,
    });
    assert.equal(settings().metricRelease.showHidden, false);
  });
});

describe('the number of threads', () => {
  for (const [argv, threads] of [
    [[], 4],
    [['--threads=1'], 1],
    [['--threads=3'], 3],
    [['--migration-target-file=/target'], 1],
    [['--etcd-servers=http://a:1', '--migration-target-file=/target'], 1],
    [['--etcd-servers=http://a:1', '--migration-target-file=/target', '--threads=2'], 2],
    [['--etcd-servers=http://a:1', '--etcd-servers-overrides=/events#http://b:1'], 4],
  ] as const) {
    it(`a server with the flags [${argv.join(' ')}] on four cores serves requests on ${threads} threads`, () => {
      const given = splitCommandLine(apiServerFlags, argv).given;
      assert.equal(settingsOf(flagValues(apiServerFlags, given), 4).flags.threads, threads);
    });
  }
});

describe('settings of credentials', () => {
  const ca = '--requestheader-client-ca-file=x';
  const issuer = '--oidc-issuer-url=https://issuer';
  const client = '--oidc-client-id=c';
  for (const [argv, message] of [
    [[ca], /--requestheader-client-ca-file needs --requestheader-username-headers$/],
    [
      ['--requestheader-username-headers=X'],
      /--requestheader-username-headers needs --requestheader-client-ca-file$/,
    ],
    [
      [ca, '--requestheader-username-headers=X', '--requestheader-uid-headers=X-Remote-Uid'],
      /--requestheader-uid-headers needs the feature gate RemoteRequestHeaderUID, which releases from 1\.32 on have; see --emulated-version$/,
    ],
    [
      [ca, '--requestheader-username-headers=X', '--requestheader-uid-headers=X', '--emulated-version=1.33'],
      /--requestheader-uid-headers must contain X-Remote-Uid$/,
    ],
    [
      ['--service-account-signing-endpoint=/s', '--emulated-version=1.33'],
      /--service-account-signing-endpoint needs the feature gate ExternalServiceAccountTokenSigner, which releases from 1\.32 on have; see --emulated-version$/,
    ],
    [
      ['--service-account-signing-endpoint=s', '--emulated-version=1.36'],
      /invalid value "s" for --service-account-signing-endpoint: must be an absolute path$/,
    ],
    [
      ['--service-account-signing-endpoint=/s', '--service-account-key-file=k', '--emulated-version=1.36'],
      /--service-account-signing-endpoint and --service-account-key-file cannot be used together$/,
    ],
    [
      [
        ...['--service-account-signing-endpoint=/s', '--service-account-signing-key-file=k'],
        '--emulated-version=1.36',
      ],
      /--service-account-signing-endpoint and --service-account-signing-key-file cannot be used together$/,
    ],
    [['--requestheader-group-headers=X'], /--requestheader-group-headers needs /],
    [['--requestheader-allowed-names=X'], /--requestheader-allowed-names needs /],
    [
      [ca, '--requestheader-username-headers=X Y'],
      /invalid value "X Y" for --requestheader-username-headers: must be the name of a header field$/,
    ],
    [['--authorization-mode=ABAC'], /--authorization-mode=ABAC needs --authorization-policy-file$/],
    [['--authorization-mode=Webhook'], /needs --authorization-webhook-config-file$/],
    [['--authorization-policy-file=x'], /needs --authorization-mode=ABAC$/],
    [
      ['--enable-admission-plugins=NodeRestrictions'],
      /"NodeRestrictions" for --enable-admission-plugins: unknown plugin NodeRestrictions: must be among AlwaysAdmit, /,
    ],
    [['--admission-control=x'], /"x" for --admission-control: unknown plugin x: /],
    [
      ['--admission-control=AlwaysAdmit', '--enable-admission-plugins=Priority'],
      /--admission-control cannot be used with --enable-admission-plugins and --disable-admission-plugins/,
    ],
    [
      ['--admission-control=AlwaysAdmit', '--disable-admission-plugins=Priority'],
      /--admission-control cannot be used with --enable-admission-plugins and --disable-admission-plugins/,
    ],
    [['--disable-admission-plugins=x'], /"x" for --disable-admission-plugins: unknown plugin x: /],
    [[issuer], /must be given together$/],
    [[client], /must be given together$/],
    [['--oidc-issuer-url=http://issuer', client], /for --oidc-issuer-url: must be an https URL/],
    [['--oidc-issuer-url=https://issuer?x=1', client], /for --oidc-issuer-url: must be an https URL/],
    [[issuer, client, '--oidc-username-claim='], /--oidc-username-claim must not be empty$/],
    [[issuer, client, '--oidc-required-claim=x'], /"x" for --oidc-required-claim: must be key=value$/],
    [[issuer, client, '--oidc-signing-algs=none'], /"none" for --oidc-signing-algs: /],
    [[issuer, client, '--oidc-signing-algs=RS256,HS256'], /"HS256" for --oidc-signing-algs: /],
  ] as const) {
    it(`settings of credentials refuse the flags ${argv.join(' ')}`, () => {
      assert.throws(() => settings(...argv), message);
    });
  }

  it('settings of credentials accept all flags together', () => {
    settings(
      ca,
      '--requestheader-username-headers=X-Remote-User',
      issuer,
      client,
      '--oidc-signing-algs=ES256,PS512',
    );
    settings('--authorization-mode=Node,ABAC,RBAC', '--authorization-policy-file=x');
  });
});

/** Access-control document, 5.14, with the plugins that releases 1.15 to 1.27 have besides those. */
const allPlugins = [
  ...['AlwaysAdmit', 'AlwaysDeny', 'AlwaysPullImages', 'CertificateApproval', 'CertificateSigning'],
  ...[
    'CertificateSubjectRestriction',
    'DefaultIngressClass',
    'DefaultStorageClass',
    'DefaultTolerationSeconds',
  ],
  ...['DenyEscalatingExec', 'DenyExecOnPrivileged', 'DenyServiceExternalIPs', 'EventRateLimit'],
  ...['ExtendedResourceToleration', 'ImagePolicyWebhook', 'LimitPodHardAntiAffinityTopology', 'LimitRanger'],
  ...['MutatingAdmissionWebhook', 'NamespaceAutoProvision', 'NamespaceExists', 'NamespaceLifecycle'],
  ...['NodeRestriction', 'OwnerReferencesPermissionEnforcement', 'PersistentVolumeClaimResize'],
  ...[
    'PersistentVolumeLabel',
    'PodNodeSelector',
    'PodSecurity',
    'PodSecurityPolicy',
    'PodTolerationRestriction',
  ],
  ...['Priority', 'ResourceQuota', 'RuntimeClass', 'SecurityContextDeny', 'ServiceAccount'],
  ...['StorageObjectInUseProtection', 'TaintNodesByCondition', 'ValidatingAdmissionWebhook'],
];

describe('admission plugins', () => {
  const admissionOf = (...argv: string[]) => settings(...argv).admission;
  const plugins = (...argv: string[]) => admissionOf(...argv).plugins.toSorted();

  const defaults = plugins();
  const without = (...names: readonly string[]) => defaults.filter((name) => !names.includes(name));
  const withNames = (...names: readonly string[]) => [...defaults, ...names].toSorted();

  it('the default admission plugins follow the emulated release', () => {
    const inRelease = (release: string) => plugins(`--emulated-version=${release}`);
    assert.equal(inRelease('1.17').includes('DefaultIngressClass'), false);
    assert.equal(inRelease('1.18').includes('DefaultIngressClass'), true);
    for (const name of ['NamespaceLifecycle', 'ServiceAccount'] as const)
      assert.equal(inRelease('1.15').includes(name), true);
    assert.deepEqual(defaults, inRelease('1.24'));
  });

  it('the names of all plugins are accepted in any order, and another one is an error', () => {
    const all = allPlugins.filter((name) => name !== 'PodSecurityPolicy');
    const enabled = plugins(`--enable-admission-plugins=${allPlugins.join()}`, '--emulated-version=1.24');
    const inReverse = plugins(
      `--enable-admission-plugins=${allPlugins.toReversed().join()}`,
      '--emulated-version=1.24',
    );
    assert.deepEqual(inReverse, enabled);
    assert.ok(enabled.includes('PodSecurityPolicy'));
    assert.deepEqual(
      all.filter((name) => !enabled.some((each) => each === name)),
      [],
    );
    const isAdmissionPolicy = (name: string): boolean => name.endsWith('AdmissionPolicy');
    const remaining = plugins(`--disable-admission-plugins=${allPlugins.join()}`);
    assert.deepEqual(remaining, defaults.filter(isAdmissionPolicy));
    for (const flag of ['--enable-admission-plugins', '--disable-admission-plugins'])
      assert.throws(
        () => plugins(`${flag}=${all.join()},NoSuchPlugin`),
        /NoSuchPlugin" for .*: unknown plugin NoSuchPlugin: must be among AlwaysAdmit/,
      );
  });

  it('the same admission plugin may be named more than once in each flag', () => {
    assert.deepEqual(
      plugins(
        '--enable-admission-plugins=NodeRestriction,NodeRestriction',
        '--enable-admission-plugins=NodeRestriction',
        '--disable-admission-plugins=Priority,Priority',
      ),
      withNames('NodeRestriction').filter((name) => name !== 'Priority'),
    );
  });

  it('admission plugins without effect are accepted, with a warning when they are enabled', () => {
    const { plugins: enabled, warnings } = admissionOf(
      '--emulated-version=1.25',
      '--enable-admission-plugins=PodSecurityPolicy,PodTopologyLabels,AlwaysAdmit,PodPreset',
      '--disable-admission-plugins=ClusterTrustBundleAttest',
    );
    assert.deepEqual(warnings, [
      'the admission plugin PodSecurityPolicy has no effect: it was removed in release 1.25',
      'the admission plugin PodTopologyLabels has no effect in this server',
      'the admission plugin PodPreset has no effect: it was removed in release 1.20',
    ]);
    assert.deepEqual(
      enabled.filter((name) => !defaults.includes(name)),
      ['AlwaysAdmit'],
    );
    assert.deepEqual(admissionOf().warnings, []);
  });

  it('the deprecated list of admission plugins replaces the default ones, with a warning', () => {
    const { plugins: enabled, warnings } = admissionOf('--admission-control=ServiceAccount,LimitRanger');
    assert.deepEqual(enabled.toSorted(), ['LimitRanger', 'ServiceAccount']);
    assert.match(warnings.join(), /^--admission-control is deprecated: use --enable-admission-plugins and /);
    assert.deepEqual(plugins('--admission-control='), defaults);
  });

  it('the default admission plugins are enabled unless they are disabled by a flag', () => {
    assert.deepEqual(plugins(), defaults);
    assert.deepEqual(plugins('--enable-admission-plugins=CertificateSigning'), defaults);
    assert.deepEqual(
      plugins('--disable-admission-plugins=CertificateSigning,CertificateApproval'),
      without('CertificateApproval', 'CertificateSigning'),
    );
  });

  it('admission plugins that are disabled by default are enabled by a flag, unless they are also disabled', () => {
    assert.deepEqual(plugins('--enable-admission-plugins='), defaults);
    assert.deepEqual(
      plugins('--enable-admission-plugins=OwnerReferencesPermissionEnforcement,NodeRestriction'),
      withNames('OwnerReferencesPermissionEnforcement', 'NodeRestriction'),
    );
    assert.deepEqual(
      plugins('--enable-admission-plugins=NodeRestriction', '--disable-admission-plugins=NodeRestriction'),
      defaults,
    );
  });

  it('PodSecurityPolicy is enabled by a flag until release 1.24, and has no effect from release 1.25 on', () => {
    const inRelease = (release: string) =>
      plugins('--enable-admission-plugins=PodSecurityPolicy', `--emulated-version=${release}`);
    for (const release of ['1.15', '1.24'])
      assert.equal(inRelease(release).includes('PodSecurityPolicy'), true);
    assert.equal(inRelease('1.25').includes('PodSecurityPolicy'), false);
  });
});
