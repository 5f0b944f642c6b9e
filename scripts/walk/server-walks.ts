import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess } from '@orch/apiserver/testing';
import { settle } from '@orch/machinery/testing';
import { admitting, WebhookServer, webhookEntry } from '@orch/server/testing';
import { ApiClient, type ApiResponse, readClientConfig } from '@orch/testkit';
import { CallCoverage, filesBeyond, type Walk } from './call-coverage.ts';

/** Work of timers falls into some rounds; what falls into all is of the request. */
const ROUNDS = 10;
const configMaps = '/api/v1/namespaces/default/configmaps';
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const configMap = (name: string, value = ''): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { value },
});

export interface ServerWalk {
  readonly title: string;
  readonly walk: Walk;
}

/**
 * The walks of warm requests to a real server in this process: embedded store, RBAC, HTTP/1.1 over TLS. The worker of the
 * store is another thread, which is not seen.
 */
export async function serverWalks(): Promise<readonly ServerWalk[]> {
  const dir = mkdtempSync(join(tmpdir(), 'orch-walk-'));
  try {
    const run = await startInProcess(dir, '--authorization-mode=RBAC');
    try {
      using walker = new Walker(await CallCoverage.start(), run.adminConfig);
      return [
        ...(await walker.objects()),
        await walker.watchEvent(),
        await walker.bearerToken(),
        await walker.webhook(),
      ];
    } finally {
      await run.stop();
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

class Walker implements Disposable {
  readonly #coverage: CallCoverage;
  readonly #adminConfig: string;
  readonly #admin: ApiClient;
  #names = 0;
  #get: Walk = new Map();
  #post: Walk = new Map();

  constructor(coverage: CallCoverage, adminConfig: string) {
    this.#coverage = coverage;
    this.#adminConfig = adminConfig;
    this.#admin = new ApiClient(readClientConfig(adminConfig));
  }

  [Symbol.dispose](): void {
    this.#admin[Symbol.dispose]();
    this.#coverage[Symbol.dispose]();
  }

  /** GET, POST and PUT of a config map, on a connection in use. */
  async objects(): Promise<readonly ServerWalk[]> {
    await this.#create();
    await this.#read();
    await this.#replace();
    await settle();
    this.#get = await this.#coverage.always(ROUNDS, () => this.#read());
    this.#post = await this.#coverage.always(ROUNDS, async () => void (await this.#create()));
    const put = await this.#coverage.always(ROUNDS, () => this.#replace());
    return [
      { title: 'GET', walk: this.#get },
      { title: 'POST', walk: this.#post },
      { title: 'PUT', walk: put },
    ];
  }

  /** A write that one watch receives, beyond the write. */
  async watchEvent(): Promise<ServerWalk> {
    const end = new AbortController();
    const events = this.#admin.watch(`${configMaps}?watch=true`, end.signal);
    const receive = async (): Promise<void> => {
      const name = await this.#create();
      for (;;) {
        const { value, done } = await events.next();
        if (done === true || value.object.metadata.name === name) return;
      }
    };
    await receive();
    await settle();
    const walk = await this.#coverage.always(ROUNDS, receive);
    end.abort();
    await events.next().catch(() => undefined);
    return { title: 'watch event, beyond POST', walk: filesBeyond(walk, this.#post) };
  }

  /** The first use of a token of a service account on a connection in use, beyond a GET. */
  async bearerToken(): Promise<ServerWalk> {
    await this.#admin.post(accounts, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'walker' },
    });
    const { cert: _cert, key: _key, ...config } = readClientConfig(this.#adminConfig);
    using client = new ApiClient({ ...config, cert: undefined, key: undefined });
    const tokens = await Promise.all(Array.from({ length: ROUNDS + 1 }, () => this.#token()));
    const use = async (round: number): Promise<void> => {
      const headers = { authorization: `Bearer ${tokens[round]}` };
      // Every user may read it; the answer to anonymous requests is another one.
      ok(await client.get('/version', { headers }), 200);
    };
    await use(ROUNDS);
    await settle();
    const walk = await this.#coverage.always(ROUNDS, use);
    return { title: 'first bearer token, beyond GET', walk: filesBeyond(walk, this.#get) };
  }

  /** A POST that a validating webhook admits on a kept connection, beyond a POST. */
  async webhook(): Promise<ServerWalk> {
    await using server = await WebhookServer.start(admitting());
    const { json } = await this.#admin.get('/apis');
    const { groups } = json as { readonly groups: readonly { readonly name: string }[] };
    const group = groups.find(({ name }) => name.startsWith('admissionregistration.'))?.name;
    const kind = 'ValidatingWebhookConfiguration';
    const body = {
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name: 'walk' },
      webhooks: [webhookEntry(server)],
    };
    ok(await this.#admin.post(`/apis/${group}/v1/validatingwebhookconfigurations`, body), 201);
    while (server.reviews.length === 0) await this.#create();
    await settle();
    const walk = await this.#coverage.always(ROUNDS, async () => void (await this.#create()));
    return { title: 'webhook call, beyond POST', walk: filesBeyond(walk, this.#post) };
  }

  async #create(): Promise<string> {
    const name = `walk-${++this.#names}`;
    ok(await this.#admin.post(configMaps, configMap(name)), 201);
    return name;
  }

  async #read(): Promise<void> {
    ok(await this.#admin.get(`${configMaps}/walk-1`), 200);
  }

  async #replace(): Promise<void> {
    ok(await this.#admin.put(`${configMaps}/walk-1`, configMap('walk-1', String(++this.#names))), 200);
  }

  async #token(): Promise<string> {
    const { json } = await this.#admin.post(`${accounts}/walker/token`, { spec: { audiences: [] } });
    const { status } = json as { readonly status: { readonly token: string } };
    return status.token;
  }
}

const ok = ({ status, text }: ApiResponse, expected: number): void => assert.equal(status, expected, text);
