import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { apiServerProgram } from '@orch/apiserver';
import { eventually } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { capturedRun } from '@orch/program/testing';
import { ApiClient, launchServer, run } from '@orch/testkit';

const builtProgram = join(import.meta.dirname, '..', '..', 'bin', 'orch-apiserver');
const work = mkdtempSync(join(tmpdir(), 'orch-starts-'));
after(() => rmSync(work, { recursive: true, force: true }));

let files = 0;
function fileOf(text: string): string {
  const path = join(work, `file-${files++}`);
  writeFileSync(path, text);
  return path;
}

const authority = testCertificate({ commonName: 'ca', use: 'authority' });

const webhookFile = (server: string): string => `apiVersion: v1
kind: Config
clusters:
- name: c
  cluster: {server: "${server}"}
users:
- name: u
  user: {token: hunter2}
contexts:
- name: x
  context: {cluster: c, user: u}
current-context: x
`;

const policyLine = (spec: object): string =>
  JSON.stringify({ apiVersion: 'abac.authorization.orch.io/v1beta1', kind: 'Policy', spec });
const aliceReads = policyLine({
  user: 'alice',
  namespace: '*',
  resource: '*',
  apiGroup: '*',
  readonly: true,
});
const issuer = ['--oidc-issuer-url=https://issuer.example', '--oidc-client-id=orch'];

interface BadStart {
  readonly flag: string;
  readonly what: string;
  readonly text: string;
  readonly rest?: readonly string[];
  /** The part of the message after the name of the file. */
  readonly message: RegExp;
}

const bad: readonly BadStart[] = [
  {
    flag: 'authorization-policy-file',
    what: 'a line that is not JSON',
    text: `${aliceReads}\n# a comment\n{"kind": \n`,
    rest: ['--authorization-mode=ABAC'],
    message: /^line 3: /,
  },
  {
    flag: 'authorization-policy-file',
    what: 'a misspelt member',
    text: `${aliceReads}\n${policyLine({ user: 'bob', readOnly: true })}\n`,
    rest: ['--authorization-mode=ABAC'],
    message: /^line 2: .*readOnly/,
  },
  {
    flag: 'authorization-policy-file',
    what: 'another version',
    text: aliceReads.replace('v1beta1', 'v7'),
    rest: ['--authorization-mode=ABAC'],
    message: /^line 1: .*v1beta1/,
  },
  ...[
    'authentication-token-webhook-config-file',
    'authorization-webhook-config-file',
    'audit-webhook-config-file',
  ].flatMap((flag): BadStart[] => {
    const rest = flag.startsWith('authorization') ? ['--authorization-mode=Webhook'] : [];
    return [
      {
        flag,
        what: 'YAML that cannot be read',
        text: 'apiVersion: v1\nkind: Config\nclusters: [\n',
        rest,
        message: /\bline 4\b/,
      },
      {
        flag,
        what: 'an address that is none',
        text: webhookFile('gopher://x'),
        rest,
        message: /^line 5: cluster\.server: "gopher:\/\/x" is not an http or https URL/,
      },
      {
        flag,
        what: 'a program that would have to run',
        text: webhookFile('https://x').replace('{token: hunter2}', '{exec: {command: rm}}'),
        rest,
        message: /^line 8: user\.exec: is not supported/,
      },
    ];
  }),
  {
    flag: 'oidc-ca-file',
    what: 'no certificate',
    text: 'hello',
    rest: issuer,
    message: /^it contains no certificate/,
  },
  {
    flag: 'oidc-ca-file',
    what: 'a broken certificate',
    text: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    rest: issuer,
    message: /asn1/,
  },
  { flag: 'client-ca-file', what: 'no certificate', text: '', message: /^it contains no certificate/ },
  {
    flag: 'requestheader-client-ca-file',
    what: 'no certificate',
    text: 'key',
    rest: ['--requestheader-username-headers=X-Remote-User'],
    message: /^it contains no certificate/,
  },
  {
    flag: 'token-auth-file',
    what: 'a line with too little',
    text: 'a,alice,1\nb,bob\n',
    message: /^line 2: /,
  },
  {
    flag: 'token-auth-file',
    what: 'a token that stands twice',
    text: 'a,alice,1\na,bob,2\n',
    message: /^line 2: /,
  },
  {
    flag: 'service-account-key-file',
    what: 'no key',
    text: 'x',
    message: /^it contains no key/,
  },
  {
    flag: 'audit-policy-file',
    what: 'a rule with an unknown level',
    text: 'apiVersion: audit.orch.io/v1\nkind: Policy\nrules:\n- level: Everything\n',
    rest: ['--audit-log-path=-'],
    message: /^line 4: .*Everything/,
  },
];

const commandLine = (argv: readonly string[]): readonly string[] => [
  '--secure-port=0',
  '--bind-address=127.0.0.1',
  `--cert-dir=${join(work, 'certs')}`,
  `--data-dir=${join(work, 'data')}`,
  ...argv,
];

/** Runs the program in this process until it ends by itself. */
const ended = (argv: readonly string[]) =>
  capturedRun(
    apiServerProgram(() => assert.fail('the server started')),
    commandLine(argv),
  );

/** Fails unless the output reports the file of a case, with its reason, and neither secrets nor a stack. */
function assertReported(output: string, { flag, message }: BadStart, path: string): void {
  const line = output.split('\n').find((one) => one.startsWith('orch-apiserver: ')) ?? output;
  const head = `orch-apiserver: --${flag} ${path}: `;
  assert.ok(line.startsWith(head), line);
  assert.match(line.slice(head.length), message);
  assert.ok(!output.includes('hunter2'), 'no secrets in messages');
  assert.ok(!output.includes('    at '), 'no stack');
}

describe('API server with invalid files or flags', { timeout: 240_000 }, () => {
  for (const one of bad) {
    const { flag, what, text, rest = [] } = one;
    it(`the API server does not start when --${flag} names a file with ${what}, and reports file, line and reason`, async () => {
      const path = fileOf(text);
      const { code, err } = await ended([`--${flag}=${path}`, ...rest]);
      assert.equal(code, 1, err);
      assertReported(err, one, path);
    });
  }

  it('the process of an API server that does not start ends with 1, and its log contains no secrets', async () => {
    const one = bad.find(({ text }) => text.includes('hunter2')) ?? assert.fail();
    const path = fileOf(one.text);
    const argv = [`--${one.flag}=${path}`, ...(one.rest ?? [])];
    const { code, stdout, stderr } = await run(builtProgram, commandLine(argv), { timeoutMs: 20_000 });
    assert.equal(code, 1, stderr);
    assertReported(stdout + stderr, one, path);
  });

  for (const [argv, message] of [
    [['--authorization-mode=ABAC'], '--authorization-mode=ABAC needs --authorization-policy-file'],
    [
      ['--authorization-mode=Webhook'],
      '--authorization-mode=Webhook needs --authorization-webhook-config-file',
    ],
    [['--authorization-mode=Magic'], 'invalid value "Magic" for --authorization-mode'],
    [['--oidc-issuer-url=https://x'], '--oidc-issuer-url and --oidc-client-id must be given together'],
    [
      ['--oidc-issuer-url=http://x', '--oidc-client-id=y'],
      'invalid value "http://x" for --oidc-issuer-url: must be an https URL without user, query and fragment',
    ],
    [
      [...issuer, '--oidc-signing-algs=HS256'],
      'invalid value "HS256" for --oidc-signing-algs: must be RS, ES or PS with 256, 384 or 512',
    ],
    [
      [...issuer, '--oidc-required-claim=x'],
      'invalid value "x" for --oidc-required-claim: must be key=value',
    ],
  ] as const) {
    it(`the API server does not start with ${argv.at(-1)} and explains the reason in one line`, async () => {
      const { code, out, err } = await ended(argv);
      assert.deepEqual([code, out], [2, ''], err);
      assert.ok(err.startsWith(`orch-apiserver: ${message}`), err);
      assert.equal(err.trim().split('\n').length, 1);
    });
  }
});

describe('API server with all authorization modes', { timeout: 180_000 }, () => {
  it('the API server combines ABAC, Webhook, Node, RBAC and OIDC, and asks the authorizers in the order of --authorization-mode', async () => {
    const {
      client: admin,
      config,
      ...server
    } = await launchServer({
      args: [
        '--authorization-mode=ABAC,Node,Webhook,RBAC',
        `--authorization-policy-file=${fileOf(`${aliceReads}\n`)}`,
        // No webhook listens there: the next mode decides about requests that it cannot be asked about.
        `--authorization-webhook-config-file=${fileOf(webhookFile('http://127.0.0.1:1'))}`,
        `--token-auth-file=${fileOf('t1,alice,1\nt2,system:node:n1,2,"system:nodes"\nt3,root,3,"system:masters"\n')}`,
        ...issuer,
        `--oidc-ca-file=${fileOf(authority.cert)}`,
        `--requestheader-client-ca-file=${fileOf(authority.cert)}`,
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        '--requestheader-allowed-names=front',
      ],
    });
    await using _server = server;
    assert.equal((await admin.get('/readyz')).status, 200);
    const as = (token: string) => new ApiClient({ ...config, cert: undefined, key: undefined, token });
    using alice = as('t1');
    using node = as('t2');
    assert.equal((await alice.get('/api/v1/secrets')).status, 200, 'by the policy file');
    assert.equal((await node.get('/api/v1/nodes/n1')).status, 404, 'by the mode Node');
    const pod = (name: string, nodeName: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: {
        nodeName,
        containers: [{ name: 'c', image: 'x', envFrom: [{ secretRef: { name: `of-${name}` } }] }],
      },
    });
    for (const [name, nodeName] of [
      ['own', 'n1'],
      ['foreign', 'n2'],
    ] as const) {
      const made = await admin.post('/api/v1/namespaces/default/pods', pod(name, nodeName));
      assert.equal(made.status, 201, made.text);
    }
    const secretOf = (name: string) => node.get(`/api/v1/namespaces/default/secrets/of-${name}`);
    assert.equal((await secretOf('own')).status, 404, 'a pod on the node references the secret');
    assert.equal((await secretOf('foreign')).status, 403, 'only a pod on another node references the secret');
    // Extension API servers read the trusted authorities from a config map, which a dedicated role permits.
    const path = '/api/v1/namespaces/orch-system/configmaps/extension-apiserver-authentication';
    const published = await eventually(
      () => admin.get(path),
      ({ status }) => status === 200,
      10_000,
    );
    const { data } = published.json as { readonly data: Readonly<Record<string, string>> };
    assert.deepEqual(
      { ...data, 'client-ca-file': data['client-ca-file']?.includes('BEGIN CERTIFICATE') },
      {
        'client-ca-file': true,
        'requestheader-client-ca-file': `${authority.cert.trim()}\n`,
        'requestheader-username-headers': '["X-Remote-User"]',
        'requestheader-group-headers': '["X-Remote-Group"]',
        'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
        'requestheader-allowed-names': '["front"]',
      },
    );
    assert.ok(!published.text.includes('PRIVATE KEY'));
    const unknown = as('no.such.token');
    assert.equal((await unknown.get('/api/v1/nodes')).status, 401);
    unknown[Symbol.dispose]();
  });
});
