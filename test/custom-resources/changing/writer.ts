import assert from 'node:assert/strict';
import type { Random } from '@orch/machinery';
import type { ApiClient, ApiResponse } from '@orch/testkit';
import { gear, gearsPath, type Json, seqOf } from './gears.ts';

/** The state of an object as acknowledged: its last number, or undefined after its deletion. */
export type Acknowledged = Map<string, number | undefined>;

export interface WriterOptions {
  readonly client: ApiClient;
  /** Another replica, which must show what was acknowledged. */
  readonly other: ApiClient;
  readonly definition: number;
  readonly name: string;
  readonly random: Random;
}

const contentTypes = {
  merge: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

const isGone = /"the server could not find the requested resource"/;
const isRefusedForNow = /has changed while the request was processed|changes too often/;

/** Creates, changes and deletes objects that no other writer uses. Every response other than success is a failure: version v1 is always served. */
export class Writer {
  readonly acknowledged: Acknowledged = new Map();
  readonly #options: WriterOptions;
  readonly #path: string;
  /** Requests that were repeated. */
  repeated = 0;
  #seq = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#path = gearsPath(options.definition);
  }

  async run(operations: number): Promise<void> {
    for (let i = 0; i < operations; i++) await this.#step();
  }

  async #step(): Promise<void> {
    const { random, name: prefix } = this.#options;
    const name = `${prefix}-${random.int(30)}`;
    if (this.acknowledged.get(name) === undefined) return this.#create(name);
    switch (random.int(7)) {
      case 0:
        return this.#update(name);
      case 1:
        return this.#patch(name, 'merge', this.#next());
      case 2:
        return this.#patch(name, 'apply', this.#next());
      case 3:
        return this.#status(name);
      case 4:
        return this.#read(name);
      case 5:
        return this.#patchOther(name);
      default:
        return this.#delete(name);
    }
  }

  #next(): number {
    return ++this.#seq;
  }

  /**
   * Sends a request again that was refused because the definition changed while it was processed: such a write has not taken
   * effect. No other refusal is repeated.
   */
  async #send(request: () => Promise<ApiResponse>): Promise<ApiResponse> {
    for (;;) {
      const answer = await request();
      if (answer.status !== 503 || !isRefusedForNow.test(answer.text)) return answer;
      assert.ok(answer.headers['retry-after'] !== undefined, answer.text);
      this.repeated += 1;
    }
  }

  async #create(name: string): Promise<void> {
    const seq = this.#next();
    const body = gear(this.#options.definition, name, seq);
    this.#done(name, seq, await this.#send(() => this.#options.client.post(this.#path, body)), 201);
  }

  async #update(name: string): Promise<void> {
    const current = this.#expect(await this.#options.client.get(`${this.#path}/${name}`), name);
    const seq = this.#next();
    const body = { ...current, spec: { ...current.spec, seq } };
    this.#done(name, seq, await this.#send(() => this.#options.client.put(`${this.#path}/${name}`, body)));
  }

  async #patch(name: string, type: keyof typeof contentTypes, seq: number): Promise<void> {
    const body = type === 'merge' ? { spec: { seq } } : gear(this.#options.definition, name, seq);
    const query = type === 'apply' ? '?fieldManager=writer&force=true' : '';
    const options = { body, contentType: contentTypes[type] };
    this.#done(
      name,
      seq,
      await this.#send(() => this.#options.client.send('PATCH', `${this.#path}/${name}${query}`, options)),
    );
  }

  async #status(name: string): Promise<void> {
    const seq = this.acknowledged.get(name);
    const options = { body: { status: { seq } }, contentType: contentTypes.merge };
    const path = `${this.#path}/${name}/status`;
    const answer = await this.#send(() => this.#options.client.send('PATCH', path, options));
    assert.equal(answer.json && (answer.json as Json).spec?.seq, seq, answer.text);
  }

  /** A write in a version that may not be served: then there is no such path, or there is none any more when it would be committed. */
  async #patchOther(name: string): Promise<void> {
    const seq = this.#next();
    const { client, definition, random } = this.#options;
    const options = { body: { spec: { seq } }, contentType: contentTypes.merge };
    const path = `${gearsPath(definition, `v${2 + random.int(2)}`)}/${name}?fieldManager=other`;
    const answer = await this.#send(() => client.send('PATCH', path, options));
    if (answer.status === 404 && (answer.json === undefined || isGone.test(answer.text))) return;
    this.#done(name, seq, answer);
  }

  /** The other replica shows what this one acknowledged. */
  async #read(name: string): Promise<void> {
    const shown = this.#expect(await this.#options.other.get(`${this.#path}/${name}`), name);
    assert.equal(seqOf(shown), this.acknowledged.get(name), `${name} at the other replica`);
  }

  async #delete(name: string): Promise<void> {
    this.#expect(await this.#send(() => this.#options.client.delete(`${this.#path}/${name}`)), name);
    this.acknowledged.set(name, undefined);
    const { status, text } = await this.#options.other.get(`${this.#path}/${name}`);
    assert.equal(status, 404, text);
    assert.match(text, /"NotFound"/, `the resource of ${name} is served`);
  }

  #done(name: string, seq: number, answer: ApiResponse, status = 200): void {
    assert.equal(seqOf(this.#expect(answer, name, status)), seq);
    this.acknowledged.set(name, seq);
  }

  #expect(answer: ApiResponse, name: string, status = 200): Json {
    assert.equal(answer.status, status, `${name} of definition ${this.#options.definition}: ${answer.text}`);
    return answer.json;
  }
}
