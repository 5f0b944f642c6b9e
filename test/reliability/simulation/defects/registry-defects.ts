import type { TransportRequest } from '@orch/client';
import { fenceHeader } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import type { PlantedDefect } from './planted-defect.ts';

interface Body {
  metadata?: { resourceVersion?: string; ownerReferences?: unknown };
  preconditions?: unknown;
  propagationPolicy?: unknown;
  webhooks?: { failurePolicy: string }[];
  spec?: { paramRef?: { parameterNotFoundAction: string } };
}

/** The registry does not see a part of the bodies of a method, or sees another one. */
export const withoutPart =
  (method: string, remove: (body: Body) => void) =>
  (request: TransportRequest): TransportRequest => {
    if (request.method !== method || request.body === undefined) return request;
    const body = parseJson(Buffer.from(request.body)) as Body;
    remove(body);
    return { ...request, body: Buffer.from(JSON.stringify(body)) };
  };

/** The registry does not see a parameter of lists and watches. */
const withoutParameter =
  (name: string) =>
  (request: TransportRequest): TransportRequest => {
    const [path = '', query = ''] = request.target.split('?');
    const rest = query.split('&').filter((one) => !one.startsWith(`${name}=`));
    return { ...request, target: rest.length === 0 ? path : `${path}?${rest.join('&')}` };
  };

export const registryDefects: readonly PlantedDefect[] = [
  {
    what: 'registry: an update does not compare the resourceVersion',
    make: () => ({ request: withoutPart('PUT', ({ metadata }) => delete metadata?.resourceVersion) }),
  },
  {
    what: 'registry: a deletion ignores its preconditions',
    make: () => ({ request: withoutPart('DELETE', (body) => delete body.preconditions) }),
  },
  {
    what: 'registry: a deletion ignores its propagation policy',
    make: () => ({ request: withoutPart('DELETE', (body) => delete body.propagationPolicy) }),
  },
  {
    what: 'registry: a created object has no owners',
    make: () => ({ request: withoutPart('POST', ({ metadata }) => delete metadata?.ownerReferences) }),
  },
  {
    what: 'registry: a list ignores its label selector',
    make: () => ({ request: withoutParameter('labelSelector') }),
  },
];

/** The server accepts the writes of former leaders. Candidates alone must prevent them then. */
export const withoutFence = ({ headers, ...request }: TransportRequest): TransportRequest => {
  const { [fenceHeader]: _, ...others } = headers;
  return { ...request, headers: others };
};
