import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Asked } from './exchange.ts';

/** The release from which the documents are those of a server with beta features that are off by default. */
const BETA_SINCE = 32;

/** The flags of a server that serves all versions, with all alpha and beta features of a release but those in `disabled`. */
export function flagsOfAlpha(release: string, disabled: readonly string[] = []): readonly string[] {
  const enabled = Number(release.slice('1.'.length)) >= BETA_SINCE ? ['AllAlpha', 'AllBeta'] : ['AllAlpha'];
  const gates = [...enabled.map((gate) => `${gate}=true`), ...disabled.map((gate) => `${gate}=false`)];
  return ['--runtime-config=api/all=true', `--feature-gates=${gates.join()}`];
}

/** The flags of a server that offers what the published documents of a release contain, which list no values of fields. */
export const flagsOfPublished = (release: string): readonly string[] =>
  flagsOfAlpha(release, ['OpenAPIEnums']);

/**
 * The documents of discovery and OpenAPI v3 that a release of the reference publishes with its source. They are those of a server
 * with every version and every alpha feature. Paths without a document have no answer.
 */
export class PublishedDocuments implements Asked {
  readonly #folder: string;

  /** `folder` is the folder `api` of the source. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer | undefined> {
    if (method !== 'GET') return undefined;
    if (path === '/openapi/v3') return this.#openApiIndex();
    const [, openApi] = /^\/openapi\/v3\/(.+)$/.exec(path) ?? [];
    if (openApi !== undefined) return this.#read('openapi-spec/v3', `${fileOf(openApi)}_openapi`);
    const [, aggregated] = /;v=(v\w+);as=APIGroupDiscoveryList/.exec(headers['accept'] ?? '') ?? [];
    if (aggregated === undefined) return this.#read('discovery', fileOf(path.slice(1)));
    return path === '/apis' ? this.#read('discovery', `aggregated_${aggregated}`) : undefined;
  }

  /** The index of the documents, which is not published itself. */
  #openApiIndex(): Answer {
    const names = readdirSync(join(this.#folder, 'openapi-spec', 'v3')).map((file) =>
      file.replace(/_openapi\.json$/, '').replaceAll('__', '/'),
    );
    const urlOf = (name: string) => ({ serverRelativeURL: `/openapi/v3/${name}?hash=0` });
    return answerOf(JSON.stringify({ paths: Object.fromEntries(names.map((name) => [name, urlOf(name)])) }));
  }

  #read(folder: string, name: string): Answer | undefined {
    const file = join(this.#folder, folder, `${name}.json`);
    return existsSync(file) ? answerOf(readFileSync(file, 'utf8')) : undefined;
  }
}

const fileOf = (path: string): string => path.replaceAll('/', '__');

const answerOf = (text: string): Answer => ({ status: 200, text, json: JSON.parse(text) as unknown });
