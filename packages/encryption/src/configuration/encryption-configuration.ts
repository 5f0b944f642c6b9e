import type { Names } from '@orch/machinery';
import { ConfigValue } from '@orch/machinery/yaml';
import { KmsNames } from './kms-provider.ts';
import { type ProviderConfiguration, prefixesOf, readProvider } from './provider.ts';
import { masking, type ResourcePattern, readPatterns, refuseOverlaps } from './resource-pattern.ts';

/** Providers for some resources. The first one encrypts; all of them decrypt. */
export interface EncryptionRule {
  readonly patterns: readonly ResourcePattern[];
  readonly providers: readonly ProviderConfiguration[];
}

export interface EncryptionConfigurationFile {
  readonly text: string;
  readonly file: string;
  readonly names: Names;
}

/** Reads an `EncryptionConfiguration`. Throws `ConfigFileError`, whose messages contain no secrets. */
export function readEncryptionConfiguration({
  text,
  file,
  names,
}: EncryptionConfigurationFile): readonly EncryptionRule[] {
  const field = ConfigValue.parse(text, file).document(
    { kind: 'EncryptionConfiguration', apiVersions: [names.apiVersion('apiserverconfig', 'v1')] },
    ['resources'],
  );
  const list = field('resources');
  const entries = list.list();
  if (entries.length === 0) list.fail('at least one entry is required');
  const kmsNames = new KmsNames();
  const earlier: ResourcePattern[] = [];
  return entries.map((entry) => {
    const rule = readRule(entry, { names, kmsNames, earlier });
    earlier.push(...rule.patterns);
    return rule;
  });
}

interface Read {
  readonly names: Names;
  readonly kmsNames: KmsNames;
  /** The patterns of the entries before. */
  readonly earlier: readonly ResourcePattern[];
}

function readRule(entry: ConfigValue, { names, kmsNames, earlier }: Read): EncryptionRule {
  const field = entry.object(['resources', 'providers']);
  const patterns = readPatterns(field('resources'), names);
  refuseOverlaps(field('resources'), patterns);
  for (const [at, pattern] of patterns.entries()) {
    const masked = masking(pattern, earlier);
    if (masked === undefined) continue;
    field('resources')
      .list()
      [at]?.fail(
        `${JSON.stringify(pattern.text)} has no effect, since the earlier entry ${JSON.stringify(masked.text)} includes it`,
      );
  }
  const providers = field('providers');
  const list = providers.list();
  if (list.length === 0) providers.fail('at least one provider is required');
  return { patterns, providers: readProviders(list, kmsNames) };
}

/** Keys of one provider type have different names, also in several entries: the name in a value must select its key. */
function readProviders(list: readonly ConfigValue[], kmsNames: KmsNames): readonly ProviderConfiguration[] {
  const known = new Set<string>();
  return list.map((entry) => {
    const provider = readProvider(entry, kmsNames);
    for (const prefix of prefixesOf(provider)) {
      if (known.has(prefix)) entry.fail(`another provider of the list has the same type and name, ${prefix}`);
      known.add(prefix);
    }
    return provider;
  });
}
