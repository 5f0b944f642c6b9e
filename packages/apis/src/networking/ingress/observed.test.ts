import type { ResourceType } from '../../resource-type.ts';
import { describeObservedDefaults } from '../../testing/observed-defaults.ts';
import { writePath } from '../../testing/write-path.ts';
import { networkingGroup } from '../group.ts';

const path = writePath(undefined, '1.20', { version: 'networking/v1beta1' });

function typeOf(kind: string): ResourceType {
  const type = networkingGroup.types.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`no kind ${kind}`);
  return type;
}

describeObservedDefaults(new URL('observed-defaults.fixture.jsonl', import.meta.url), typeOf, path);
