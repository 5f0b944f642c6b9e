import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { levelText, parseLevel, parseVersion } from './levels.ts';
import { PolicyReader, privilegedPolicy } from './namespace-policy.ts';

const names = namesFor('orch');

/** Labels by mode: `{ enforce: 'baseline', 'enforce-version': 'v1.20' }`. */
const labelled = (modes: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(modes).map(([mode, value]) => [`pod-security.orch.io/${mode}`, value]));

function read(modes: Readonly<Record<string, string>>, release = '1.24', defaults = privilegedPolicy) {
  const { policy, problems } = new PolicyReader(defaults, names, release).read(labelled(modes));
  return {
    policy: [policy.enforce, policy.audit, policy.warn].map(levelText).join(' '),
    problems: problems.map(({ field, message }) => `${field}: ${message}`),
  };
}

const INVALID_LEVEL = 'must be one of privileged, baseline, restricted';
const INVALID_VERSION = 'must be "latest" or "v1.x"';

describe('policy of a namespace', () => {
  for (const [title, modes, expected] of [
    ['without labels is the default one', {}, 'privileged:latest privileged:latest privileged:latest'],
    [
      'has the latest version unless another one is set',
      { enforce: 'baseline', audit: 'restricted', 'audit-version': 'v1.20' },
      'baseline:latest restricted:v1.20 privileged:latest',
    ],
    [
      'may set a version without a level',
      { 'warn-version': 'v1.19' },
      'privileged:latest privileged:latest privileged:v1.19',
    ],
  ] as const)
    it(`the policy of a namespace ${title}`, () => {
      assert.deepEqual(read(modes), { policy: expected, problems: [] });
    });

  for (const [title, modes, expected, release] of [
    ['is also warned about', { enforce: 'restricted' }, 'restricted:latest', '1.26'],
    [
      'is warned about in its version',
      { enforce: 'baseline', 'enforce-version': 'v1.20' },
      'baseline:v1.20',
      '1.26',
    ],
    [
      'keeps the version that is set for warnings',
      { enforce: 'baseline', 'warn-version': 'v1.9' },
      'baseline:v1.9',
      '1.26',
    ],
    [
      'does not replace the level that is set for warnings',
      { enforce: 'restricted', warn: 'privileged' },
      'privileged:latest',
      '1.26',
    ],
    ['is not warned about when it is invalid', { enforce: 'strict' }, 'privileged:latest', '1.26'],
    ['is not warned about before release 1.26', { enforce: 'restricted' }, 'privileged:latest', '1.25'],
  ] as const)
    it(`a level that is enforced ${title}`, () => {
      assert.equal(read(modes, release).policy.split(' ')[2], expected);
    });

  it('a default level for warnings that is stricter than the enforced one stays', () => {
    const warn = { level: 'restricted', version: 'latest' } as const;
    assert.match(
      read({ enforce: 'baseline' }, '1.26', { ...privilegedPolicy, warn }).policy,
      / restricted:latest$/,
    );
  });

  for (const [modes, policy, problem] of [
    [
      { enforce: 'strict' },
      'restricted:latest privileged:latest privileged:latest',
      `metadata.labels[pod-security.orch.io/enforce]: Invalid value: "strict": ${INVALID_LEVEL}`,
    ],
    [
      { audit: '' },
      'privileged:latest privileged:latest privileged:latest',
      `metadata.labels[pod-security.orch.io/audit]: Invalid value: "": ${INVALID_LEVEL}`,
    ],
    [
      { warn: 'Baseline' },
      'privileged:latest privileged:latest privileged:latest',
      `metadata.labels[pod-security.orch.io/warn]: Invalid value: "Baseline": ${INVALID_LEVEL}`,
    ],
    [
      { enforce: 'baseline', 'enforce-version': '1.20' },
      'baseline:latest privileged:latest privileged:latest',
      `metadata.labels[pod-security.orch.io/enforce-version]: Invalid value: "1.20": ${INVALID_VERSION}`,
    ],
  ] as const)
    it(`the labels ${JSON.stringify(modes)} are invalid and mean ${policy}`, () => {
      assert.deepEqual(read(modes), { policy, problems: [problem] });
    });

  it('levels and versions have one notation', () => {
    for (const text of ['privileged', 'baseline', 'restricted']) assert.equal(parseLevel(text), text);
    for (const text of ['', 'Restricted', 'constructor']) assert.equal(parseLevel(text), undefined);
    for (const text of ['latest', 'v1.0', 'v1.24'])
      assert.equal(parseVersion(text), text === 'latest' ? text : text.slice(1));
    for (const text of ['', 'v1', 'v1.01', 'v2.0', '1.24', 'v1.24.1', 'v1.-1', `v1.${'9'.repeat(20)}`])
      assert.equal(parseVersion(text), undefined, text);
  });
});
