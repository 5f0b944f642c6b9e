import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@orch/machinery/testing';
import {
  freePort,
  type LaunchedServer,
  launchServerProcess,
  registerExtension,
  type ServerProcess,
  temporaryFolder,
} from '@orch/testkit';

export const WIDGETS = 'widgets.example.com';
export const WIDGET_GROUP = 'example.com';
const trust = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: WIDGETS },
  spec: {
    group: WIDGET_GROUP,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

/** An API server with the kind Widget that is the extension API server of another one. It can be killed and started again. */
export class BackingServer implements AsyncDisposable {
  readonly #folder = temporaryFolder();
  readonly #address: string;
  readonly #port: number;
  #server: ServerProcess | undefined;

  private constructor(address: string, port: number) {
    this.#address = address;
    this.#port = port;
  }

  /** Starts and registers one; resolves when the front server serves the kind. */
  static async start(front: LaunchedServer, address: string): Promise<BackingServer> {
    const backing = new BackingServer(address, await freePort());
    const { json } = await eventually(
      () => front.client.get(trust),
      ({ status }) => status === 200,
    );
    const { data } = json as { readonly data: Readonly<Record<string, string>> };
    writeFileSync(backing.#file('front.crt'), data['requestheader-client-ca-file'] ?? '');
    await backing.restart();
    await backing.client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    await registerExtension(front.client, 'kubernetes', {
      ...{ name: 'widgets', group: WIDGET_GROUP, version: 'v1', address, port: backing.#port },
    });
    await eventually(
      () => front.client.get(`/apis/${WIDGET_GROUP}/v1/widgets`),
      ({ status }) => status === 200,
    );
    return backing;
  }

  /** Client of its administrator, without the front server. */
  get client(): ServerProcess['client'] {
    if (this.#server === undefined) throw new Error('the server was not started');
    return this.#server.client;
  }

  async kill(): Promise<void> {
    await this.#server?.process.stop('SIGKILL');
  }

  async restart(): Promise<void> {
    this.#server = await launchServerProcess({
      ...{ naming: 'kubernetes', requiresAccounts: true, address: this.#address, port: this.#port },
      ...{ certDir: this.#file('certs'), dataDir: this.#file('data') },
      args: [
        `--requestheader-client-ca-file=${this.#file('front.crt')}`,
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        // The front server has the namespaces.
        '--disable-admission-plugins=NamespaceLifecycle',
      ],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }

  #file(name: string): string {
    return join(this.#folder.path, name);
  }
}
