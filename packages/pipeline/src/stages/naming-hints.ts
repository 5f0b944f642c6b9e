import { type ApiError, type Names, type Naming, namingOf } from '@orch/machinery';
import { type ApiRequest, parseAccept, parseMediaRange } from '@orch/request';

/** How the message for a failure ends; empty for most. */
export type NamingHint = (error: ApiError, request: ApiRequest) => string;

export interface NamingHintOptions {
  readonly names: Pick<Names, 'naming'>;
  /** Paths of the groups and versions that are served. */
  readonly apiPaths: () => readonly string[];
}

/**
 * Tells clients that speak the other naming which flag the server would need: when what the request names, and the server
 * does not know, belongs to that naming (a group in the path, a media type, the `apiVersion` of a body).
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

/** The group in a path of the API or of its documents; empty when there is none. */
function groupIn(path: string): string {
  const [, group = ''] = /^(?:\/openapi\/v3)?\/apis\/([^/?]+)/.exec(path) ?? [];
  return group.toLowerCase();
}

/** Media types, and the groups of what answers are to be shown as. */
const acceptedNames = (accept: string): readonly string[] =>
  parseAccept(accept).flatMap(({ type, parameters }) => [type, parameters['g'] ?? '']);
