import type { StructSchema } from '../../schema.ts';
import { resolveRef } from '../../schema.ts';

/** A query or path parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  readonly required?: boolean;
}

const query = (name: string, type: Parameter['type'], description: string): Parameter => ({
  name,
  in: 'query',
  type,
  description,
});

const path = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  type: 'string',
  description,
  required: true,
});

const pretty = query('pretty', 'string', 'Indents the response when true.');
const dryRun = query('dryRun', 'string', 'With All the request is processed in full, but nothing is stored.');
const fieldManager = query('fieldManager', 'string', 'Name under which the changed fields are recorded.');
const fieldValidation = query(
  'fieldValidation',
  'string',
  'How unknown and duplicate fields are treated: Ignore, Warn or Strict.',
);
const force = query('force', 'boolean', 'Takes over fields of other managers; for apply only.');
const labelSelector = query('labelSelector', 'string', 'Selects objects by their labels.');
const fieldSelector = query('fieldSelector', 'string', 'Selects objects by their fields.');
const limit = query(
  'limit',
  'integer',
  'Maximum number of items of the response, which has a token to continue.',
);
const continueToken = query('continue', 'string', 'Token of the previous response, to continue its list.');
const resourceVersion = query(
  'resourceVersion',
  'string',
  'Version of the data on which the response must be based.',
);
const resourceVersionMatch = query(
  'resourceVersionMatch',
  'string',
  'How resourceVersion is matched: Exact or NotOlderThan.',
);
const timeoutSeconds = query('timeoutSeconds', 'integer', 'Ends the request after that many seconds.');
const gracePeriodSeconds = query(
  'gracePeriodSeconds',
  'integer',
  'Seconds before the object is deleted; 0 deletes it immediately.',
);
const orphanDependents = query('orphanDependents', 'boolean', 'Replaced by propagationPolicy.');
const propagationPolicy = query(
  'propagationPolicy',
  'string',
  'What happens to dependents: Orphan, Background or Foreground.',
);

const selection = [
  fieldSelector,
  labelSelector,
  limit,
  continueToken,
  resourceVersion,
  resourceVersionMatch,
  timeoutSeconds,
];
const deletion = [dryRun, gracePeriodSeconds, orphanDependents, propagationPolicy];

const listing = [
  query('allowWatchBookmarks', 'boolean', 'Requests bookmark events in a watch.'),
  ...selection,
  query('watch', 'boolean', 'Streams changes instead of returning a list.'),
];

/** Query parameters of each action. `pretty` belongs to the path, except where there is none besides these. */
export const actionParameters = {
  get: [],
  list: listing,
  watch: [...listing, pretty],
  watchlist: [...listing, pretty],
  post: [dryRun, fieldManager, fieldValidation],
  put: [dryRun, fieldManager, fieldValidation],
  patch: [dryRun, fieldManager, fieldValidation, force],
  delete: deletion,
  deletecollection: [...selection, ...deletion],
  connect: [],
} as const satisfies Record<string, readonly Parameter[]>;

export type Action = keyof typeof actionParameters;

export const commonParameters = {
  pretty,
  name: (kind: string): Parameter => path('name', `Name of the ${kind}.`),
  namespace: path('namespace', 'Namespace of the object.'),
  proxyPath: path('path', 'Rest of the path, forwarded unchanged.'),
} as const;

/** The scalar fields of an options kind as query parameters. */
export function optionParameters(schema: StructSchema | undefined): readonly Parameter[] {
  return (schema?.fields ?? []).flatMap((field): Parameter[] => {
    let value = resolveRef(field.schema);
    if (value.kind === 'list') value = resolveRef(value.items);
    if (value.kind !== 'scalar' || field.inline === true) return [];
    const type =
      value.type === 'bool'
        ? 'boolean'
        : value.type === 'int32' || value.type === 'int64'
          ? 'integer'
          : 'string';
    return [query(field.name, type, field.doc)];
  });
}
