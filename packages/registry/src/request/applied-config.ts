import { errors } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import {
  beginsLikeJson,
  type ExpectedKind,
  type ParseBodyOptions,
  type ParsedBody,
  parseBody,
  parseLargeYaml,
  type YamlParsing,
} from './body.ts';
import { strictError } from './decode-object.ts';
import type { ApplyOptions } from './write-options.ts';

/** A configuration that a client applies, as it was sent: neither decoded nor defaulted. */
export interface SentConfig {
  readonly config: Readonly<Record<string, unknown>>;
  /** Messages about duplicate fields. */
  readonly warnings: readonly string[];
}

/** Parses the body of an apply: YAML, or JSON, which is a subset of YAML and is parsed faster (400). */
export const readConfig = (bytes: Buffer, expected: ExpectedKind, options: ConfigOptions): SentConfig =>
  checked(parsed(bytes, parsingOf(options)), expected, options);

/** As `readConfig`, of a large configuration, which holds the thread for a short time only. */
export const readLargeConfig = async (
  sent: { readonly bytes: Buffer; readonly signal: AbortSignal },
  { expected, ...options }: ConfigOptions & { readonly expected: ExpectedKind },
  parsing: YamlParsing,
): Promise<SentConfig> => checked(await parseLargeYaml(sent, parsingOf(options), parsing), expected, options);

type ConfigOptions = Pick<ApplyOptions, 'fieldValidation'>;

const parsingOf = ({ fieldValidation }: ConfigOptions): ParseBodyOptions => ({
  reportDuplicates: fieldValidation !== 'Ignore',
});

/** Checks that a body is a configuration of the kind (400). */
function checked(
  { value, duplicates }: ParsedBody,
  { kind }: ExpectedKind,
  { fieldValidation }: ConfigOptions,
): SentConfig {
  if (!isJsonObject(value))
    throw errors.malformedRequest(`an applied configuration must be an object of kind ${kind}`);
  for (const field of ['kind', 'apiVersion']) {
    if (typeof value[field] !== 'string' || value[field] === '')
      throw errors.malformedRequest(`an applied configuration must have a ${field}`);
  }
  if (value['kind'] !== kind)
    throw errors.badRequest(
      `the applied configuration is of kind ${JSON.stringify(value['kind']).slice(0, 100)}, but this path expects ${JSON.stringify(kind)}`,
      `the applied configuration is of another kind, but this path expects ${JSON.stringify(kind)}`,
    );
  const warnings = duplicates.map((field) => `duplicate field ${JSON.stringify(field)}`);
  if (fieldValidation === 'Strict' && warnings.length > 0) throw strictError(warnings);
  return { config: value, warnings };
}

function parsed(bytes: Buffer, options: ParseBodyOptions): ParsedBody {
  if (!beginsLikeJson(bytes)) return parseBody(bytes, 'application/yaml', options);
  try {
    return parseBody(bytes, 'application/json', options);
  } catch {
    // A body that begins like JSON may still be YAML; if it is neither, the message is about YAML.
    return parseBody(bytes, 'application/yaml', options);
  }
}
