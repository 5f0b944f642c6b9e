import type { ResourceType } from '../resource-type.ts';
import { describeObserved } from '../testing/observed.ts';
import { describeObservedDefaults } from '../testing/observed-defaults.ts';
import { writePath } from '../testing/write-path.ts';
import { networkingGroup } from './group.ts';

const path = writePath(undefined, '1.20', { version: 'networking/v1' });

function typeOf(kind: string): ResourceType {
  const type = networkingGroup.types.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`no kind ${kind}`);
  return type;
}

describeObserved(new URL('observed-validation.fixture.jsonl', import.meta.url), typeOf, path);
describeObservedDefaults(new URL('observed-defaults.fixture.jsonl', import.meta.url), typeOf, path);
