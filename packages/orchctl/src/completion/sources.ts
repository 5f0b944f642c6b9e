import type { DiscoveredResource } from '@orch/client';
import { withDeadline } from '@orch/machinery/concurrency';
import { asObjects, asText, objectAt } from '@orch/machinery/json';
import type { GlobalValues } from '../global-flags.ts';
import type { Io } from '../io.ts';
import type { Session } from '../session/session.ts';

/** Maximum time that the shell waits for a server. */
const TIMEOUT_MS = 3_000;
/** Maximum number of offered names. */
const MAX_NAMES = 1_000;

/** Names that completions come from: the server and the client configuration of the command line. A failure is an empty list. */
export class Sources implements AsyncDisposable {
  readonly #globals: GlobalValues;
  readonly #io: Io;
  readonly #deadline: ReturnType<typeof withDeadline>;
  #session: Promise<Session> | undefined;

  constructor(globals: GlobalValues, { io, signal }: { readonly io: Io; readonly signal: AbortSignal }) {
    this.#globals = globals;
    this.#io = io;
    this.#deadline = withDeadline(signal, io.env.clock, TIMEOUT_MS);
  }

  /** The resources that can be listed, each in its preferred version. */
  resources(): Promise<readonly DiscoveredResource[]> {
    return orNone(async () => {
      const { preferred } = await (await this.#open()).resources.known();
      return preferred.filter(({ verbs }) => verbs.includes('list'));
    });
  }

  /** The names of the objects of a type, in the namespace of the command line. */
  names(type: string): Promise<readonly string[]> {
    return orNone(async () => {
      const session = await this.#open();
      const resource = await session.resources.named(type);
      const client = session.client.metadata(resource, resource.namespaced ? session.namespace : undefined);
      const { items } = await client.list({ limit: MAX_NAMES }, this.#deadline.signal);
      return items.map(({ metadata }) => metadata.name ?? '');
    });
  }

  /** The names of the containers of a pod. */
  containers(pod: string): Promise<readonly string[]> {
    return orNone(async () => {
      const session = await this.#open();
      const resource = await session.resources.named('pods');
      const client = session.client.resource(resource, session.namespace);
      const spec = objectAt(await client.get(pod, undefined, this.#deadline.signal), 'spec');
      return ['initContainers', 'containers', 'ephemeralContainers']
        .flatMap((list) => asObjects(spec[list]))
        .map(({ name }) => asText(name));
    });
  }

  /** The names of the entries of the client configuration. */
  configured(list: 'contexts' | 'clusters' | 'users'): Promise<readonly string[]> {
    return orNone(async () => {
      const { ConfigSet } = await import('../client-config/config-set.ts');
      return [...ConfigSet.read(this.#globals, this.#io).entries(list).keys()];
    });
  }

  #open(): Promise<Session> {
    this.#session ??= import('../session/open-session.ts').then(({ openSession }) =>
      openSession(this.#globals, withoutTerminal(this.#io), this.#deadline.signal),
    );
    return this.#session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#session?.catch(() => undefined))?.close();
    this.#deadline[Symbol.dispose]();
  }
}

/** A credential plugin must not ask while the user types. */
const withoutTerminal = ({ out, err, input, environment, folder, homeFolder, env }: Io): Io => ({
  ...{ out, err, input, environment, folder, homeFolder, env },
  isInputTerminal: false,
});

async function orNone<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await read();
  } catch {
    // An error message in the middle of a command line would hide what the user types.
    return [];
  }
}
