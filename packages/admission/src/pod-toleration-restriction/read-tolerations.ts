import { tolerationErrors } from '@orch/apis';
import type { Toleration } from '@orch/kinds/core';
import { qualifiedName } from '@orch/machinery/formats';
import type { ConfigValue } from '@orch/machinery/yaml';

/** Reads a list of valid tolerations; undefined when it is absent. Throws `ConfigFileError`. */
export const readTolerations = (value: ConfigValue): readonly Toleration[] | undefined =>
  value.isAbsent ? undefined : value.list().map(readToleration);

const SECONDS = { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };

function readToleration(value: ConfigValue): Toleration {
  const field = value.object(['key', 'operator', 'value', 'effect', 'tolerationSeconds']);
  const seconds = field('tolerationSeconds').whole(SECONDS);
  const toleration: Toleration = {
    ...textOf('key', field('key')),
    ...textOf('operator', field('operator')),
    ...textOf('value', field('value')),
    ...textOf('effect', field('effect')),
    ...(seconds === undefined ? {} : { tolerationSeconds: seconds }),
  };
  const wrongKey = (toleration.key ?? '') === '' ? undefined : qualifiedName(toleration.key ?? '');
  if (wrongKey !== undefined) field('key').fail(wrongKey);
  const [first] = tolerationErrors('toleration', toleration);
  return first === undefined ? toleration : value.fail(`${first.field}: ${first.message}`);
}

const textOf = (name: 'key' | 'operator' | 'value' | 'effect', value: ConfigValue): Toleration =>
  value.isAbsent ? {} : { [name]: value.text() };
