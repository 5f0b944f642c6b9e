import type { ResourceType } from '../../resource-type.ts';
import { describeObserved } from '../../testing/observed.ts';
import { describeObservedDefaults } from '../../testing/observed-defaults.ts';
import { apiregistrationGroup } from '../group.ts';

function typeOf(kind: string): ResourceType {
  const type = apiregistrationGroup.types.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`no kind ${kind}`);
  return type;
}

describeObserved(new URL('observed-validation.fixture.jsonl', import.meta.url), typeOf);
describeObservedDefaults(new URL('observed-defaults.fixture.jsonl', import.meta.url), typeOf);
