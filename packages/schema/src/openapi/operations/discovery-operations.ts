import type { OpenApiInput } from '../input.ts';
import { capital, groupVersionPath, groupWord, type Operation, type PathOperations } from './operation.ts';

/** A discovery document: a path with one GET that belongs to no resource. */
function discovery(
  input: OpenApiInput,
  path: string,
  [id, tag, description]: readonly [string, string, string],
  schemaName: string,
): PathOperations {
  const media = schemaName === VERSION ? ['application/json'] : input.objectMediaTypes;
  const operation: Operation = {
    method: 'get',
    id,
    tag,
    description,
    query: [],
    consumes: media,
    produces: media,
    codes: [200],
    answer: { definition: input.names.definitionName(schemaName) },
  };
  return { path: `${path}/`, parameters: [], operations: [operation] };
}

const VERSION = 'version.Info';

/** `/api`. */
export const coreVersionsPath = (input: OpenApiInput): PathOperations =>
  discovery(
    input,
    '/api',
    ['getCoreAPIVersions', 'core', 'Lists the versions of the core group.'],
    'meta.v1.APIVersions',
  );

/** `/apis`. */
export const groupsPath = (input: OpenApiInput): PathOperations =>
  discovery(
    input,
    '/apis',
    ['getAPIVersions', 'apis', 'Lists the groups with their versions.'],
    'meta.v1.APIGroupList',
  );

/** `/version`. */
export const versionPath = (input: OpenApiInput): PathOperations =>
  discovery(input, '/version', ['getCodeVersion', 'version', 'Returns the version of the server.'], VERSION);

/** `/apis/apps`. */
export function groupPath(input: OpenApiInput, group: string): PathOperations {
  const word = groupWord(group, input.names);
  const texts = [`get${capital(word)}APIGroup`, word, 'Lists the versions of the group.'] as const;
  return discovery(input, `/apis/${group}`, texts, 'meta.v1.APIGroup');
}

/** `/apis/apps/v1`. */
export function resourcesPath(input: OpenApiInput, group: string, version: string): PathOperations {
  const word = groupWord(group, input.names);
  const id = `get${capital(word)}${capital(version)}APIResources`;
  const texts = [id, `${word}_${version}`, 'Lists the resources of the group version.'] as const;
  return discovery(input, groupVersionPath(group, version), texts, 'meta.v1.APIResourceList');
}
