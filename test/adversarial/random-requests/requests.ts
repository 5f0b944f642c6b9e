import { namesFor } from '@orch/machinery';
import fc from 'fast-check';
import { badTexts, junk, mutated, mutation, type Path, pathsOf, withRawNumbers } from './junk.ts';
import type { Target } from './targets.ts';

const names = namesFor('orch');
const { protobuf } = names.mediaTypes;
const meta = names.group('meta');

/** One request as sent. */
export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

/** Every query parameter that some path of the API knows. */
export const parameters = [
  'watch',
  'resourceVersion',
  'resourceVersionMatch',
  'allowWatchBookmarks',
  'sendInitialEvents',
  'limit',
  'continue',
  'timeoutSeconds',
  'labelSelector',
  'fieldSelector',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'pretty',
  'gracePeriodSeconds',
  'orphanDependents',
  'propagationPolicy',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'includeObject',
  'timeout',
  'export',
  'exact',
  'container',
  'follow',
  'previous',
  'sinceSeconds',
  'sinceTime',
  'tailLines',
  'limitBytes',
  'timestamps',
  'insecureSkipTLSVerifyBackend',
  'stdin',
  'stdout',
  'stderr',
  'tty',
  'command',
  'ports',
  'path',
  'hash',
  'verbose',
  'exclude',
] as const;

/** As a client encodes them, and as no client does. */
export const badValues: readonly string[] = [
  ...badTexts.map((text) => encodeURIComponent(text)),
  '%ff',
  '%zz',
  '%',
  '+',
  '=',
  '0',
  '1',
  'Exact',
  'NotOlderThan',
  'Background',
  'Orphan',
  'Strict',
  '1s',
  '-1s',
  '1&PARAMETER=2',
  'metadata.name%3Dx,metadata.name%3Dy',
  'a%20notin%20(%27',
  encodeURIComponent('a'.repeat(5000)),
];

const query: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...parameters), fc.constantFrom(...badValues)), { maxLength: 3 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value.replace('PARAMETER', name)}`).join('&'));

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const;

const contentTypes = [
  'application/json',
  'application/yaml',
  protobuf,
  ...patchTypes,
  'text/plain',
  'application/json; charset=latin1',
  'application/json;;=',
  '/',
  'application/cbor',
] as const;

const accepts = [
  'application/json',
  'application/yaml',
  protobuf,
  `${protobuf};stream=watch`,
  `application/json;as=Table;g=${meta};v=v1`,
  `application/json;as=Table;g=${meta};v=v9`,
  `application/json;as=PartialObjectMetadata;g=${meta};v=v1`,
  `${protobuf};as=PartialObjectMetadataList;g=${meta};v=v1`,
  'application/json;as=;g=;v=',
  '*/*;q=x',
  ';;,,',
  'text/html',
] as const;

const headers: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constant('accept'), fc.constantFrom(...accepts)),
      fc.tuple(
        fc.constantFrom(
          'accept-encoding',
          'content-encoding',
          'if-match',
          'if-none-match',
          'range',
          'impersonate-user',
          'impersonate-group',
          'impersonate-uid',
          'impersonate-extra-%zz',
          'authorization',
          'audit-id',
          'traceparent',
          'x-forwarded-for',
          'user-agent',
          'lease-fence',
          'sec-websocket-protocol',
          'x-stream-protocol-version',
        ),
        fc.constantFrom(
          ...badTexts.filter((text) => /^[\x21-\x7e]*$/.test(text)),
          'gzip',
          'Bearer x',
          'bytes=0-1',
        ),
      ),
    ),
    { maxLength: 2 },
  )
  .map((pairs) => Object.fromEntries(pairs));

/** An absent body is a body of no bytes. */
const json = (value: unknown): string => withRawNumbers(JSON.stringify(value) ?? '');

const pointer = (path: Path): string =>
  path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const jsonPatch = (object: unknown): fc.Arbitrary<unknown> =>
  fc.array(
    fc.record(
      {
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'frob'),
        path: fc.oneof(
          fc.constantFrom(...pathsOf(object)).map(pointer),
          fc.constantFrom('', '/', '/metadata/labels/-', '/-', 'x', '/metadata/name/x', '/~2'),
        ),
        from: fc.oneof(fc.constantFrom(...pathsOf(object)).map(pointer), junk),
        value: junk,
      },
      { requiredKeys: ['op', 'path'] },
    ),
    { minLength: 1, maxLength: 3 },
  );

/** Directives of strategic merge patches, anywhere, with any value. */
const directives = (object: unknown): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.constantFrom(...pathsOf(object)),
      fc.constantFrom('$patch', '$retainKeys', '$setElementOrder/', '$deleteFromPrimitiveList/'),
      fc.oneof(fc.constantFrom<unknown>('replace', 'delete', 'merge', ['a'], [{ name: 'a' }]), junk),
    )
    .map(([path, directive, value]) => {
      const at = path.slice(0, -1);
      const name = directive.endsWith('/') ? `${directive}${path.at(-1) ?? 'x'}` : directive;
      return [...at, name].reduceRight<unknown>((inner, field) => ({ [field]: inner }), value);
    });

const deleteOptions = {
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  gracePeriodSeconds: 1,
  orphanDependents: false,
  propagationPolicy: 'Background',
  preconditions: { uid: 'u', resourceVersion: '1' },
  dryRun: ['All'],
};

/** Bodies that are not objects, regardless of the content type. */
const noObject: fc.Arbitrary<string | Buffer> = fc.oneof(
  junk.map(json),
  fc.constantFrom(
    ...badTexts,
    '{',
    '[',
    '{"a":1,"a":2}',
    'a: [',
    '- a',
    '&a [*a]',
    '{"kind":1}',
    '---\n---\n',
  ),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.concat([Buffer.from('k8s\0'), bytes])),
);

type Body = readonly [contentType: string, body: string | Buffer | undefined];

function bodyOf(target: Target, method: string): fc.Arbitrary<Body> {
  const { body } = target;
  const wrong: fc.Arbitrary<Body> = fc.tuple(fc.constantFrom(...contentTypes), noObject);
  const of = (type: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<Body> =>
    values.map((value) => [type, json(value)] as const);
  switch (method) {
    case 'POST':
    case 'PUT':
      return fc.oneof(
        { weight: 6, arbitrary: of('application/json', mutated(body)) },
        { weight: 1, arbitrary: of('application/yaml', mutated(body)) },
        { weight: 1, arbitrary: of('application/json', fc.constant({ ...(body as object), kind: 'Other' })) },
        { weight: 1, arbitrary: wrong },
      );
    case 'PATCH':
      return fc.oneof(
        of('application/json-patch+json', jsonPatch(body)),
        of('application/merge-patch+json', mutated(body)),
        of('application/strategic-merge-patch+json', fc.oneof(mutated(body), directives(body))),
        of('application/apply-patch+yaml', mutated(body)),
        wrong,
      );
    case 'DELETE':
      return fc.oneof(
        { weight: 3, arbitrary: of('application/json', mutation(deleteOptions)) },
        { weight: 1, arbitrary: wrong },
        { weight: 1, arbitrary: fc.constant(['application/json', undefined] as const) },
      );
    default:
      return fc.constant(['', undefined] as const);
  }
}

/** Usually a method that the path supports, and usually one that writes. */
const targetAndMethod = (targets: readonly Target[]): fc.Arbitrary<readonly [Target, string]> =>
  fc.constantFrom(...targets).chain((target) =>
    fc
      .oneof(
        {
          weight: 12,
          arbitrary: fc.constantFrom(...target.methods.filter(writes), ...methods.slice(0, 1)),
        },
        { weight: 1, arbitrary: fc.constantFrom(...methods) },
      )
      .map((method) => [target, method] as const),
  );

const writes = (method: string): boolean => !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);

/** A request with errors: in its parameters, its headers or its body. */
export const randomRequest = (targets: readonly Target[]): fc.Arbitrary<RandomRequest> =>
  targetAndMethod(targets).chain(([target, method]) =>
    fc
      .tuple(
        fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: query }),
        fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
        bodyOf(target, method),
        fc.nat(9),
      )
      .map(([parameters, more, body, rare]) =>
        // Few deletions are executed: the other requests need their objects.
        requestOf({
          target,
          method,
          parameters,
          more,
          body,
          isDry: target.isDry || (method === 'DELETE' && rare > 0),
        }),
      ),
  );

interface Parts {
  readonly target: Target;
  readonly method: string;
  readonly parameters: string;
  readonly more: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly isDry: boolean;
}

function requestOf({
  target,
  method,
  parameters,
  more,
  isDry,
  body: [contentType, body],
}: Parts): RandomRequest {
  const isApply = contentType === 'application/apply-patch+yaml';
  const all = [
    ...(isApply ? ['fieldManager=random'] : []),
    ...(isDry && writes(method) ? ['dryRun=All'] : []),
    ...(parameters === '' ? [] : [parameters]),
  ];
  return {
    method,
    path: `${target.path}${all.length === 0 ? '' : `?${all.join('&')}`}`,
    headers: { ...(contentType === '' ? {} : { 'content-type': contentType }), ...more },
    body,
  };
}
