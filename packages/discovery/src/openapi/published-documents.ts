import type { Release, ServerFeatures } from '@orch/apis';
import { type Env, messageOf, type Names } from '@orch/machinery';
import { sleep, Turns } from '@orch/machinery/concurrency';
import {
  type CodecOptions,
  type ForeignSchemas,
  type OpenApi,
  type OpenApiResource,
  openApi,
} from '@orch/schema';
import { type DocumentedResource, documentedResource, openApiInput } from './input.ts';
import { type Edition, FEW_CHANGES, Publication } from './publication.ts';

/** Interval between checks for changes. */
const LOOK_MS = 250;
/** Maximum time for which successive changes are collected before publication. */
const GATHER_MS = 1000;

export interface PublishedDocumentsOptions {
  readonly names: Names;
  readonly env: Pick<Env, 'clock' | 'log' | 'turns'>;
  readonly release: Release;
  /** The served resources, and the number of their changes. */
  readonly table: { readonly all: readonly DocumentedResource[]; readonly generation: number };
  readonly includes: CodecOptions['includes'];
  readonly features: Pick<ServerFeatures, 'cbor' | 'listedValues'>;
  /** The schemas that extension API servers publish; none when absent. */
  readonly extensions?: ExtensionSchemas;
}

/** The schemas of extension API servers. */
export interface ExtensionSchemas {
  /** The same list until one of them changes. */
  readonly schemas: readonly ForeignSchemas[];
}

export type DocumentFormat = 'json' | 'protobuf';

const none: readonly ForeignSchemas[] = [];

/**
 * The OpenAPI documents of the served resources. As soon as there are many custom resources or the first document was
 * requested, they are created in the background; after a change, only the changed parts. Requests during that time are
 * answered from the last complete documents. Most servers with few custom resources never need them.
 */
export class PublishedDocuments {
  readonly #options: PublishedDocumentsOptions;
  readonly #documented = new WeakMap<DocumentedResource, OpenApiResource>();
  /** The formats of version 2 that clients have requested. */
  readonly #formats = new Set<DocumentFormat>();
  readonly #v2: Publication;
  readonly #v3: Publication;
  #newest: Edition | undefined;
  #foreign = none;

  constructor(options: PublishedDocumentsOptions) {
    this.#options = options;
    const { clock } = options.env;
    const newest = (): Edition => this.#current();
    const failed = (version: string) => (cause: unknown) =>
      options.env.log.error('the OpenAPI documents cannot be made', { version, error: messageOf(cause) });
    this.#v2 = new Publication({
      clock,
      newest,
      make: (documents) => this.#makeV2(documents),
      failed: failed('v2'),
    });
    this.#v3 = new Publication({
      clock,
      newest,
      make: (documents) => documents.v3Index(),
      failed: failed('v3'),
    });
  }

  /** The documents from which a request for version 2 in a format is answered. */
  v2(format: DocumentFormat): Promise<OpenApi> {
    this.#formats.add(format);
    return this.#v2.forRequest();
  }

  /** The documents from which a request for version 3 is answered. */
  v3(): Promise<OpenApi> {
    return this.#v3.forRequest();
  }

  /** Keeps the documents current until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { env, table } = this.#options;
    let seen = { changes: -1, schemas: none };
    let gatheredMs = 0;
    while (!signal.aborted) {
      await sleep(env.clock, LOOK_MS, signal);
      gatheredMs += LOOK_MS;
      const [changes, schemas] = [table.generation, this.#schemas];
      const isQuiet = seen.changes === changes && seen.schemas === schemas;
      seen = { changes, schemas };
      if (!isQuiet && gatheredMs < GATHER_MS) continue;
      const isLarge = this.#isLarge;
      if (isLarge || this.#v3.isRequested) await this.#v3.renew();
      if (isLarge || this.#v2.isRequested) await this.#v2.renew();
      gatheredMs = 0;
    }
  }

  /** Creates all documents of the current resources. */
  async renew(): Promise<void> {
    await Promise.all([this.#v2.renew(), this.#v3.renew()]);
  }

  /** Whether a request would wait long for a document that is not ready. */
  get #isLarge(): boolean {
    return this.#options.table.generation > FEW_CHANGES || this.#schemas.length > 0;
  }

  /** Clients of a server usually request the same format. */
  async #makeV2(documents: OpenApi): Promise<void> {
    const makesBoth = this.#isLarge || this.#formats.size === 0;
    await Promise.all([
      (makesBoth || this.#formats.has('json')) && documents.v2Json(),
      (makesBoth || this.#formats.has('protobuf')) && documents.v2Protobuf(),
    ]);
  }

  get #schemas(): readonly ForeignSchemas[] {
    return this.#options.extensions?.schemas ?? none;
  }

  /** The documents of the current resources; unchanged parts of earlier ones are reused. */
  #current(): Edition {
    const { env, names, release, table, includes, features } = this.#options;
    const schemas = this.#schemas;
    const changes = table.generation;
    const newest = this.#newest;
    if (newest?.changes === changes && this.#foreign === schemas) return newest;
    const resources = this.#resources();
    const documents =
      newest?.documents.replaced(resources, schemas) ??
      openApi(
        openApiInput({ names, release, resources, includes, ...features, turns: new Turns(env) }),
        schemas,
      );
    this.#newest = { documents, changes };
    this.#foreign = schemas;
    return this.#newest;
  }

  #resources(): readonly OpenApiResource[] {
    const { names, table } = this.#options;
    return table.all.map((resource) => {
      const known = this.#documented.get(resource) ?? documentedResource(resource, names);
      this.#documented.set(resource, known);
      return known;
    });
  }
}
