import type { ObjectConverter } from '@orch/apis';
import { type ApiObject, errors } from '@orch/machinery';
import { encodeJson, parseJson } from '@orch/machinery/json';
import type { CodecCompiler, StructSchema } from '@orch/schema';
import { ConversionNeeded } from './conversion-needed.ts';
import { refuseOversized } from './decoding.ts';

/** One version of a kind that a webhook converts. */
export interface ConvertedVersion {
  readonly apiVersion: string;
  readonly schema: StructSchema;
}

/** A target version of a webhook conversion. */
export interface Conversion {
  readonly target: ConvertedVersion;
  readonly converter: ObjectConverter;
  readonly codecs: CodecCompiler;
}

/** See `VersionConverter`. */
export interface WebhookVersionConverter {
  readonly apiVersion: string;
  readonly canonicalVersion: string;
  readonly differs: boolean;
  readonly encoder: undefined;
  readonly conversion: Conversion;
  toHub(object: ApiObject): ApiObject;
  fromHub(hub: ApiObject): ApiObject;
  convertJson(hubJson: Buffer): Buffer;
}

export interface WebhookVersionOptions {
  readonly canonicalVersion: string;
  readonly own: ConvertedVersion;
  readonly hub: ConvertedVersion;
  readonly converter: ObjectConverter;
  readonly codecs: CodecCompiler;
}

/**
 * The converter of a version that a webhook converts. Its functions throw `ConversionNeeded` until the conversion was
 * made: they run inside `withConversions`. Cached objects are read through `ConvertedReads`, so there is no encoder.
 */
export function webhookVersionConverter(options: WebhookVersionOptions): WebhookVersionConverter {
  const { canonicalVersion, own, hub, converter, codecs } = options;
  const inVersion = (object: ApiObject, target: ConvertedVersion): ApiObject => {
    const { apiVersion } = target;
    if (object.apiVersion === apiVersion) return object;
    const converted = converter.find(object, apiVersion);
    if (converted === undefined) throw new ConversionNeeded(converter, object, apiVersion);
    return decodedConversion(object, converted, target, codecs);
  };
  const fromHub = (object: ApiObject): ApiObject => inVersion(object, own);
  return {
    apiVersion: own.apiVersion,
    canonicalVersion,
    differs: own.apiVersion !== hub.apiVersion,
    encoder: undefined,
    conversion: { target: own, converter, codecs },
    toHub: (object) => inVersion(object, hub),
    fromHub,
    convertJson(json) {
      const object = parseJson(json) as ApiObject;
      return object.apiVersion === own.apiVersion ? json : encodeJson(fromHub(object));
    },
  };
}

/**
 * The result of the webhook, pruned and defaulted by the schema of its version, with the parts of the original that are
 * not sent.
 */
export function decodedConversion(
  original: ApiObject,
  converted: ApiObject,
  { apiVersion, schema }: ConvertedVersion,
  codecs: CodecCompiler,
): ApiObject {
  const { managedFields, resourceVersion } = original.metadata;
  const metadata = {
    ...converted.metadata,
    ...(managedFields === undefined ? {} : { managedFields }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  const { value, problems } = codecs.compile(schema).decode({ ...converted, metadata }, { defaults: true });
  const wrong = problems.find(({ kind }) => kind === 'type');
  refuseOversized(problems, original.kind ?? '');
  if (wrong === undefined) return value;
  throw errors.plain(
    500,
    `conversion webhook for ${original.apiVersion}, Kind=${original.kind} failed: the object in ${apiVersion} does not fit its schema: ${wrong.message}`,
  );
}
