import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientConfigError, Remote, RemoteError } from '@orch/auth';
import { type ApiObject, namesFor } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import { systemRandom } from '@orch/machinery/env';
import { FakeClock, settle } from '@orch/machinery/testing';
import { ConfigFileError, ConfigValue, encodeYaml } from '@orch/machinery/yaml';
import { mutated, testWrite, validated } from '../testing/plugin-calls.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal } from '../types.ts';
import { imagePolicyWebhook } from './image-policy-webhook.ts';

const names = namesFor('orch');
const apiVersion = 'imagepolicy.orch.io/v1alpha1';
const FAILED_OPEN = 'alpha.image-policy.orch.io/failed-open';
const AUDIT = 'imagepolicywebhook.image-policy.orch.io/';

const answer = (status: unknown): object => ({ apiVersion, kind: 'ImageReview', status });
const allowed = answer({ allowed: true });
const denied = answer({ allowed: false, reason: 'not signed' });
/** Fails at once: another attempt does not change the answer. */
const failure = new RemoteError('it answered 404', false);

/** A plugin whose backend answers with `next`, or fails with it. */
class Policed {
  readonly clock = new FakeClock();
  readonly reviews: unknown[] = [];
  readonly plugin: AdmissionPlugin;
  next: unknown;

  constructor(next: unknown, policy: object = {}) {
    this.next = next;
    const post = async (body: object, signal: AbortSignal): Promise<unknown> => {
      this.reviews.push(body);
      if (this.next === 'silence') await abortable(new Promise(() => {}), signal);
      if (this.next instanceof Error) throw this.next;
      return this.next;
    };
    const text = encodeYaml({ imagePolicy: { kubeConfigFile: 'backend.conf', ...policy } });
    this.plugin = imagePolicyWebhook({
      configuration: () => ConfigValue.parse(text, '/etc/policy.yaml'),
      names,
      clock: this.clock,
      openService: () => new Remote({ post, clock: this.clock, random: systemRandom }),
    });
  }

  /** The refusal of a write, or the pod as it would be stored; and the audit annotations. */
  async admit(write: Partial<AdmissionAttributes>): Promise<{
    readonly refusal: Refusal | undefined;
    readonly object: ApiObject | undefined;
    readonly audited: Readonly<Record<string, string>>;
  }> {
    const audited: Record<string, string> = {};
    const report = {
      warn: () => {},
      annotate: (key: string, value: string) => {
        audited[key] = value;
      },
      exclude: () => {},
      step: () => {},
    };
    const attributes = testWrite({ ...write, report });
    const { refusal, object } = await mutated(this.plugin, attributes);
    const verdict = refusal ?? (await validated(this.plugin, { ...attributes, object }));
    return { refusal: verdict, object, audited };
  }
}

const containers = (...images: readonly string[]) => images.map((image, i) => ({ name: `c${i}`, image }));

const pod = (
  spec: object = { containers: containers('a:1') },
  annotations?: Record<string, string>,
): ApiObject => ({
  metadata: { name: 'p', namespace: 'ns', ...(annotations === undefined ? {} : { annotations }) },
  spec,
});

describe('admission plugin ImagePolicyWebhook, answers of the backend', () => {
  const wrongAnswer = `the image policy webhook: its response is not an ${apiVersion} ImageReview`;
  for (const [title, next, refusal] of [
    ['an allowed pod is admitted', allowed, undefined],
    [
      'a pod is refused with the reason',
      denied,
      'image policy webhook backend denied one or more images: not signed',
    ],
    [
      'a pod is refused without a reason',
      answer({ allowed: false }),
      'one or more images rejected by webhook backend',
    ],
    ['an answer without a decision denies', answer({}), 'one or more images rejected by webhook backend'],
    [
      'an answer without a status denies',
      { apiVersion, kind: 'ImageReview' },
      'one or more images rejected by webhook backend',
    ],
    ['an answer of another kind is a failure', { ...allowed, kind: 'TokenReview' }, wrongAnswer],
    [
      'an answer of another version is a failure',
      { ...allowed, apiVersion: 'imagepolicy.orch.io/v1' },
      wrongAnswer,
    ],
    ['a decision that is a string is a failure', answer({ allowed: 'true' }), wrongAnswer],
    ['a reason that is not a string is a failure', answer({ allowed: true, reason: 1 }), wrongAnswer],
    ['a status that is not an object is a failure', answer('allowed'), wrongAnswer],
    ['an answer that is not an object is a failure', [allowed], wrongAnswer],
    ['a failure refuses pods', failure, 'the image policy webhook: it answered 404'],
  ] as const)
    it(title, async () => assert.equal((await new Policed(next).admit({ object: pod() })).refusal, refusal));

  it('a pod is admitted and marked when the backend fails and failures are allowed', async () => {
    const policed = new Policed(failure, { defaultAllow: true });
    const { refusal, object, audited } = await policed.admit({ object: pod(undefined, { x: 'y' }) });
    assert.equal(refusal, undefined);
    assert.deepEqual(object?.metadata.annotations, { x: 'y', [FAILED_OPEN]: 'true' });
    assert.deepEqual(audited, { [`${AUDIT}failed-open`]: 'true', [FAILED_OPEN]: 'true' });
    assert.equal(policed.reviews.length, 1);
  });

  it('a pod that is denied is not admitted because failures are allowed', async () => {
    const { refusal, audited } = await new Policed(denied, { defaultAllow: true }).admit({ object: pod() });
    assert.match(String(refusal), /not signed$/);
    assert.deepEqual(audited, {});
  });

  it('the images that are stored are decided on, not those before later plugins changed them', async () => {
    const policed = new Policed(denied, { defaultAllow: true });
    const { refusal } = await mutated(policed.plugin, testWrite({ object: pod() }));
    assert.equal(refusal, undefined);
    policed.next = allowed;
    const changed = testWrite({ object: pod({ containers: containers('mirror/a:1') }) });
    assert.equal(await validated(policed.plugin, changed), undefined);
  });

  it('valid audit annotations of the answer are added to the audit event, also when it denies', async () => {
    const auditAnnotations = { 'signed-by': 'alice', 'not valid/': 'x', number: 1 };
    for (const isAllowed of [true, false]) {
      const policed = new Policed(answer({ allowed: isAllowed, auditAnnotations }));
      assert.deepEqual((await policed.admit({ object: pod() })).audited, { [`${AUDIT}signed-by`]: 'alice' });
    }
  });

  it('a backend that does not answer within half a minute fails', async () => {
    const policed = new Policed('silence');
    const admitted = policed.admit({ object: pod() });
    await settle();
    await policed.clock.advance(30_000);
    assert.match(String((await admitted).refusal), /^the image policy webhook: /);
  });

  it('a reason is limited to 4096 characters', async () => {
    const policed = new Policed(answer({ allowed: false, reason: 'x'.repeat(1_000_000) }));
    const { refusal = '' } = await policed.admit({ object: pod() });
    assert.equal(refusal.length, 'image policy webhook backend denied one or more images: '.length + 4096);
  });
});

describe('admission plugin ImagePolicyWebhook, what is reviewed', () => {
  const key = 'team.image-policy.orch.io/ticket';
  const old = pod({ containers: containers('a:1', 'b:1'), ephemeralContainers: containers('debug:1') });

  for (const [title, write, spec] of [
    [
      'images of containers and initial containers with the namespace',
      { object: pod({ containers: containers('a:1', 'b:1'), initContainers: containers('i:1') }) },
      { containers: [{ image: 'a:1' }, { image: 'b:1' }, { image: 'i:1' }], namespace: 'ns' },
    ],
    [
      'annotations for image policies without those of this plugin, and no others',
      {
        object: pod(undefined, {
          [key]: '7',
          'image-policy.orch.io/x': '1',
          other: '2',
          [FAILED_OPEN]: 'true',
        }),
      },
      { containers: [{ image: 'a:1' }], namespace: 'ns', annotations: { [key]: '7' } },
    ],
    [
      'all images of an update that changes one',
      { object: pod({ containers: containers('a:2', 'b:1') }), oldObject: old },
      { containers: [{ image: 'a:2' }, { image: 'b:1' }], namespace: 'ns' },
    ],
    [
      'ephemeral containers of their subresource',
      {
        subresource: 'ephemeralcontainers',
        object: pod({
          ...old,
          containers: containers('a:1'),
          ephemeralContainers: containers('debug:1', 'debug:2'),
        }),
        oldObject: old,
      },
      { containers: [{ image: 'debug:1' }, { image: 'debug:2' }], namespace: 'ns' },
    ],
  ] as const)
    it(`a review contains ${title}`, async () => {
      const policed = new Policed(denied);
      assert.match(String((await policed.admit(write)).refusal), /not signed$/);
      assert.deepEqual(policed.reviews, [{ apiVersion, kind: 'ImageReview', spec }]);
    });

  it('dry runs are reviewed', async () => {
    assert.match(
      String((await new Policed(denied).admit({ object: pod(), dryRun: true })).refusal),
      /not signed$/,
    );
  });

  for (const [title, write] of [
    [
      'an update without a new image',
      { object: pod({ containers: containers('a:1', 'b:1') }), oldObject: old },
    ],
    [
      'ephemeral containers without a new image',
      { subresource: 'ephemeralcontainers', object: old, oldObject: old },
    ],
    ['another subresource', { subresource: 'status', object: pod(), oldObject: old }],
    ['another resource', { resource: 'podtemplates', object: pod() }],
    ['a deletion', { oldObject: old }],
  ] as const)
    it(`${title} is not reviewed`, async () => {
      const policed = new Policed(failure);
      assert.equal((await policed.admit(write)).refusal, undefined);
      assert.deepEqual(policed.reviews, []);
    });
});

describe('admission plugin ImagePolicyWebhook, cached decisions', () => {
  /** Seconds during which a second pod with the same images causes no second review. */
  for (const [title, next, policy, cachedSeconds] of [
    ['allowed images for the configured time', allowed, { allowTTL: 7, denyTTL: 3 }, 7],
    ['denied images for the configured time', denied, { allowTTL: 7, denyTTL: 3 }, 3],
    ['allowed images for five minutes by default', allowed, {}, 300],
    ['denied images for half a minute by default', denied, { denyTTL: 0 }, 30],
    ['failures for a second', failure, {}, 1],
  ] as const)
    it(`the backend is not asked again about ${title}`, async () => {
      const policed = new Policed(next, policy);
      await policed.admit({ object: pod() });
      await policed.clock.advance(cachedSeconds * 1000 - 1);
      await policed.admit({ object: pod() });
      assert.equal(policed.reviews.length, 1);
      await policed.clock.advance(1);
      await policed.admit({ object: pod() });
      assert.equal(policed.reviews.length, 2);
    });

  it('decisions are not cached when this is disabled', async () => {
    const policed = new Policed(allowed, { allowTTL: -1 });
    for (let i = 0; i < 3; i++) await policed.admit({ object: pod() });
    assert.equal(policed.reviews.length, 3);
  });

  it('a decision applies to the same images, annotations and namespace only', async () => {
    const policed = new Policed(allowed);
    const other = { ...pod(), metadata: { name: 'p', namespace: 'other' } };
    const objects = [
      pod(),
      other,
      pod({ containers: containers('a:2') }),
      pod(undefined, { 'a.image-policy.orch.io/b': '' }),
    ];
    for (const object of [...objects, ...objects]) await policed.admit({ object });
    assert.equal(policed.reviews.length, objects.length);
  });

  it('a thousand decisions are kept, and no long ones', async () => {
    const policed = new Policed(allowed);
    const named = (i: number): ApiObject => pod({ containers: containers(`a:${i}`) });
    for (let i = 0; i <= 1024; i++) await policed.admit({ object: named(i) });
    await policed.admit({ object: named(1024) });
    assert.equal(policed.reviews.length, 1025);
    await policed.admit({ object: named(0) });
    assert.equal(policed.reviews.length, 1026);

    policed.next = answer({ allowed: true, auditAnnotations: { long: 'x'.repeat(10_000) } });
    for (let i = 0; i < 2; i++) await policed.admit({ object: named(2000) });
    assert.equal(policed.reviews.length, 1028);
  });
});

describe('configuration of ImagePolicyWebhook', () => {
  const policy = (fields: string): string => `imagePolicy:\n  ${fields}\n`;
  const valid = 'kubeConfigFile: backend.conf';
  const create = (
    text: string,
    openService: Parameters<typeof imagePolicyWebhook>[0]['openService'] = () => ({
      query: async () => allowed,
    }),
  ): AdmissionPlugin =>
    imagePolicyWebhook({
      configuration: () => ConfigValue.parse(text, '/etc/policy.yaml'),
      names,
      clock: new FakeClock(),
      openService,
    });

  for (const [title, text, message] of [
    ['no backend', policy('defaultAllow: true'), /^line 2: imagePolicy.kubeConfigFile: is required$/],
    ['nothing', '{}', /imagePolicy.kubeConfigFile: is required$/],
    ['an unknown field', policy(`${valid}\n  allowTtl: 1`), /^line 3: imagePolicy.allowTtl: unknown field/],
    [
      'a time over half an hour',
      policy(`${valid}\n  allowTTL: 1801`),
      /allowTTL: must be an integer from -1 to 1800/,
    ],
    ['a negative time', policy(`${valid}\n  denyTTL: -2`), /denyTTL: must be an integer from -1 to 1800/],
    [
      'a backoff over five minutes',
      policy(`${valid}\n  retryBackoff: 300001`),
      /retryBackoff: must be an integer/,
    ],
    ['a string as a flag', policy(`${valid}\n  defaultAllow: "yes"`), /defaultAllow: must be true or false/],
  ] as const)
    it(`a configuration file with ${title} is invalid`, () => {
      assert.throws(
        () => create(text),
        (error) => {
          assert.ok(error instanceof ConfigFileError);
          assert.match(error.message, message);
          return true;
        },
      );
    });

  for (const [title, text, opened] of [
    ['half a second by default', policy(valid), ['/etc/backend.conf', 500]],
    ['as configured', policy(`${valid}\n  retryBackoff: 20`), ['/etc/backend.conf', 20]],
    ['not at all', policy('kubeConfigFile: /srv/backend.conf\n  retryBackoff: -1'), ['/srv/backend.conf', 0]],
  ] as const)
    it(`the file of the backend is relative to the configuration, and retries wait ${title}`, () => {
      const calls: unknown[] = [];
      create(text, (...call) => {
        calls.push(call);
        return { query: async () => allowed };
      });
      assert.deepEqual(calls, [opened]);
    });

  it('an invalid client configuration is reported with its place', () => {
    const open = (): never => {
      throw new ClientConfigError('line 3: cluster.server: TLS is required');
    };
    assert.throws(
      () => create(policy(valid), open),
      new ConfigFileError(
        '/etc/policy.yaml',
        'line 2: imagePolicy.kubeConfigFile: /etc/backend.conf: line 3: cluster.server: TLS is required',
      ),
    );
  });
});
