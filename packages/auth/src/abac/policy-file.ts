import { isJsonObject, JsonSyntaxError, parseJson } from '@orch/machinery/json';

/** A policy file that cannot be used; the message names the line. */
export class PolicyFileError extends Error {
  override readonly name = 'PolicyFileError';
}

/** The permissions of a line of a policy file. Empty strings match only empty values, `*` matches everything. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const texts = ['user', 'group', 'apiGroup', 'resource', 'namespace', 'nonResourcePath'] as const;
const fields: ReadonlySet<string> = new Set([...texts, 'readonly']);

/**
 * Reads a policy file (access-control document, 5.12): one JSON object of kind `Policy` per line; empty lines and lines
 * that begin with `#` are ignored. `apiVersion` is the required version of the objects. Throws `PolicyFileError`.
 */
export function readPolicyFile(text: string, apiVersion: string): readonly AbacPolicy[] {
  return text.split('\n').flatMap((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return [];
    try {
      return [policyOf(parseJson(Buffer.from(line)), apiVersion)];
    } catch (error) {
      if (!(error instanceof JsonSyntaxError || error instanceof PolicyFileError)) throw error;
      throw new PolicyFileError(`line ${index + 1}: ${error.message}`);
    }
  });
}

function policyOf(value: unknown, apiVersion: string): AbacPolicy {
  if (!isJsonObject(value)) throw new PolicyFileError('expected an object');
  if (value['apiVersion'] !== apiVersion || value['kind'] !== 'Policy')
    throw new PolicyFileError(`expected apiVersion ${JSON.stringify(apiVersion)} and kind "Policy"`);
  const { spec } = value;
  if (!isJsonObject(spec)) throw new PolicyFileError('spec: expected an object');
  const unknown = Object.keys(spec).find((field) => !fields.has(field));
  if (unknown !== undefined) throw new PolicyFileError(`spec: unknown field ${JSON.stringify(unknown)}`);
  const textOf = (field: (typeof texts)[number]): string => {
    const text = spec[field] ?? '';
    if (typeof text !== 'string') throw new PolicyFileError(`spec.${field}: expected a string`);
    return text;
  };
  const isReadonly = spec['readonly'] ?? false;
  if (typeof isReadonly !== 'boolean') throw new PolicyFileError('spec.readonly: expected true or false');
  const policy = {
    user: textOf('user'),
    group: textOf('group'),
    readonly: isReadonly,
    apiGroup: textOf('apiGroup'),
    resource: textOf('resource'),
    namespace: textOf('namespace'),
    nonResourcePath: textOf('nonResourcePath'),
  };
  if (policy.user === '' && policy.group === '')
    throw new PolicyFileError('spec: a user or a group is missing: the line would apply to no user');
  return policy;
}
