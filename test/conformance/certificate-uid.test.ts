import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { certificateOfSubject, testCertificate } from '@orch/pki/x509/testing';
import { ApiClient, launchServer } from '@orch/testkit';

const authority = testCertificate({ commonName: 'people-ca', use: 'authority' });
const uidOf = (...uids: string[]) =>
  certificateOfSubject(
    [['2.5.4.3', 'alice'], ...uids.map((uid) => ['1.3.6.1.4.1.57683.2', uid] as const)],
    authority,
  );

describe('uids of client certificates', { timeout: 120_000 }, () => {
  for (const [title, release, args, expected] of [
    ['shown from release 1.33 on', '1.33', [], 'u-7'],
    ['ignored up to release 1.32', '1.32', [], undefined],
    [
      'ignored without the gate',
      '1.33',
      ['--feature-gates=AllowParsingUserUIDFromCertAuth=false'],
      undefined,
    ],
  ] as const)
    it(`the uid in the subject of a client certificate is ${title}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'orch-uid-'));
      try {
        writeFileSync(join(folder, 'people.crt'), authority.cert);
        await using server = await launchServer({
          release,
          args: [`--client-ca-file=${join(folder, 'people.crt')}`, ...args],
        });
        const review = async (...uids: string[]) => {
          const { key, cert } = uidOf(...uids);
          using client = new ApiClient({
            ...server.config,
            ...{ key: Buffer.from(key), cert: Buffer.from(cert) },
          });
          return await client.post('/apis/authentication.orch.io/v1/selfsubjectreviews', {
            apiVersion: 'authentication.orch.io/v1',
            kind: 'SelfSubjectReview',
          });
        };
        const { status, text } = await review('u-7');
        assert.equal(status, 201, text);
        const { userInfo } = (
          JSON.parse(text) as { status: { userInfo: { username: string; uid?: string } } }
        ).status;
        assert.equal(userInfo.username, 'alice');
        assert.equal(userInfo.uid, expected);
        assert.equal((await review('a', 'b')).status, expected === undefined ? 201 : 401);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
});
