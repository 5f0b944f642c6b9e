import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { namesFor } from '@orch/machinery';
import { encodePem } from '@orch/pki/x509';
import { authorities, base64, makeRequest, simpleName } from '@orch/pki/x509/testing';
import { ApiClient, type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';

const names = namesFor('kubernetes');
const group = names.group('certificates');
const rbac = `/apis/${names.group('rbac')}/v1`;
const { apiserverClient } = names.signers;

/** Permissions by user; `all` has every path of requests, but no signer. */
const paths = [
  {
    apiGroups: [group],
    resources: [
      'certificatesigningrequests',
      'certificatesigningrequests/approval',
      'certificatesigningrequests/status',
    ],
    verbs: ['*'],
  },
];
const signers = (verb: string, ...resourceNames: readonly string[]) => ({
  apiGroups: [group],
  resources: ['signers'],
  verbs: [verb],
  resourceNames,
});
const roles: Readonly<Record<string, readonly object[]>> = {
  all: paths,
  approver: [...paths, signers('approve', `${apiserverClient.split('/')[0]}/*`)],
  signer: [...paths, signers('sign', names.signers.legacyUnknown, apiserverClient)],
};

interface SigningRequest {
  readonly metadata: Record<string, unknown>;
  readonly status: { readonly certificate?: string; readonly conditions?: readonly { type: string }[] };
}

for (const [release, version] of [
  ['1.24', 'v1'],
  ['1.20', 'v1'],
  ['1.20', 'v1beta1'],
  ['1.17', 'v1beta1'],
] as const) {
  const requests = `/apis/${group}/${version}/certificatesigningrequests`;
  const hasSigners = release !== '1.17';

  describe(`a user of certificate requests ${version} of release ${release} without a signer`, {
    timeout: 120_000,
  }, () => {
    const work = mkdtempSync(join(tmpdir(), 'orch-requests-'));
    let server: LaunchedServer;
    const users: Record<string, ApiClient> = {};
    let count = 0;

    before(async () => {
      const list = Object.keys(roles).map((name) => `token-of-${name},${name},${name}`);
      writeFileSync(join(work, 'tokens'), `${list.join('\n')}\n`);
      server = await launchServer({
        program: 'orch',
        naming: 'kubernetes',
        args: [
          `--token-auth-file=${join(work, 'tokens')}`,
          '--authorization-mode=RBAC',
          `--emulated-version=${release}`,
        ],
      });
      const apiGroup = names.group('rbac');
      for (const [name, rules] of Object.entries(roles)) {
        const token = `token-of-${name}`;
        users[name] = new ApiClient({ ...server.config, cert: undefined, key: undefined, token });
        const [kind, metadata] = ['ClusterRole', { name }];
        const bound = { roleRef: { apiGroup, kind, name }, subjects: [{ apiGroup, kind: 'User', name }] };
        await good(server.client.post(`${rbac}/clusterroles`, { metadata, rules }));
        await good(server.client.post(`${rbac}/clusterrolebindings`, { metadata, ...bound }));
      }
    });
    after(async () => {
      for (const user of Object.values(users)) user[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      rmSync(work, { recursive: true, force: true });
    });

    const as = (name: string): ApiClient => users[name] ?? server.client;

    async function good(answering: Promise<ApiResponse>): Promise<ApiResponse> {
      const answer = await answering;
      assert.ok(answer.status < 300, answer.text);
      return answer;
    }

    const asking = (organizations: readonly string[], signerName = apiserverClient): object => {
      const der = makeRequest({ subject: simpleName('mallory', organizations) });
      return {
        apiVersion: `${group}/${version}`,
        kind: 'CertificateSigningRequest',
        metadata: { name: `r-${++count}` },
        spec: {
          request: base64(encodePem('CERTIFICATE REQUEST', der)),
          usages: ['client auth'],
          ...(hasSigners ? { signerName } : {}),
        },
      };
    };
    const made = async (organizations: readonly string[] = ['dev']): Promise<SigningRequest> =>
      (await good(as('all').post(requests, asking(organizations)))).json as SigningRequest;

    const stored = async (name: unknown): Promise<SigningRequest> =>
      (await good(server.client.get(`${requests}/${name}`))).json as SigningRequest;

    /** The ways in which a part of the status is written through a path. */
    const writes = (
      user: string,
      request: SigningRequest,
      { path, status }: { path: string; status: object },
    ): Readonly<Record<string, (query?: string) => Promise<ApiResponse>>> => {
      const target = `${requests}/${request.metadata['name']}/${path}`;
      const patch = (contentType: string, body: unknown) => (query: string) =>
        as(user).send('PATCH', `${target}?fieldManager=m${query}`, {
          body: JSON.stringify(body),
          contentType,
        });
      const { name, resourceVersion } = request.metadata;
      const { apiVersion, kind } = { apiVersion: `${group}/${version}`, kind: 'CertificateSigningRequest' };
      const ways = {
        update: (query: string) =>
          as(user).put(`${target}?fieldManager=m${query}`, {
            ...request,
            metadata: { name, resourceVersion },
            status,
          }),
        'merge patch': patch('application/merge-patch+json', { status }),
        'JSON patch': patch('application/json-patch+json', [{ op: 'add', path: '/status', value: status }]),
        'strategic merge patch': patch('application/strategic-merge-patch+json', { status }),
        apply: patch('application/apply-patch+yaml', { apiVersion, kind, metadata: { name }, status }),
      };
      return Object.fromEntries(
        Object.entries(ways).flatMap(([way, write]) => [
          [way, () => write('')],
          [`${way} as a dry run`, () => write('&dryRun=All')],
        ]),
      );
    };
    const isTrue = release === '1.17' ? {} : { status: 'True' };
    const approved = { conditions: [{ type: 'Approved', reason: 'Mine', ...isTrue }] };
    const failed = { conditions: [{ type: 'Failed', reason: 'Mine', ...isTrue }] };
    const denied = { conditions: [{ type: 'Denied', reason: 'Mine', ...isTrue }] };

    for (const [what, attack] of [
      ['approves', { path: 'approval', status: approved }],
      ['denies', { path: 'approval', status: denied }],
      ['sets a certificate', { path: 'status', status: { certificate: base64(authorities[0]) } }],
      ['sets a failure', { path: 'status', status: failed }],
    ] as const) {
      it(`a user with permission for the path but not for the signer never ${what}`, async () => {
        const request = await made();
        for (const [way, write] of Object.entries(writes('all', request, attack))) {
          const answer = await write();
          assert.equal(answer.status, 403, `${way}: ${answer.text}`);
          assert.match(answer.text, /user not permitted to (approve|sign) requests with signerName/, way);
        }
        assert.deepEqual((await stored(request.metadata['name'])).status, {});
      });
    }

    it('a certificate signing request that is created with approval and certificate is pending', async () => {
      const status = { ...approved, certificate: base64(authorities[0]) };
      const answer = await good(as('all').post(requests, { ...asking(['dev']), status }));
      assert.deepEqual((answer.json as SigningRequest).status, {});
      const { name } = (answer.json as SigningRequest).metadata;
      const target = `${requests}/${name}`;
      await good(
        as('all').send('PATCH', target, {
          body: JSON.stringify({ status }),
          contentType: 'application/merge-patch+json',
        }),
      );
      assert.deepEqual((await stored(name)).status, {});
    });

    it('permission to sign does not permit approval, and permission to approve does not permit signing', async () => {
      const request = await made();
      const certificate = base64(authorities[0]);
      for (const [user, attack] of [
        ['signer', { path: 'approval', status: approved }],
        ['approver', { path: 'status', status: { certificate } }],
      ] as const)
        for (const [way, write] of Object.entries(writes(user, request, attack)))
          assert.equal((await write()).status, 403, `${user}: ${way}`);
    });

    // Requests of releases without signers are those of the legacy signer, which has no rule about subjects.
    if (hasSigners)
      it('a client certificate for the group system:masters cannot be requested, not even by an administrator', async () => {
        for (const user of ['all', 'approver', 'admin'])
          for (const query of ['', '?dryRun=All']) {
            const request = asking(['dev', 'system:masters']);
            const target = `${requests}/r-${count}${query === '' ? '?' : `${query}&`}fieldManager=m`;
            const [body, contentType] = [JSON.stringify(request), 'application/apply-patch+yaml'];
            for (const answer of [
              await as(user).post(`${requests}${query}`, request),
              await as(user).send('PATCH', target, { body, contentType }),
            ]) {
              assert.equal(answer.status, 403, answer.text);
              assert.match(answer.text, /use of \S+ signer with system:masters group is not allowed/);
            }
          }
      });

    it('a user with permission for the domain of the signer approves, and the controller signs', async () => {
      const request = await made();
      const { 'merge patch': approve } = writes('approver', request, { path: 'approval', status: approved });
      assert.ok(approve);
      await good(approve());
      const { name } = request.metadata;
      const end = performance.now() + 30_000;
      let { status } = await stored(name);
      while (status.certificate === undefined && performance.now() < end) {
        await pause(50);
        ({ status } = await stored(name));
      }
      assert.match(Buffer.from(status.certificate ?? '', 'base64').toString(), /BEGIN CERTIFICATE/);
    });
  });
}
