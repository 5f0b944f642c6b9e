import { type ApiError, type Names, type Naming, namingOf } from '@orch/machinery';
import { type ApiRequest, parseAccept, parseMediaRange } from '@orch/request';

/** Suffix of the message of a failure; empty for most. */
export type NamingHint = (error: ApiError, request: ApiRequest) => string;

export interface NamingHintOptions {
  readonly names: Pick<Names, 'naming'>;
  /** Paths of the served groups and versions. */
  readonly apiPaths: () => readonly string[];
}

/**
 * Names the required flag to clients of the other naming: when the group in the path, the media type, or the
 * `apiVersion` of the body is unknown here and belongs to that naming.
 */
export const namingHints = ({ names, apiPaths }: NamingHintOptions): NamingHint => {
  const otherNaming = (identifiers: readonly string[]): Naming | undefined =>
    identifiers.map(namingOf).find((naming) => naming !== undefined && naming !== names.naming);
  const unservedGroup = (path: string): readonly string[] => {
    const group = groupIn(path);
    if (group === '' || otherNaming([group]) === undefined) return [];
    return apiPaths().includes(`/apis/${group}`) ? [] : [group];
  };
  return (error, request) => {
    const { code } = error.status;
    if (code < 400 || code >= 500) return '';
    const naming = otherNaming([
      ...(code === 401 ? [] : unservedGroup(request.rawPath)),
      ...(code === 406 ? acceptedNames(request.headers.accept ?? '') : []),
      ...(code === 415 ? [parseMediaRange(request.headers['content-type'] ?? '').type] : []),
      ...error.unrecognized,
    ]);
    return naming === undefined
      ? ''
      : `; such clients need a server that was started with --naming=${naming}`;
  };
};

/** The API group in a path; empty when there is none. */
function groupIn(path: string): string {
  const [, group = ''] = /^(?:\/openapi\/v3)?\/apis\/([^/?]+)/.exec(path) ?? [];
  return group.toLowerCase();
}

/** Media types, and groups of requested transformations. */
const acceptedNames = (accept: string): readonly string[] =>
  parseAccept(accept).flatMap(({ type, parameters }) => [type, parameters['g'] ?? '']);
