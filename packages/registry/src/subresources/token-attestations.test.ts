import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenRequestKind as kind, openTokenApi as open, tokenPath as path } from '../testing/token-api.ts';

const groups = 'admissionReviewAPIGroups';
const ref = {
  kind: 'ValidatingWebhookConfiguration',
  apiVersion: 'admissionregistration.orch.io/v1',
  name: 'w',
};
const field = 'spec.attestations';

/** The status of the answer, and the fields of its causes. */
async function answerTo(release: string, spec: object): Promise<readonly unknown[]> {
  await using api = await open({ release });
  const { status, json } = await api.post(path, { ...kind, spec });
  const causes = (json.details?.causes ?? []) as readonly { readonly field: string }[];
  return [status, ...causes.map((cause) => cause.field)];
}

describe('attestations of token requests', () => {
  for (const [title, spec, ...expected] of [
    ['no bound object', { attestations: { [groups]: ['apps'] } }, 422, field],
    ['a pod', { boundObjectRef: { kind: 'Pod', name: 'p' }, attestations: { a: ['b'] } }, 422, field],
    [
      'a pod, for a second',
      { boundObjectRef: { kind: 'Pod', name: 'p' }, attestations: { a: [] }, expirationSeconds: 1 },
      422,
      field,
    ],
    ['a webhook without audiences', { boundObjectRef: ref }, 422, 'spec.audiences', field],
    ['two claims', { audiences: ['a'], attestations: { a: ['b'], [groups]: ['*'] } }, 422, field],
    ['an unknown claim', { audiences: ['a'], attestations: { a: ['b'] } }, 422, `${field}[a]`],
    ['two groups', { audiences: ['a'], attestations: { [groups]: ['a', 'b'] } }, 422, `${field}[${groups}]`],
    ['no group', { audiences: ['a'], attestations: { [groups]: [''] } }, 422, `${field}[${groups}][0]`],
    ['a bad group', { audiences: ['a'], attestations: { [groups]: ['A_'] } }, 422, `${field}[${groups}][0]`],
    ['all groups', { audiences: ['a'], attestations: { [groups]: ['*'] } }, 400],
    ['one group', { audiences: ['a'], attestations: { [groups]: ['apps'] } }, 400],
  ] as const)
    it(`a token request with ${title} gets ${expected[0]}`, async () => {
      const isBound = 'boundObjectRef' in spec || title === 'no bound object';
      assert.deepEqual(await answerTo('1.37', isBound ? spec : { ...spec, boundObjectRef: ref }), expected);
    });

  it('a refused bond to a webhook names the feature gate that is disabled', async () => {
    await using api = await open({ release: '1.37' });
    const spec = { audiences: ['a'], boundObjectRef: ref, attestations: { [groups]: ['*'] } };
    assert.equal(
      (await api.post(path, { ...kind, spec })).json.message,
      'cannot bind token to object of type admissionregistration.orch.io/v1, Kind=ValidatingWebhookConfiguration (feature gate APIServerWebhookAuthenticationToken is disabled)',
    );
  });

  it('releases before 1.37 drop attestations', async () => {
    await using api = await open({ release: '1.36' });
    const answer = await api.post(path, { ...kind, spec: { attestations: { [groups]: ['apps'] } } });
    assert.deepEqual([answer.status, answer.json.spec.attestations], [201, undefined]);
  });
});
