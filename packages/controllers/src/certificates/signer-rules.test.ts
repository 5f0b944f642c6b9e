import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { keyUsageNames, pemBlocks, readCertificateRequest } from '@orch/pki/x509';
import { requests, signedRequests } from '@orch/pki/x509/testing';
import type { SignerKey } from '../options.ts';
import { isForNodeClient, signerProblem } from './signer-rules.ts';

const all = { ...requests, ...signedRequests };
type Name = keyof typeof all;
const read = (name: Name) => {
  const block = pemBlocks(all[name]).find(() => true);
  assert.ok(block);
  return readCertificateRequest(block.bytes);
};

const signing = 'digital signature';
const encipherment = 'key encipherment';
const client = [encipherment, signing, 'client auth'];
const serving = [encipherment, signing, 'server auth'];

const hosts = 'there must be a DNS name or an IP address among the alternative names';
const organization = (name: string): string => `the organization must be exactly ${name}`;
const noNames = 'this signer allows no alternative names';

/** Violations of every column of the table of spec 5.15; `undefined`: signed. */
const rows: readonly (readonly [SignerKey, Name, readonly string[], string | undefined])[] = [
  ['apiserverClient', 'ellipticCurve', ['client auth'], undefined],
  ['apiserverClient', 'rsa', client, undefined],
  ['apiserverClient', 'ed25519', [signing, 'client auth'], undefined],
  ['apiserverClient', 'nodeWithMail', ['client auth'], undefined],
  ['apiserverClient', 'international', ['client auth'], undefined],
  ['apiserverClient', 'empty', ['client auth'], undefined],
  ['apiserverClient', 'foreignAttributes', ['client auth'], undefined],
  ['apiserverClient', 'authority', ['client auth'], undefined],
  ['apiserverClient', 'ellipticCurve', [], 'the usages must include client auth'],
  ['apiserverClient', 'ellipticCurve', [signing, encipherment], 'the usages must include client auth'],
  [
    'apiserverClient',
    'ellipticCurve',
    ['client auth', 'server auth'],
    'this signer does not allow the usage "server auth"',
  ],
  [
    'apiserverClient',
    'ellipticCurve',
    ['client auth', 'cert sign'],
    'this signer does not allow the usage "cert sign"',
  ],
  ['apiserverClient', 'ellipticCurve', ['client auth', 'any'], 'this signer does not allow the usage "any"'],
  ['apiserverClient', 'twoCommonNames', ['client auth'], 'the subject has several common names'],

  ['apiserverClientNodeagent', 'nodeClient', client, undefined],
  ['apiserverClientNodeagent', 'nodeClient', client.toReversed(), undefined],
  ['apiserverClientNodeagent', 'ellipticCurve', client, organization('system:nodes')],
  ['apiserverClientNodeagent', 'twoOrganizations', client, organization('system:nodes')],
  ['apiserverClientNodeagent', 'empty', client, organization('system:nodes')],
  ['apiserverClientNodeagent', 'twoCommonNames', client, 'the subject has several common names'],
  ['apiserverClientNodeagent', 'nodeServing', client, noNames],
  ['apiserverClientNodeagent', 'nodeWithMail', client, noNames],
  ['apiserverClientNodeagent', 'otherName', client, noNames],
  [
    'apiserverClientNodeagent',
    'nodeClient',
    ['client auth'],
    `the usages must be exactly ${client.join(', ')}`,
  ],
  [
    'apiserverClientNodeagent',
    'nodeClient',
    [...client, 'server auth'],
    `the usages must be exactly ${client.join(', ')}`,
  ],
  ['apiserverClientNodeagent', 'nodeClient', serving, `the usages must be exactly ${client.join(', ')}`],

  ['nodeagentServing', 'nodeServing', serving, undefined],
  ['nodeagentServing', 'nodeClient', serving, hosts],
  ['nodeagentServing', 'otherName', serving, hosts],
  ['nodeagentServing', 'onlyNames', serving, organization('system:nodes')],
  [
    'nodeagentServing',
    'nodeWithMail',
    serving,
    'this signer allows no e-mail addresses as alternative names',
  ],
  ['nodeagentServing', 'nodeServing', client, `the usages must be exactly ${serving.join(', ')}`],
  [
    'nodeagentServing',
    'nodeServing',
    [signing, 'server auth'],
    `the usages must be exactly ${serving.join(', ')}`,
  ],

  ['legacyUnknown', 'ellipticCurve', [], undefined],
  ['legacyUnknown', 'nodeWithMail', keyUsageNames, undefined],
  ['legacyUnknown', 'twoCommonNames', serving, undefined],
  ['legacyUnknown', 'rsa1024', serving, 'an RSA key of 1024 bits is too short: the minimum is 2048'],
];

for (const naming of ['orch', 'kubernetes'] as const) {
  const names = namesFor(naming);
  describe(`signerProblem (${naming})`, () => {
    for (const [signer, name, usages, problem] of rows) {
      it(`${signer} ${problem === undefined ? 'signs' : 'rejects'} ${name} for ${usages.length > 4 ? 'all usages' : usages.join(' and ') || 'no usage'}: ${problem ?? 'valid'}`, () =>
        assert.equal(signerProblem(signer, { request: read(name), usages }, names), problem));
    }
  });
}

describe('the content of every certificate', () => {
  const names = namesFor('orch');
  const request = read('onlyNames');
  const [attribute] = read('ellipticCurve').subject.flat();
  assert.ok(attribute);
  const many = Array.from({ length: 1001 }, (_, i) => `a${i}.example.com`);
  for (const [title, changed, problem] of [
    ['an empty alternative name', { dnsNames: [''] }, 'an alternative name is empty, or not ASCII'],
    [
      'an alternative name beyond ASCII',
      { emailAddresses: ['ö@example.com'] },
      'an alternative name is empty, or not ASCII',
    ],
    [
      'an alternative name with a line break',
      { uris: ['a:b\nc'] },
      'an alternative name is empty, or not ASCII',
    ],
    ['1001 alternative names', { dnsNames: many }, 'there are more than 1000 alternative names'],
    [
      'a name with a NUL character',
      { subject: [[{ ...attribute, text: 'system:admin\0x' }]] },
      'the subject contains control characters or invalid ones',
    ],
    [
      'a name with an unpaired surrogate',
      { subject: [[{ ...attribute, text: 'a\ud880' }]] },
      'the subject contains control characters or invalid ones',
    ],
    [
      'a name that is not text',
      { subject: [[{ ...attribute, isText: false }]] },
      'the subject has an attribute that is not a string',
    ],
    [
      'a subject of 20,000 bytes',
      { subject: [[{ ...attribute, raw: Buffer.alloc(20_000) }]] },
      'the subject is longer than 16384 bytes',
    ],
  ] as const) {
    it(`no signer accepts ${title}`, () => {
      const asked = { request: { ...request, ...changed }, usages: ['client auth'] };
      for (const signer of ['apiserverClient', 'legacyUnknown'] as const)
        assert.equal(signerProblem(signer, asked, names), problem);
    });
  }
});

describe('requests for client certificates of nodes', () => {
  const names = namesFor('orch');
  for (const [name, usages, expected] of [
    ['nodeClient', client, true],
    ['nodeClient', serving, false],
    ['nodeServing', client, false],
    ['ellipticCurve', client, false],
    ['twoCommonNames', client, false],
  ] as const) {
    it(`${name} for ${usages.at(-1)} is ${expected ? 'a' : 'no'} request for the client certificate of a node`, () =>
      assert.equal(isForNodeClient({ request: read(name), usages }, names), expected));
  }
});
