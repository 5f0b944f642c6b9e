import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Controller, ControllerContext } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { FAKE_EPOCH_MS, seededRandom } from '@orch/machinery/testing';
import { formatTime } from '@orch/machinery/time';
import { issueCertificate } from '@orch/pki/x509';
import { requests as samples } from '@orch/pki/x509/testing';
import type { ControllerOptions } from '../options.ts';
import { forSeeds, Simulation } from '../testing/simulation.ts';
import { cleaningController } from './cleaning-controller.ts';
import { signingController } from './signing-controller.ts';
import { hasCondition, readSigningRequest, type SigningRequestObject } from './signing-request.ts';

const SEEDS = 30;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const authority = issueCertificate(
  {
    commonName: 'ca',
    use: 'authority',
    notBefore: FAKE_EPOCH_MS - DAY_MS,
    notAfter: FAKE_EPOCH_MS + 3650 * DAY_MS,
  },
  seededRandom(1),
);
const content = (text: string) => ({ origin: 'test', read: async () => text });
const signing = { cert: content(authority.cert), key: content(authority.key) };
const options = {
  release: { major: 1, minor: 24 },
  concurrency: { certificate: 2 },
  signing: { durationMs: 365 * DAY_MS, authorities: { apiserverClient: signing } },
} as unknown as ControllerOptions;

const build = (context: ControllerContext): readonly Controller[] => [
  signingController(context, options),
  cleaningController(context, options),
];

/** Requests are created, approved or denied at random; competing managers sign and delete them. */
class SigningSimulation {
  readonly #simulation: Simulation;
  readonly #collection: string;
  #made = 0;

  constructor(seed: number) {
    this.#simulation = new Simulation({ seed, build });
    this.#collection = `${this.#simulation.names.group('certificates')}/certificatesigningrequests`;
  }

  async run(steps: number): Promise<void> {
    const { env, api } = this.#simulation;
    this.#simulation.begin();
    this.#simulation.begin();
    for (let step = 0; step < steps; step++) {
      await this.#act();
      await this.#simulation.pass();
    }
    await this.#simulation.calm(MINUTE_MS / 2);
    for (const { object } of this.#all()) this.#compare(object);
    this.#compareHistory();
    await env.clock.advanceAsync(DAY_MS + MINUTE_MS);
    assert.deepEqual(this.#all(), [], 'every request is deleted eventually');
    while (await this.#simulation.end());
    assert.deepEqual([api.watches.size, env.clock.pending], [0, 0], 'no watch and no timer remains');
  }

  #all() {
    return this.#simulation.api.objects.list(this.#collection);
  }

  async #act(): Promise<void> {
    const { random, api } = this.#simulation;
    switch (random.int(8)) {
      case 0:
        return this.#simulation.cutWatches();
      case 1:
        return api.objects.compact();
      case 2:
        await this.#simulation.end();
        return this.#simulation.begin();
      case 3:
      case 4:
        return this.#create();
      default:
        return this.#decide();
    }
  }

  #create(): void {
    const { random, api, names } = this.#simulation;
    const { signers } = names;
    const name = `r${this.#made++}`;
    const spec = {
      request: Buffer.from(samples.ellipticCurve).toString('base64'),
      usages: random.int(4) === 0 ? ['server auth'] : ['client auth'],
      signerName: random.int(4) === 0 ? signers.nodeagentServing : signers.apiserverClient,
      expirationSeconds: [600, 3600, 864_000][random.int(3)],
    };
    const place = { collection: this.#collection, namespace: '', name };
    api.objects.create(place, { metadata: { name }, spec }, this.#now());
  }

  #now = (): string => formatTime(this.#simulation.env.clock.now());

  #decide(): void {
    const { random, api } = this.#simulation;
    const waiting = this.#all().filter(
      ({ object }) => readSigningRequest(object as SigningRequestObject).conditions.length === 0,
    );
    const found = waiting[random.int(Math.max(waiting.length, 1))];
    if (found === undefined) return;
    const type = random.int(4) === 0 ? 'Denied' : 'Approved';
    const conditions = [{ type, status: 'True', lastUpdateTime: this.#now() }];
    api.objects.update(found.place, { ...found.object, status: { conditions } });
  }

  #compare(object: ApiObject): void {
    const { signers } = this.#simulation.names;
    const request = readSigningRequest(object as SigningRequestObject);
    const isOurs = hasCondition(request, 'Approved') && request.signerName === signers.apiserverClient;
    const isGood = request.usages.includes('client auth');
    assert.equal(request.certificate !== '', isOurs && isGood, request.name);
    assert.equal(hasCondition(request, 'Failed'), isOurs && !isGood, request.name);
    if (request.certificate === '') return;
    const certificate = new X509Certificate(request.certificate);
    assert.ok(certificate.verify(new X509Certificate(authority.cert).publicKey));
  }

  /** No request gets a second certificate, and none is deleted early. */
  #compareHistory(): void {
    const issued = new Map<string | undefined, string>();
    for (const { type, object } of this.#simulation.api.objects.changes) {
      const { certificate, name } = readSigningRequest(object as SigningRequestObject);
      if (certificate === '') continue;
      const { uid } = object.metadata;
      assert.equal(issued.get(uid) ?? certificate, certificate, `${name} has two certificates`);
      issued.set(uid, certificate);
      if (type === 'DELETED') {
        const end = Date.parse(new X509Certificate(certificate).validTo);
        assert.ok(end <= this.#simulation.env.clock.now(), `${name} was deleted early`);
      }
    }
  }
}

describe('certificate controllers under faults', () => {
  it(
    `every certificate signing request is processed once and deleted in time (${SEEDS} seeds)`,
    {
      timeout: 170_000,
    },
    () =>
      forSeeds(SEEDS, 'packages/controllers/src/certificates/simulation.test.ts', (seed) =>
        new SigningSimulation(seed).run(60),
      ),
  );
});
