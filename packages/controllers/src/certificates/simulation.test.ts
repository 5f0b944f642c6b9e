import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Controller, ControllerContext } from '@orch/client';
import { type ApiObject, formatTime } from '@orch/machinery';
import { FAKE_EPOCH_MS, seededRandom } from '@orch/machinery/testing';
import { issueCertificate } from '@orch/pki/x509';
import { requests as samples } from '@orch/pki/x509/testing';
import type { ControllerOptions } from '../options.ts';
import { SimulatedManagers } from '../testing/simulated-managers.ts';
import { cleaningController } from './cleaning-controller.ts';
import { signingController } from './signing-controller.ts';
import { is, readSigningRequest } from './signing-request.ts';

const SEEDS = 60;
const minute = 60_000;
const day = 24 * 60 * minute;
const authority = issueCertificate(
  {
    commonName: 'ca',
    use: 'authority',
    notBefore: FAKE_EPOCH_MS - day,
    notAfter: FAKE_EPOCH_MS + 3650 * day,
  },
  seededRandom(1),
);
const content = (text: string) => ({ origin: 'test', read: async () => text });
const signing = { cert: content(authority.cert), key: content(authority.key) };
const options = {
  release: { major: 1, minor: 24 },
  concurrency: { certificate: 2 },
  signing: { durationMs: 365 * day, authorities: { apiserverClient: signing } },
} as unknown as ControllerOptions;

const build = (context: ControllerContext): readonly Controller[] => [
  signingController(context, options),
  cleaningController(context, options),
];

/** Requests that come and are decided on, signed and deleted by managers that compete. */
class SigningSimulation {
  readonly #managers: SimulatedManagers;
  readonly #collection: string;
  #made = 0;

  constructor(seed: number) {
    this.#managers = new SimulatedManagers(seed, build);
    this.#collection = `${this.#managers.test.client.names.group('certificates')}/certificatesigningrequests`;
  }

  async run(steps: number): Promise<void> {
    const { env, api } = this.#managers.test;
    this.#managers.begin();
    this.#managers.begin();
    for (let step = 0; step < steps; step++) {
      await this.#act();
      await this.#managers.pass();
    }
    await this.#managers.calm(minute / 2);
    for (const { object } of this.#all()) this.#compare(object);
    this.#compareHistory();
    await env.clock.advanceAsync(day + minute);
    assert.deepEqual(this.#all(), [], 'everything is deleted in the end');
    while (await this.#managers.end());
    assert.deepEqual([api.watches.size, env.clock.pending], [0, 0], 'nothing is left behind');
  }

  #all() {
    return this.#managers.test.api.objects.list(this.#collection);
  }

  async #act(): Promise<void> {
    const { random, test } = this.#managers;
    switch (random.int(8)) {
      case 0:
        return this.#managers.cutWatches();
      case 1:
        return test.api.objects.compact();
      case 2:
        await this.#managers.end();
        return this.#managers.begin();
      case 3:
      case 4:
        return this.#create();
      default:
        return this.#decide();
    }
  }

  #create(): void {
    const { random, test } = this.#managers;
    const { signers } = test.client.names;
    const name = `r${this.#made++}`;
    const spec = {
      request: Buffer.from(samples.ellipticCurve).toString('base64'),
      usages: random.int(4) === 0 ? ['server auth'] : ['client auth'],
      signerName: random.int(4) === 0 ? signers.nodeagentServing : signers.apiserverClient,
      expirationSeconds: [600, 3600, 864_000][random.int(3)],
    };
    const place = { collection: this.#collection, namespace: '', name };
    test.api.objects.create(place, { metadata: { name }, spec }, this.#now());
  }

  #now = (): string => formatTime(this.#managers.test.env.clock.now());

  #decide(): void {
    const { random, test } = this.#managers;
    const waiting = this.#all().filter(({ object }) => readSigningRequest(object).conditions.length === 0);
    const found = waiting[random.int(Math.max(waiting.length, 1))];
    if (found === undefined) return;
    const type = random.int(4) === 0 ? 'Denied' : 'Approved';
    const conditions = [{ type, status: 'True', lastUpdateTime: this.#now() }];
    test.api.objects.update(found.place, { ...found.object, status: { conditions } });
  }

  #compare(object: ApiObject): void {
    const { signers } = this.#managers.test.client.names;
    const request = readSigningRequest(object);
    const isOurs = is(request, 'Approved') && request.signerName === signers.apiserverClient;
    const isGood = request.usages.includes('client auth');
    assert.equal(request.certificate !== '', isOurs && isGood, request.name);
    assert.equal(is(request, 'Failed'), isOurs && !isGood, request.name);
    if (request.certificate === '') return;
    const certificate = new X509Certificate(request.certificate);
    assert.ok(certificate.verify(new X509Certificate(authority.cert).publicKey));
  }

  /** A request never gets a second certificate, and none is deleted before its time. */
  #compareHistory(): void {
    const issued = new Map<string | undefined, string>();
    for (const { type, object } of this.#managers.test.api.objects.changes) {
      const { certificate, name } = readSigningRequest(object);
      if (certificate === '') continue;
      const { uid } = object.metadata;
      assert.equal(issued.get(uid) ?? certificate, certificate, `${name} was issued twice`);
      issued.set(uid, certificate);
      if (type === 'DELETED') {
        const end = Date.parse(new X509Certificate(certificate).validTo);
        assert.ok(end <= this.#managers.test.env.clock.now(), `${name} was deleted early`);
      }
    }
  }
}

describe('requests for certificates, simulated', () => {
  const only = /^--seed=(\d+)$/.exec(process.argv.at(-1) ?? '')?.[1];
  const seeds = only === undefined ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [Number(only)];
  it(`are each answered once, and deleted in time (${seeds.length} seeds)`, {
    timeout: 170_000,
  }, async () => {
    for (const seed of seeds) {
      try {
        await new SigningSimulation(seed).run(60);
      } catch (error) {
        const replay = `scripts/node packages/controllers/src/certificates/simulation.test.ts --seed=${seed}`;
        throw new Error(`seed ${seed}; again: ${replay}`, { cause: error });
      }
    }
  });
});
