import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import { namesFor } from '@orch/machinery';
import { makeRequest, simpleName } from '@orch/pki/x509/testing';
import { testWrite, validated } from '../testing/plugin-calls.ts';
import type { AdmissionAttributes } from '../types.ts';
import { nodeRestriction } from './node-restriction.ts';

const names = namesFor('orch');

/** The reason for which a write of node n1 is refused; undefined when it is admitted. */
async function refusal(write: Partial<AdmissionAttributes>, release: string): Promise<string | undefined> {
  const plugin = nodeRestriction({
    source: new MemoryObjectSource(),
    names,
    authorizer: { authorize: () => ({ verdict: 'noOpinion', reason: '' }) },
    restrictsAudiences: false,
    release,
  });
  const user = { name: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
  return validated(plugin, testWrite({ user, signal: AbortSignal.abort(), ...write }));
}

describe('resource slices of nodes', () => {
  const slice = (spec: object) => ({ metadata: { name: 's' }, spec });
  for (const [operation, spec, isAdmitted] of [
    ['CREATE', { nodeName: 'n1' }, true],
    ['CREATE', { nodeName: 'n2' }, false],
    ['CREATE', { allNodes: true }, false],
    ['DELETE', { nodeName: 'n1' }, true],
    ['DELETE', { nodeName: 'n2' }, false],
    ['UPDATE', { nodeName: 'n2' }, true],
  ] as const)
    it(`the plugin ${isAdmitted ? 'admits' : 'refuses'} ${operation} of a slice with ${JSON.stringify(spec)} by a node`, async () => {
      const target = { group: 'resource', resource: 'resourceslices', operation };
      const objects = operation === 'DELETE' ? { oldObject: slice(spec) } : { object: slice(spec) };
      const refused = await refusal({ ...target, ...objects }, '1.37');
      if (isAdmitted) assert.equal(refused, undefined);
      else assert.match(String(refused), /can only (create|delete) resource slices with its own name/);
    });
});

describe('certificate requests of nodes', () => {
  const serving = names.signers.nodeagentServing;
  const requested = (commonName: string): string =>
    Buffer.from(
      `-----BEGIN CERTIFICATE REQUEST-----\n${makeRequest({ subject: simpleName(commonName) }).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`,
    ).toString('base64');
  for (const [title, release, signerName, request, isAdmitted] of [
    ['its own name', '1.32', serving, requested('system:node:n1'), true],
    ['the name of another', '1.32', serving, requested('system:node:n2'), false],
    ['the name of another', '1.31', serving, requested('system:node:n2'), true],
    ['another name for clients', '1.37', names.signers.apiserverClientNodeagent, requested('admin'), false],
    ['another name for another signer', '1.37', 'example.com/s', requested('admin'), true],
    ['an unreadable request', '1.37', serving, 'AAAA', false],
  ] as const)
    it(`the plugin ${isAdmitted ? 'admits' : 'refuses'} a request of a node with ${title} in release ${release}`, async () => {
      const object = { metadata: { name: 'r' }, spec: { signerName, request } };
      const target = { group: 'certificates', resource: 'certificatesigningrequests' } as const;
      const refused = await refusal({ ...target, operation: 'CREATE', object }, release);
      if (isAdmitted) assert.equal(refused, undefined);
      else assert.match(String(refused), /with the common name "system:node:n1"/);
    });
});
