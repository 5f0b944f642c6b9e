import type { Authorizer, RbacPolicy } from '@orch/auth';
import { errors, type Names } from '@orch/machinery';
import { type ReplicaRecord, SLOW_REQUEST_MS } from '@orch/pipeline';
import type { FieldHistory, ServedApi, ServerContext } from '@orch/registry';
import {
  type Authorized,
  type BytesReply,
  isRequestId,
  parseQuery,
  type Query,
  type Route,
} from '@orch/request';
import { accessCauses } from './access/access-causes.ts';
import { accessQuestion } from './access/access-question.ts';
import { Asker, type AskerParts } from './answer/asker.ts';
import type { Cause, ObjectPlace } from './answer/cause.ts';
import { StoredObjects } from './answer/stored-objects.ts';
import { fieldAnswer } from './field/field-causes.ts';
import { objectCauses } from './object/object-causes.ts';
import type { Peers } from './requests/peers.ts';
import { RecentRequests, type RememberedRequests } from './requests/recent-requests.ts';
import { type ExplainedRequest, explainedRequest } from './requests/request-causes.ts';

export interface ExplanationOptions {
  readonly context: Pick<ServerContext, 'objects' | 'names'>;
  readonly served: Pick<ServedApi, 'table'>;
  readonly authorizer: Authorizer;
  readonly policy: RbacPolicy;
  readonly remembered: RememberedRequests;
  readonly peers: Peers;
  /** Absent where the server keeps no history of objects. */
  readonly history?: FieldHistory | undefined;
  /** What the process remembers of its own metrics; the path is absent without it. */
  readonly lastHour?: (() => Promise<object>) | undefined;
}

/** The answer to a question. */
export interface Explanation {
  readonly kind: 'Explanation';
  readonly question: Readonly<Record<string, string>>;
  readonly causes: readonly Cause[];
}

/**
 * The paths below `/why` (design 0017): `object`, `access`, `requests` and `health`. Each answer contains only what the user of the
 * question may read, regardless of the permission for the path.
 */
export function explanationRoutes(options: ExplanationOptions): readonly Route[] {
  const questions = new Questions(options);
  const route = (path: string, answer: (query: Query, asker: Asker) => Promise<object>): Route => ({
    path,
    handle: async (call) => jsonReply(await answer(parseQuery(call.request.rawQuery), questions.asker(call))),
  });
  const { lastHour } = options;
  return [
    route('/why/object', (query, asker) => questions.object(query, asker)),
    route('/why/access', (query, asker) => questions.access(query, asker)),
    route('/why/requests', (query, asker) => questions.requests(query, asker)),
    ...(lastHour === undefined
      ? []
      : [
          route('/why/health', async (_query, asker) => {
            await asker.checkPath('/metrics');
            return { kind: 'Explanation', ...(await lastHour()) };
          }),
        ]),
  ];
}

/** Maximum number of requests in an answer. */
const MAX_REQUESTS = 50;
const FIRST_FAILURE = 400;
const INVALID_ID =
  'the parameter "id" must be an audit id: at most 64 letters, digits, dots, colons, dashes and underscores';

class Questions {
  readonly #access: AskerParts;
  readonly #names: Names;
  readonly #objects: StoredObjects;
  readonly #requests: RecentRequests;
  readonly #history: FieldHistory | undefined;

  constructor({ context, served, authorizer, policy, remembered, peers, history }: ExplanationOptions) {
    this.#names = context.names;
    this.#access = { authorizer, policy, names: context.names };
    this.#objects = new StoredObjects({ context, served });
    this.#requests = new RecentRequests({ remembered, peers, names: context.names });
    this.#history = history;
  }

  asker({ user, request }: Authorized): Asker {
    return new Asker(this.#access, { user, signal: request.signal });
  }

  async object(query: Query, asker: Asker): Promise<object> {
    const place = placeOf(query);
    const kind = this.#objects.kind(place.group, place.resource);
    // Permissions within a namespace cover the namespace itself.
    const isNamespace = place.group === '' && place.resource === 'namespaces';
    await asker.check({ ...place, ...(isNamespace ? { namespace: place.name } : {}), verb: 'get' });
    const field = query.get('field') ?? '';
    const object = await (field === ''
      ? this.#objects.readOutline(kind, place, asker.signal)
      : this.#objects.read(kind, place, asker.signal));
    if (object === undefined)
      throw errors.notFound({ group: place.group, kind: place.resource, name: place.name });
    const parts = {
      objects: this.#objects,
      requests: this.#requests,
      names: this.#names,
      history: this.#history,
    };
    return field === ''
      ? explanation({ ...place }, { causes: await objectCauses(asker, parts, { object, place }) })
      : explanation({ ...place, field }, await fieldAnswer(asker, parts, { object, place, field }));
  }

  async access(query: Query, asker: Asker): Promise<object> {
    const attributes = await accessQuestion(query, asker, this.#names);
    const { user, isResource: _, ...operation } = attributes;
    const question = { user: user.name, ...operation };
    return explanation(question, await accessCauses(asker, this.#access, attributes));
  }

  /** With `id`: the request of an audit id, on all replicas. Without: the latest ones of this replica. */
  async requests(query: Query, asker: Asker): Promise<object> {
    const id = query.get('id') ?? '';
    if (id !== '' && !isRequestId(id)) throw errors.badRequest(INVALID_ID);
    const found =
      id === ''
        ? { replicas: [], records: await this.#latest(query, asker) }
        : await this.#requests.withId(asker, id);
    const requests: ExplainedRequest[] = [];
    for (const one of found.records.slice(0, MAX_REQUESTS))
      requests.push(await explainedRequest(asker, this.#access, one));
    return {
      kind: 'Explanation',
      question: id === '' ? { is: query.get('is') ?? 'any' } : { id },
      replicas: found.replicas,
      requests,
    };
  }

  async #latest(query: Query, asker: Asker): Promise<readonly ReplicaRecord[]> {
    const is = query.get('is') ?? 'any';
    if (is === 'deprecated') return this.#requests.deprecated(asker);
    const isSought = Object.hasOwn(filters, is) ? filters[is] : undefined;
    if (isSought === undefined)
      throw errors.badRequest('the parameter "is" must be refused, slow, deprecated or any');
    return (await this.#requests.latest(asker)).filter(({ record }) => isSought(record));
  }
}

type Filter = (record: { readonly code: number; readonly durationMs: number }) => boolean;

const filters: Readonly<Record<string, Filter | undefined>> = {
  any: () => true,
  refused: ({ code }) => code >= FIRST_FAILURE,
  slow: ({ durationMs }) => durationMs >= SLOW_REQUEST_MS,
};

const explanation = <Answer extends { readonly causes: readonly Cause[] }>(
  question: Readonly<Record<string, string>>,
  answer: Answer,
): Explanation & Answer => ({ kind: 'Explanation', question, ...answer });

function placeOf(query: Query): ObjectPlace {
  const text = (name: string): string => query.get(name) ?? '';
  const place = {
    group: text('group'),
    resource: text('resource'),
    namespace: text('namespace'),
    name: text('name'),
  };
  if (place.resource === '' || place.name === '')
    throw errors.badRequest(
      'the parameters resource and name are required, such as resource=pods&namespace=default&name=web',
    );
  return place;
}

const jsonReply = (answer: object): BytesReply => ({
  kind: 'bytes',
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from(`${JSON.stringify(answer, undefined, 2)}\n`),
});
